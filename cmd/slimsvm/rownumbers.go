package main

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// A column that numbers the rows, as pandas writes one without a name unless it is told not to, says
// nothing of other data; but where rows stand in the order of their labels it tells these, and
// a machine learns nothing else.

// fewestNumbered is the number of rows from which a column that numbers them is told of.
const fewestNumbered = 5

// warnRowNumbers tells of columns of a problem that number its rows, unless there is no other to
// learn from.
func (w *warner) warnRowNumbers(p *problem) {
	h := p.rows.Header
	if h == nil || len(h.Attributes) < 3 || p.rows.Len() < fewestNumbered {
		return
	}
	class, err := encode.FindClass(h, p.encode.Class)
	if err != nil {
		return // which encoding tells
	}
	dropped := make([]bool, len(h.Attributes))
	for _, name := range p.encode.Drop {
		if k, err := encode.FindColumn(h, name); err == nil {
			dropped[k] = true
		}
	}
	for k, a := range h.Attributes {
		nameless := k == 0 && a.Name == unnamed && h.Attributes[1].Name != unnamedNext // else none has a name
		if !nameless && p.method.Task.Regresses() {
			continue // it may be the time
		}
		if a.Type == format.Numeric && k != class && !dropped[k] && numbersRows(p.rows, int32(k), nameless) {
			w.warn("%s: column %q only numbers the rows, and says nothing of others; --drop %s leaves it out", p.in.path, a.Name, quote(a.Name))
		}
	}
}

// What the first and the second column are called where their names are left out.
const unnamed, unnamedNext = "att1", "att2"

// numbersRows reports whether column k is 0, 1, 2 and so on, or begins with 1, in the order of rows; or, in any
// order, has a whole number of its own from 0 on for each row.
func numbersRows(d *format.Dataset, k int32, anyOrder bool) bool {
	first := valueAt(d, 0, k)
	if !anyOrder {
		for i := range d.Len() {
			if valueAt(d, i, k) != first+float64(i) {
				return false
			}
		}
		return first == 0 || first == 1
	}
	seen := map[float64]bool{}
	for i := range d.Len() {
		v := valueAt(d, i, k)
		if !(v >= 0) || v != math.Trunc(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// valueAt returns the value of column k of row i.
func valueAt(d *format.Dataset, i int, k int32) float64 {
	x := d.X.Row(i)
	if n, ok := slices.BinarySearch(x.Index, k); ok {
		return x.Value[n]
	}
	return 0
}
