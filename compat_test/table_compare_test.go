package compat_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// A difference counts how a table differs from the one it should be.
type difference struct {
	values int // compared

	relation int // names of relations
	order    int // columns whose labels differ, in order or altogether
	types    int // columns that hold texts as another type, or no values as another
	sparse   int // rows that are sparse in one table only
	dummies  int // texts that Weka 3.6 does not have

	faults []string // all else, the first few
}

// A comparer compares tables; equal values are equal bits.
type comparer struct {
	asText   bool    // dates may have become texts, nominal columns strings and back
	asNumber bool    // labels that are numbers may have become numbers
	noSign   bool    // zeros of sparse rows have no sign, as in Weka
	within   float64 // how far numbers may be off
}

// compare compares got with want, columns by place.
func (c comparer) compare(got, want *table) *difference {
	d := new(difference)
	if got.relation != want.relation {
		d.relation++
	}
	c.columns(d, got.columns, want.columns)
	c.rows(d, want.columns, got.rows, want.rows)
	return d
}

func (d *difference) fault(format string, args ...any) {
	if len(d.faults) < 5 {
		d.faults = append(d.faults, fmt.Sprintf(format, args...))
	}
}

func (c comparer) columns(d *difference, got, want []column) {
	if len(got) != len(want) {
		d.fault("%d columns, want %d", len(got), len(want))
		return
	}
	for i := range want {
		g, w := got[i], want[i]
		if g.name != w.name {
			d.fault("column %d is %.100q, want %.100q", i+1, g.name, w.name)
		}
		if g.kind != w.kind || g.pattern != w.pattern {
			d.types++
			if !c.asText {
				d.fault("column %d is of type %d %q, want %d %q", i+1, g.kind, g.pattern, w.kind, w.pattern)
			}
		}
		if g.weight != w.weight && g.weight != 0 && w.weight != 0 {
			d.fault("column %d has weight %v, want %v", i+1, g.weight, w.weight)
		}
		if !slices.Equal(g.labels, w.labels) {
			d.order++
		}
		c.columns(d, g.inner, w.inner)
	}
}

func (c comparer) rows(d *difference, columns []column, got, want []tableRow) {
	if len(got) != len(want) {
		d.fault("%d rows, want %d", len(got), len(want))
		return
	}
	for i := range want {
		g, w := got[i], want[i]
		if g.sparse != w.sparse {
			d.sparse++
		}
		if math.Float64bits(g.weight) != math.Float64bits(w.weight) {
			d.fault("row %d has weight %v, want %v", i+1, g.weight, w.weight)
		}
		if len(g.cells) != len(columns) || len(w.cells) != len(columns) {
			d.fault("row %d has %d cells, want %d", i+1, len(g.cells), len(columns))
			continue
		}
		for k := range columns {
			d.values++
			switch {
			case w.cells[k] == any(dummyText):
				d.dummies++
			case c.noSign && w.sparse && w.cells[k] == any(0.0) && g.cells[k] == any(0.0):
			case !c.equal(d, columns[k], g.cells[k], w.cells[k]):
				d.fault("row %d, column %.100q: %.100q, want %.100q", i+1, columns[k].name, fmt.Sprint(g.cells[k]), fmt.Sprint(w.cells[k]))
			}
		}
	}
}

func (c comparer) equal(d *difference, of column, got, want any) bool {
	switch w := want.(type) {
	case []tableRow:
		g, ok := got.([]tableRow)
		if ok {
			c.rows(d, of.inner, g, w)
		}
		return ok
	case float64:
		g, ok := got.(float64)
		if text, is := got.(string); is && c.asText && of.kind == format.Date {
			g, ok = parseDate(text)
		}
		return ok && (math.Float64bits(g) == math.Float64bits(w) || math.Abs(g-w) <= c.within && c.within > 0)
	}
	if g, ok := got.(float64); ok && c.asNumber {
		text, _ := want.(string)
		w, err := strconv.ParseFloat(text, 64)
		return err == nil && w == g
	}
	return got == want
}

// parseDate reads the dates of CSV: ours, and Weka's of the real files.
func parseDate(text string) (ms float64, ok bool) {
	for _, layout := range []string{time.RFC3339Nano, time.DateTime, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.UnixMilli()), true
		}
	}
	return 0, false
}
