package arff

import (
	"math"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// rows reads the rows of a list of columns, the file's or a relation's. Its
// memory is used again for every row.
type rows struct {
	lex     lexer
	century int
	columns []column
	numeric []bool  // which columns are: looked up more often than columns fits in the cache
	needed  []int32 // columns that no sparse row may leave out
	unmet   []int32 // those of them of which Weka may yet meet a first value

	all     []int32   // 0, 1, ... for dense rows
	dense   []float64 // one a column
	sparse  vec.Vector
	whole   vec.Vector // what complete makes of it
	text    []byte     // the row's strings one behind the other
	ends    []int      // where each ends
	implied []string   // others, of columns that a sparse row leaves out
	strings []string
	tables  [][]format.Instance
	row     format.Instance
}

func newRows(columns []column, lex lexer, century int) *rows {
	r := &rows{lex: lex, century: century, columns: columns}
	r.all = make([]int32, len(columns))
	r.dense = make([]float64, len(columns))
	r.numeric = make([]bool, len(columns))
	for i := range columns {
		r.all[i] = int32(i)
		r.numeric[i] = columns[i].kind == format.Numeric
		if c := &columns[i]; !c.any && (c.kind == format.String || c.kind == format.Relational || c.isEmpty()) {
			r.needed = append(r.needed, int32(i))
			if !c.isEmpty() {
				r.unmet = append(r.unmet, int32(i))
			}
		}
	}
	return r
}

// read reads the row that begins in the lexer's line, strictly up to its end.
func (r *rows) read() *fault {
	r.sparse.Index, r.sparse.Value = r.sparse.Index[:0], r.sparse.Value[:0]
	r.text, r.ends, r.implied = r.text[:0], r.ends[:0], r.implied[:0]
	r.tables = r.tables[:0:0]
	r.row.Weight, r.row.Sparse = 1, false
	l := &r.lex
	var f *fault
	switch {
	case l.line[l.at] == '{':
		r.row.Sparse = true
		f = r.readSparse()
		r.row.X = r.sparse
	default:
		f = r.readDense()
		r.row.X = vec.Vector{Index: r.all, Value: r.dense}
	}
	if f == nil {
		f = r.readEnd()
	}
	if f != nil {
		return f
	}
	r.row.Tables = r.tables
	r.row.Strings = r.cutStrings()
	return nil
}

// cutStrings returns the row's strings: its own are parts of one, those of other rows follow.
func (r *rows) cutStrings() []string {
	r.strings = r.strings[:0]
	if len(r.ends)+len(r.implied) == 0 {
		return nil
	}
	text, start := string(r.text), 0
	for _, end := range r.ends {
		r.strings = append(r.strings, text[start:end])
		start = end
	}
	r.strings = append(r.strings, r.implied...)
	return r.strings
}

// keep notes the first strings and relations of the file, for complete.
func (r *rows) keep() {
	r.unmet = slices.DeleteFunc(r.unmet, func(i int32) bool {
		v := math.NaN()
		if k, ok := slices.BinarySearch(r.row.X.Index, i); ok {
			v = r.row.X.Value[k]
		}
		if math.IsNaN(v) {
			return false
		}
		c := &r.columns[i]
		c.met = true
		if c.kind == format.String {
			c.text = strings.Clone(r.strings[int(v)])
		} else {
			c.table = r.tables[int(v)]
		}
		return true
	})
}
