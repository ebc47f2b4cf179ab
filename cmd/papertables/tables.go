package main

import (
	"context"
	"slices"
)

// tables lists all tables, in the order of docs/RESULTS.md.
var tables = slices.Concat(
	reducedTables,
	rsvmTables,
	jointTables,
	interopTables,
	mkcTables,
	psvmTables,
	csTables,
)

// A protocol says what the figures of a table may be used for; they are never
// mixed in one table.
type protocol string

const (
	// paper follows the paper's protocol, to compare with its figures.
	paper protocol = "paper"
	// honest chooses everything from training data only.
	honest protocol = "honest"
)

// A table is one of a paper, or of ours in the same manner. A row and a column of
// it make a cell, the mean over splits of the data, or seeds.
type table struct {
	name     string // on the command line: reduced/usps
	title    string // heading
	source   string // the paper, and which table of it; "": ours
	protocol protocol
	about    string // paragraphs: data, settings, what a cell is
	corner   string // heading of the first column: what the rows are
	rows     []string
	columns  []string
	lower    bool             // smaller figures are better
	digits   map[string]int   // behind the point, by row or column; others 1
	paper    map[cell]float64 // the paper's figures
	compare  [][2]string      // columns whose difference, split by split, is of interest
	splits   int              // how many; numbered, and seeds, from 1
	version  int              // of the procedure: stored figures of another are not used
	jobs     []job
	// summary makes a line below the table of its figures; nil: none
	summary func(t *table, g gathered) string
}

// A cell is a place in a table.
type cell struct{ row, column string }

// A job fills cells of a table, for one split at a time.
type job struct {
	name     string // ABE/shared
	rows     []string
	columns  []string // that it fills; nil: it does not matter
	sets     []*set   // data that it needs; without them its rows are absent
	programs []string // that it needs on PATH
	run      func(ctx context.Context, b *bench, split int) (figures, error)
}

// figures are values of cells.
type figures []figure

// A figure is the value of a cell in one split.
type figure struct {
	Row    string  `json:"row"`
	Column string  `json:"column"`
	Value  float64 `json:"value"`
}

func (f *figures) add(row, column string, value float64) {
	*f = append(*f, figure{row, column, value})
}

// at returns the value of a cell that is there.
func (f figures) at(row, column string) float64 {
	for _, v := range f {
		if v.Row == row && v.Column == column {
			return v.Value
		}
	}
	panic("papertables: no figure " + row + ", " + column)
}

// published makes a table's figures of rows of numbers, one for each column.
func published(columns []string, rows map[string][]float64) map[cell]float64 {
	m := map[cell]float64{}
	for row, values := range rows {
		for k, v := range values {
			m[cell{row, columns[k]}] = v
		}
	}
	return m
}

// job appends a job.
func (t *table) job(name string, sets []*set, rows []string, run func(ctx context.Context, b *bench, split int) (figures, error)) {
	t.jobs = append(t.jobs, job{name: name, sets: sets, rows: rows, run: run})
}
