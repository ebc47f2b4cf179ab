package encode

import (
	"sync"

	"github.com/slimsvm/slimsvm/format"
)

// A rowIndex has what [Encoding.Row] needs of all labels: it would be looked for in each row. Copies of
// an encoding share it.
type rowIndex struct {
	once    sync.Once
	columns []Column // that it is of
	class   int
	labels  []map[string]int // places of the labels of each column; nil: there are few
	lasting [][]int32        // as a Mapper's
}

// fewLabels is the number of labels among which one is found as soon without an index.
const fewLabels = 16

// index returns the index of e, which it makes at first, or nil if e has none, as a copy with other
// columns.
func (e *Encoding) index() *rowIndex {
	x := e.forRows
	if x == nil || len(e.Columns) == 0 {
		return nil
	}
	x.once.Do(func() {
		m := &Mapper{e: e}
		m.findLasting()
		x.columns, x.class, x.lasting = e.Columns, e.Class, m.lasting
		x.labels = make([]map[string]int, len(e.Columns))
		for i := range e.Columns {
			if c := &e.Columns[i]; c.Type == format.Nominal && i != e.Class && len(c.Labels) > fewLabels {
				x.labels[i] = placesOf(c.Labels)
			}
		}
	})
	if &x.columns[0] != &e.Columns[0] || len(x.columns) != len(e.Columns) || x.class != e.Class {
		return nil
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
