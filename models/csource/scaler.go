package csource

import (
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// WriteScaled is [Write] for a model whose rows were scaled by r before training and must be scaled
// before every answer. The file then has a function that scales, with the bits of scale.Scaler; it
// gives numbers that are not finite where scale.Scaler returns an error. Scaled targets are not
// scaled back. The error is ErrRanges if r cannot belong to the model's rows.
func WriteScaled(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := r.Validate(); err != nil {
		return err
	}
	return write(w, m, name, r)
}

// ErrRanges reports scaling ranges that cannot be those of the model's rows.
var ErrRanges = plan.ErrRanges

// aboutScaler describes the function that scales.
func (s *source) aboutScaler() {
	s.put(` * void @_scale(const double *raw, size_t n, double *x)
 *     sets x[0] to x[@_FEATURES-1] to features 1 to @_FEATURES, scaled as svm-scale -r does before
 *     it rounds to six digits. raw[0] to raw[n-1] are those before; further ones are 0. Both may
 *     be the same place. What is out of range to svm-scale -r becomes no finite number.
`)
	if s.Ranges.Y != nil && s.Model.Task.Regresses() {
		s.put(" *     Targets stay as they were scaled, from %s..%s to %s..%s.\n",
			real(s.Ranges.Y.Min), real(s.Ranges.Y.Max), real(s.Ranges.Y.Lower), real(s.Ranges.Y.Upper))
	}
}

// scaler writes the function that scales.
func (s *source) scaler() {
	l := s.Ranges.X.Limits
	s.put("\n")
	if s.Scaled == 0 {
		s.put("void @_scale(const double *raw, size_t n, double *x)\n{\n\t(void)raw, (void)n, (void)x;\n}\n")
		return
	}
	s.table(fmt.Sprintf("static const struct { unsigned place; double min, max; } @_range[%d]", s.Scaled), func(add func(string)) {
		for _, f := range s.Ranges.X.Ranges {
			if !f.Constant() {
				add(fmt.Sprintf("{%d, %s, %s}", f.Index-1, real(f.Min), real(f.Max)))
			}
		}
	})
	s.put(`static double @_limited(double v, double min, double max)
{
	const double lower = %s, upper = %s;
	double product = (upper - lower) * (v - min), span = max - min, y, t;
	if (v == min)
		return lower;
	if (v == max)
		return upper;
	y = lower + product / span;
	if (isfinite(product) && isfinite(span) && isfinite(y))
		return y;
	t = (v / 4 - min / 4) / (max / 4 - min / 4);
	y = lower + (upper - lower) * t;
	return isfinite(y) ? y : lower * (1 - t) + upper * t;
}

void @_scale(const double *raw, size_t n, double *x)
{
	size_t i, j = 0;
	for (i = 0; i < %d; i++) {
		for (; j < @_range[i].place; j++)
			x[j] = 0;
		x[j] = @_limited(j < n ? raw[j] : 0, @_range[i].min, @_range[i].max);
		j++;
	}
}
`, real(l.Lower), real(l.Upper), s.Scaled)
}
