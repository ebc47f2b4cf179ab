package kernel

// A Query is a set of rows to be computed, prepared for several calls that each compute some of the
// columns, possibly in different goroutines.
type Query struct {
	rows     []int
	values   []float64 // the query for panels, if it is long
	decimals []float64 // the same for panels of decimal numbers
	wholes   []int16   // the same for panels of whole numbers
}

// PrepareQuery makes q a query of rows and reports whether that helps. Do not change rows while q
// is used.
func (g *Gram) PrepareQuery(q *Query, rows []int) bool {
	q.rows, q.values, q.decimals, q.wholes = rows, q.values[:0], q.decimals[:0], q.wholes[:0]
	if g.columns() > 0 && g.panels.Columns()+g.decimals.Columns()+g.wholes.Columns() >= longQuery {
		g.collect(q, rows)
	}
	return q.collected()
}

// collect makes q hold the queries of rows for the panels.
func (g *Gram) collect(q *Query, rows []int) {
	if g.form != asWholes {
		q.values = g.panels.QueryTo(q.values[:0], rows)
	}
	if g.form == asMixed {
		q.decimals = g.decimals.QueryTo(q.decimals[:0], rows)
	}
	if g.form != asPanels {
		q.wholes = g.wholes.QueryTo(q.wholes[:0], rows)
	}
}

// collected reports whether q holds such queries.
func (q *Query) collected() bool { return len(q.values)+len(q.decimals)+len(q.wholes) > 0 }

// longQuery is the number of columns from which a query is collected once for all goroutines.
// Collecting a shorter one takes about as long as fetching it from another processor's cache.
const longQuery = 128

// QueryRowsTo is [Gram.RowsTo] for the rows of a query.
func (g *Gram) QueryRowsTo(dst [][]float32, q *Query, from, to int) {
	g.rowsOf(q, dst, q.rows, from, to)
}
