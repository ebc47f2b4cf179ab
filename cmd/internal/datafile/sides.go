package datafile

import (
	"math"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// NoSides returns what stands in a column that is taken for the label of one-class data, and hardly
// says what is inside and what outside, as the last feature of data without labels: a value that is
// neither 1 nor -1 or 0; a text, or nil if the column is numeric. ok is false if the column may well be
// the label: of words that one is in all rows, which says that all are inside, or that of a column
// called class, as in Weka's files.
func NoSides(label *format.Attribute, class int, rows *format.Dataset) (number float64, text *string, ok bool) {
	if label.Type != format.Numeric && (label.Type != format.Nominal || strings.EqualFold(label.Name, "class")) {
		return 0, nil, false
	}
	first := math.NaN()
	differ := label.Type == format.Numeric // one number says no more than several
	for i := range rows.Len() {
		v := rows.X.Row(i).At(int32(class))
		switch {
		case math.IsNaN(v):
			continue
		case math.IsNaN(first):
			first = v
		}
		if !ok && !isSide(label, v) {
			if number, ok = v, true; label.Type == format.Nominal {
				text = &label.Labels[int(v)]
			}
		}
		if differ = differ || v != first; differ && ok {
			return number, text, true
		}
	}
	return 0, nil, false
}

// isSide reports whether a label's value is 1, inside, or -1 or 0, outside.
func isSide(label *format.Attribute, v float64) bool {
	if label.Type == format.Nominal {
		var err error
		if v, err = strconv.ParseFloat(label.Labels[int(v)], 64); err != nil {
			return false
		}
	}
	return v == 1 || v == -1 || v == 0
}
