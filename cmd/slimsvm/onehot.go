package main

import (
	"fmt"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// oneHotDecoder undoes package encode's one-hot features: it finds the column and label
// that a feature stands for.
type oneHotDecoder struct {
	to     *format.Header
	column []int32 // of each feature
	label  []int   // of each feature; -1: the feature is the column's value
	many   []int32 // columns with a feature a label
	set    []int   // by column: the label of the present row, -1: none
}

func newOneHotDecoder(h *format.Header) *oneHotDecoder {
	t := &oneHotDecoder{to: h, column: []int32{-1}, label: []int{-1}, set: make([]int, len(h.Attributes))}
	for i, a := range h.Attributes {
		n := 1
		if i != h.Class && a.Type == format.Nominal && len(a.Labels) > 2 {
			n = len(a.Labels)
			t.many = append(t.many, int32(i))
		}
		for k := range n {
			if n == 1 {
				k = -1
			}
			t.column, t.label = append(t.column, int32(i)), append(t.label, k)
		}
	}
	return t
}

// columns appends the values of the columns but the label's to dst, which is empty.
func (t *oneHotDecoder) columns(dst *vec.Vector, x vec.Vector) error {
	for _, i := range t.many {
		t.set[i] = -1
	}
	for k, feature := range x.Index {
		if feature < 1 || int(feature) >= len(t.column) {
			return fmt.Errorf("there is no column for feature %d", feature)
		}
		i, label, v := t.column[feature], t.label[feature], x.Value[k]
		switch {
		case int(i) == t.to.Class:
			return fmt.Errorf("feature %d is the label's column", feature)
		case label < 0:
			dst.Index, dst.Value = append(dst.Index, i), append(dst.Value, v)
		case v == 0:
		case v != 1:
			return fmt.Errorf("feature %d is %v: expected 1 for label %q of column %q, or 0", feature, v, t.to.Attributes[i].Labels[label], t.to.Attributes[i].Name)
		case t.set[i] >= 0:
			labels := t.to.Attributes[i].Labels
			return fmt.Errorf("column %q has two labels, %q and %q", t.to.Attributes[i].Name, labels[t.set[i]], labels[label])
		default:
			t.set[i] = label
			dst.Index, dst.Value = append(dst.Index, i), append(dst.Value, float64(label))
		}
	}
	for _, i := range t.many {
		if t.set[i] < 0 {
			return fmt.Errorf("column %q has no label: none of its features is 1", t.to.Attributes[i].Name)
		}
	}
	if !slices.IsSorted(dst.Index) {
		panic("slimsvm: features of columns out of order")
	}
	return nil
}
