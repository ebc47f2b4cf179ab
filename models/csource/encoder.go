package csource

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// encoder writes the function that makes features from columns.
func (s *source) encoder() {
	scales, columns := s.Scales()
	s.put("\n")
	if columns == 0 {
		s.put("void @_encode(const double *columns, double *x)\n{\n\tsize_t f;\n\t(void)columns;\n\tfor (f = 0; f < @_FEATURES; f++)\n\t\tx[f] = 0;\n}\n")
		return
	}
	s.table("static const double @_shift[@_FEATURES]", func(add func(string)) {
		for _, scale := range scales {
			add(real(scale.Shift))
		}
	})
	s.table("static const double @_width[@_FEATURES]", func(add func(string)) {
		for _, scale := range scales {
			add(real(scale.Width))
		}
	})
	// labels: number of labels of a nominal column, -1 for others; text: index of its first label
	texts := 0
	s.table("static const struct { int first, labels, text; double fill; } @_column[@_COLUMNS]", func(add func(string)) {
		s.EachColumn(func(_ int, c *encode.Column) {
			labels := -1
			if c.Type == format.Nominal {
				labels = len(c.Labels)
			}
			add(fmt.Sprintf("{%d, %d, %d, %s}", c.First-1, labels, texts, real(c.Fill)))
			texts += max(labels, 0)
		})
	})
	if texts > 0 {
		s.places(texts)
	}
	s.put(`static double @_scaled(double v, int f)
{
	return @_width[f] == 0 ? 0 : (v - @_shift[f]) / @_width[f];
}

void @_encode(const double *columns, double *x)
{
	int c, f;
	for (f = 0; f < @_FEATURES; f++)
		x[f] = 0;
	for (c = 0; c < @_COLUMNS; c++) {
		int first = @_column[c].first, labels = @_column[c].labels;
		double v = isnan(columns[c]) ? @_column[c].fill : columns[c];
		if (labels == 0 || labels == 1 || (labels == 2 && v < 0))
			v = 0;
		if (labels <= 2)
			x[first] = @_scaled(v, first);
		else
			for (f = 0; f < labels; f++)
				x[first + f] = @_scaled(v == f, first + f);
	}
}
`)
}

// places writes the function that finds the place of a label. texts is the number of labels.
func (s *source) places(texts int) {
	s.table(fmt.Sprintf("static const char *const @_texts[%d]", texts), func(add func(string)) {
		s.EachColumn(func(_ int, c *encode.Column) {
			if c.Type == format.Nominal {
				for _, label := range c.Labels {
					add(text(label))
				}
			}
		})
	})
	s.put(`int @_place(int column, const char *label)
{
	int i;
	if (column < 0 || column >= @_COLUMNS)
		return -1;
	for (i = 0; i < @_column[column].labels; i++)
		if (strcmp(@_texts[@_column[column].text + i], label) == 0)
			return i;
	return -1;
}

`)
}
