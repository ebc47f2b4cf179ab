package lp

import (
	"container/list"
	"sync"
)

// A Generated matrix computes its rows and columns when they are asked for, and keeps as many as
// its memory allows. The functions must give the same values at any time, and the same element by
// row and by column.
type Generated struct {
	rows, columns int
	fill          [2]func(i int, dst []float64) // writes a row; writes a column

	mu     sync.Mutex
	keep   int // how many numbers may be kept
	room   int // how many more may be kept now
	kept   [2]map[int]*list.Element
	used   list.List         // of *line, most recently used first
	pinned map[int][]float64 // columns that stay until unpin
}

// A line is a row or a column.
type line struct {
	kind, i int
	values  []float64
}

var _ Matrix = (*Generated)(nil)

// NewGenerated returns a matrix whose rows and columns are written by the two functions, which may
// be called at the same time. It keeps at most keep numbers, except that columns that are pinned
// always stay. Lines still in use elsewhere take memory in addition.
func NewGenerated(rows, columns int, row, column func(i int, dst []float64), keep int) *Generated {
	return &Generated{
		rows: rows, columns: columns, fill: [2]func(int, []float64){row, column}, keep: keep, room: keep,
		kept: [2]map[int]*list.Element{{}, {}}, pinned: map[int][]float64{},
	}
}

// Dims returns the numbers of rows and columns.
func (g *Generated) Dims() (rows, columns int) { return g.rows, g.columns }

// Row returns row i.
func (g *Generated) Row(i int) []float64 { return g.line(0, i, g.columns) }

// Column returns column j.
func (g *Generated) Column(j int) []float64 { return g.line(1, j, g.rows) }

// pin keeps column j, which has these values, until unpin. Pinned columns take room from the other
// lines.
func (g *Generated) pin(j int, values []float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e := g.kept[1][j]; e != nil {
		g.forget(e)
	}
	if g.pinned[j] == nil {
		g.pinned[j] = values
		g.room -= len(values)
		g.trim()
	}
}

// unpin ends pin for column j, if it was pinned. The column is then kept like other lines.
func (g *Generated) unpin(j int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if values := g.pinned[j]; values != nil {
		delete(g.pinned, j)
		g.room += len(values)
		g.remember(&line{1, j, values})
	}
}

func (g *Generated) line(kind, i, length int) []float64 {
	g.mu.Lock()
	if kind == 1 && g.pinned[i] != nil {
		defer g.mu.Unlock()
		return g.pinned[i]
	}
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
		g.remember(l)
	}
	return l.values
}

// remember keeps a line and forgets the least recently used ones if there is no room.
func (g *Generated) remember(l *line) {
	g.kept[l.kind][l.i] = g.used.PushFront(l)
	g.room -= len(l.values)
	g.trim()
}

func (g *Generated) trim() {
	for g.room < 0 && g.used.Len() > 0 {
		g.forget(g.used.Back())
	}
}

func (g *Generated) forget(e *list.Element) {
	l := g.used.Remove(e).(*line)
	delete(g.kept[l.kind], l.i)
	g.room += len(l.values)
}
