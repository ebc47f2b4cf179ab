package arff

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
)

// A value of a relational attribute is a text of rows. The quoted text is taken
// apart once, and what it stands for is read as rows are; so inside it quotes and
// backslashes are escaped twice, and three times in a relation within it.

// maxDepth is how deep relations may nest: escaping doubles the backslashes at
// every level, so no file goes far.
const maxDepth = 16

// table reads the rows of a relation's value. A fault's position counts from the
// beginning of the text.
func (r *rows) table(text []byte) ([]format.Instance, *fault) {
	r.lex.src = linesOf(text)
	var table []format.Instance
	for r.lex.nextLine() == nil {
		for !r.lex.lineIsOver(r.lex.weka) {
			if r.lex.weka && len(r.columns) == 0 { // to Weka there is no header then
				return nil, &fault{At: r.lex.src.start + r.lex.at, Err: errors.New("expected no row, since the relation declares no attributes")}
			}
			if f := r.read(); f != nil {
				f.At += r.lex.src.start
				return nil, f
			}
			if r.lex.weka {
				r.keep()
			}
			if len(table) == cap(table) {
				table = grown(table, r.lex.src)
			}
			table = append(table, r.clone())
		}
	}
	return table, nil
}

// fewRows is how many rows of a table take little memory, and mostGrowth how many times as much the
// table takes at most when it grows: what stands in lines that are not yet read may be no rows.
const (
	fewRows    = 64
	mostGrowth = 16
)

// grown returns a table that is full with room for more. A row takes many times its text, so there
// is room for a row in each of the lines that follow; or, if these are many more than there are rows,
// for a small part of them first.
func grown(table []format.Instance, follow *lines) []format.Instance {
	n := len(table)
	if n < fewRows {
		return slices.Grow(table, min(1+follow.left(fewRows), max(n, 1)))
	}
	all := n + max(1+follow.left(math.MaxInt), n/4) // of Weka's rows several may stand in a line
	if all > mostGrowth*n {
		all = min(all/mostGrowth, mostGrowth*n)
	}
	return append(make([]format.Instance, 0, all), table...)
}

// clone returns a copy of the row that outlives the next one.
func (r *rows) clone() format.Instance {
	in := r.row
	in.X.Value = slices.Clone(in.X.Value)
	in.Strings = slices.Clone(in.Strings)
	if in.Sparse {
		in.X.Index = slices.Clone(in.X.Index)
	}
	return in
}

// relationError is a fault inside a relation. Only the innermost is named.
type relationError struct {
	name string
	error
}

func (e relationError) Error() string {
	return fmt.Sprintf("in relation %s: %v", clip(e.name), e.error)
}

func (e relationError) Unwrap() error { return e.error }

func within(c *column, err error) error {
	if inner := (relationError{}); errors.As(err, &inner) {
		return err
	}
	return relationError{c.name, err}
}
