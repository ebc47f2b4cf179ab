package csource

import (
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
)

// WriteScaled is Write for a model whose rows were scaled by ranges before training, and have to be
// before every answer: the file has a function that scales, with the bits of scale.Scaler. Targets that
// were scaled stay so. It returns an ErrRanges if the ranges cannot be those of the model's rows.
func WriteScaled(w io.Writer, m *models.Model, name string, r *scale.Ranges) error {
	if err := r.Validate(); err != nil {
		return err
	}
	return write(w, m, name, r)
}

// ErrRanges reports that ranges are not those of a model's rows.
var ErrRanges = errors.New("the ranges are not those of the model's rows")

// checkRanges returns an error unless all features that the vectors have are such as are scaled.
func (s *source) checkRanges() error {
	switch {
	case s.ranges == nil:
		return nil
	case s.inputs != nil:
		return fmt.Errorf("%w: its features are made of columns", ErrRanges)
	case s.precomputed():
		return fmt.Errorf("%w: these are values of a precomputed kernel", ErrRanges)
	case s.ranges.X == nil:
		return fmt.Errorf("%w: they are of labels only", ErrRanges)
	}
	scaled := map[int32]bool{}
	for _, f := range s.ranges.X.Ranges {
		if f.Constant() {
			continue
		}
		if f.Index == 0 {
			return fmt.Errorf("%w: they have feature 0, and in C features are numbered from 1 where they are scaled", ErrRanges)
		}
		scaled[f.Index] = true
		s.scaled++
		s.features = int(f.Index)
	}
	x := &s.m.Vectors
	for i := range x.Len() {
		row := x.Row(i)
		for k, j := range row.Index {
			if row.Value[k] != 0 && !scaled[j] {
				return fmt.Errorf("%w: vector %d has feature %d, which by them is 0 in all rows", ErrRanges, i+1, j)
			}
		}
	}
	return nil
}

// aboutScaler says what the function that scales does.
func (s *source) aboutScaler() {
	s.put(` * void @_scale(const double *raw, size_t n, double *x)
 *     sets x[0] to x[@_FEATURES-1] to features 1 to @_FEATURES, scaled as svm-scale -r does before
 *     it rounds to six digits. raw[0] to raw[n-1] are those before; further ones are 0. Both may
 *     be the same place.
`)
	if s.ranges.Y != nil && s.m.Task.Regresses() {
		s.put(" *     Targets stay as they were scaled, from %s..%s to %s..%s.\n",
			real(s.ranges.Y.Min), real(s.ranges.Y.Max), real(s.ranges.Y.Lower), real(s.ranges.Y.Upper))
	}
}

// scaler writes that function.
func (s *source) scaler() {
	l := s.ranges.X.Limits
	s.put("\n")
	if s.scaled == 0 {
		s.put("void @_scale(const double *raw, size_t n, double *x)\n{\n\t(void)raw, (void)n, (void)x;\n}\n")
		return
	}
	s.table(fmt.Sprintf("static const struct { unsigned place; double min, max; } @_range[%d]", s.scaled), func(add func(string)) {
		for _, f := range s.ranges.X.Ranges {
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
`, real(l.Lower), real(l.Upper), s.scaled)
}
