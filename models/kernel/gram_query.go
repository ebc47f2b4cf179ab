package kernel

// A Query is rows that are to be computed, made ready for several calls that each compute some
// columns, by different goroutines maybe.
type Query struct {
	rows   []int
	values []float64 // as panels want them, if they are long
	wholes []int16   // as those of whole numbers do
}

// Ask makes q a query of rows, which must not change as long as it is used, and reports whether that
// is of use.
func (g *Gram) Ask(q *Query, rows []int) bool {
	q.rows, q.values, q.wholes = rows, q.values[:0], q.wholes[:0]
	switch {
	case g.form == asPanels && g.panels.Columns() >= longQuery:
		q.values = g.panels.QueryTo(q.values, rows)
	case g.form == asWholes && g.wholes.Columns() >= longQuery:
		q.wholes = g.wholes.QueryTo(q.wholes, rows)
	case g.form == asMixed && g.columns() >= longQuery:
		q.values = g.panels.QueryTo(q.values, rows)
		q.wholes = g.wholes.QueryTo(q.wholes, rows)
	}
	return len(q.values)+len(q.wholes) > 0
}

// longQuery is the number of columns from which a query is collected once. A shorter one is collected
// about as soon as it is fetched from another processor's cache.
const longQuery = 128

// AnswerTo is RowsTo for the rows of a query.
func (g *Gram) AnswerTo(dst [][]float32, q *Query, from, to int) { g.rowsOf(q, dst, q.rows, from, to) }
