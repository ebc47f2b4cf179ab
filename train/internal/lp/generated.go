package lp

import (
	"container/list"
	"sync"
)

// A Generated matrix makes its rows and columns when they are asked for, and keeps as
// many as fit its memory. What it makes must be the same at any time, and each element
// the same by row and by column.
type Generated struct {
	rows, columns int
	fill          [2]func(i int, dst []float64) // of a row, of a column

	mu   sync.Mutex
	room int // numbers that may still be kept
	kept [2]map[int]*list.Element
	used list.List // of *line, the last used first
}

// A line is a row or a column.
type line struct {
	kind, i int
	values  []float64
}

var _ Matrix = (*Generated)(nil)

// NewGenerated returns a matrix whose rows and columns are written by the two
// functions, which may be called at the same time, and which keeps at most so many
// numbers. Lines that are in use elsewhere need memory of their own.
func NewGenerated(rows, columns int, row, column func(i int, dst []float64), keep int) *Generated {
	return &Generated{
		rows: rows, columns: columns, fill: [2]func(int, []float64){row, column}, room: keep,
		kept: [2]map[int]*list.Element{{}, {}},
	}
}

// Dims returns the numbers of rows and columns.
func (g *Generated) Dims() (rows, columns int) { return g.rows, g.columns }

// Row returns row i.
func (g *Generated) Row(i int) []float64 { return g.line(0, i, g.columns) }

// Column returns column j.
func (g *Generated) Column(j int) []float64 { return g.line(1, j, g.rows) }

func (g *Generated) line(kind, i, length int) []float64 {
	g.mu.Lock()
	if e := g.kept[kind][i]; e != nil {
		g.used.MoveToFront(e)
		g.mu.Unlock()
		return e.Value.(*line).values
	}
	g.mu.Unlock()
	l := &line{kind, i, make([]float64, length)}
	g.fill[kind](i, l.values)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kept[kind][i] == nil {
		g.kept[kind][i] = g.used.PushFront(l)
		g.room -= length
	}
	for g.room < 0 && g.used.Len() > 0 {
		last := g.used.Remove(g.used.Back()).(*line)
		delete(g.kept[last.kind], last.i)
		g.room += len(last.values)
	}
	return l.values
}
