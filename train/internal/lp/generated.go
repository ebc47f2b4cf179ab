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
	keep int // numbers that may be kept
	room int // those of them that are left
	kept [2]map[int]*list.Element
	used list.List         // of *line, the last used first
	held map[int][]float64 // columns that stay
}

// A line is a row or a column.
type line struct {
	kind, i int
	values  []float64
}

var _ Matrix = (*Generated)(nil)

// NewGenerated returns a matrix whose rows and columns are written by the two
// functions, which may be called at the same time, and which keeps at most so many
// numbers, but for columns that are held. Lines that are in use elsewhere need memory of
// their own.
func NewGenerated(rows, columns int, row, column func(i int, dst []float64), keep int) *Generated {
	return &Generated{
		rows: rows, columns: columns, fill: [2]func(int, []float64){row, column}, keep: keep, room: keep,
		kept: [2]map[int]*list.Element{{}, {}}, held: map[int][]float64{},
	}
}

// Dims returns the numbers of rows and columns.
func (g *Generated) Dims() (rows, columns int) { return g.rows, g.columns }

// Row returns row i.
func (g *Generated) Row(i int) []float64 { return g.line(0, i, g.columns) }

// Column returns column j.
func (g *Generated) Column(j int) []float64 { return g.line(1, j, g.rows) }

// hold makes column j, whose values these are, stay until letGo. What is held takes the room
// of what is kept.
func (g *Generated) hold(j int, values []float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e := g.kept[1][j]; e != nil {
		g.forget(e)
	}
	if g.held[j] == nil {
		g.held[j] = values
		g.room -= len(values)
		g.trim()
	}
}

// letGo keeps column j, if it was held, as others are.
func (g *Generated) letGo(j int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if values := g.held[j]; values != nil {
		delete(g.held, j)
		g.room += len(values)
		g.remember(&line{1, j, values})
	}
}

func (g *Generated) line(kind, i, length int) []float64 {
	g.mu.Lock()
	if kind == 1 && g.held[i] != nil {
		defer g.mu.Unlock()
		return g.held[i]
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

// remember keeps a line, and forgets those for which there is no room then.
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
