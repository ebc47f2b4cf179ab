package encode

import "github.com/slimsvm/slimsvm/format"

// A rowIndex has what [Encoding.Row] needs of all labels: it would be looked for in each row. It is
// made with the encoding and does not change, so that encodings of the same columns are equal,
// whichever had rows. Copies of an encoding share it.
type rowIndex struct {
	first   *Column   // of those that it is of
	scales  [][]Scale // of each column
	class   int
	labels  []map[string]int // places of the labels of each column; nil: there are few
	lasting [][]int32        // as a Mapper's
}

// fewLabels is the number of labels among which one is found as soon without an index.
const fewLabels = 16

// makeIndex makes the index of e, whose columns are complete.
func (e *Encoding) makeIndex() {
	m := &Mapper{e: e}
	m.findLasting()
	n := len(e.Columns)
	x := &rowIndex{first: &e.Columns[0], class: e.Class, lasting: m.lasting, scales: make([][]Scale, n), labels: make([]map[string]int, n)}
	for i := range e.Columns {
		c := &e.Columns[i]
		x.scales[i] = c.Scales
		if c.Type == format.Nominal && i != e.Class && len(c.Labels) > fewLabels {
			x.labels[i] = placesOf(c.Labels)
		}
	}
	e.forRows = x
}

// index returns the index of e, or nil if e has none of its columns and scales, as a copy with others.
func (e *Encoding) index() *rowIndex {
	x := e.forRows
	if x == nil || len(x.scales) != len(e.Columns) || x.first != &e.Columns[0] || x.class != e.Class {
		return nil
	}
	for i, then := range x.scales {
		now := e.Columns[i].Scales
		if len(now) != len(then) || len(now) > 0 && &now[0] != &then[0] {
			return nil
		}
	}
	return x
}

// placesOf returns the place of each label.
func placesOf(labels []string) map[string]int {
	places := make(map[string]int, len(labels))
	for i, label := range labels {
		places[label] = i
	}
	return places
}

// places returns the places of the labels of column i, nil if the index, which may be nil, has none.
func (x *rowIndex) places(i int) map[string]int {
	if x == nil {
		return nil
	}
	return x.labels[i]
}
