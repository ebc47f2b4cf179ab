package arff

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// mostIndex is the largest index that Java's int holds.
const mostIndex = math.MaxInt32

// readSparse reads pairs of index and value in braces.
func (r *rows) readSparse() *fault {
	l := &r.lex
	start := l.at
	l.at++
	last := int64(-1)
	for {
		i, f := r.readIndex(last)
		if f != nil {
			return f
		}
		if i < 0 {
			break
		}
		last = i
		at := l.at
		for at < len(l.line) && l.line[at] == ' ' {
			at++
		}
		v, n := 0.0, 0
		if at > l.at && at < len(l.line) {
			v, n = r.plain(int(i), l.line[at:])
		}
		if n > 0 {
			l.at = at + n
		} else {
			from := l.at
			if f := l.next(); f != nil {
				return f
			}
			if f := r.separated(from, math.MaxInt); f != nil {
				return f
			}
			if v, f = r.readValue(&r.columns[i]); f != nil {
				return f
			}
		}
		r.sparse.Index = append(r.sparse.Index, int32(i))
		r.sparse.Value = append(r.sparse.Value, v)
	}
	return r.complete(start)
}

// readIndex reads an index above last, or the closing brace: -1.
func (r *rows) readIndex(last int64) (int64, *fault) {
	l := &r.lex
	at := l.at
	for at < len(l.line) && (l.line[at] == ' ' || l.line[at] == ',') {
		at++
	}
	if (at > l.at || last < 0) && at < len(l.line) {
		if i, n := sparseIndex(l.line[at:]); n > 0 && last < i && i < int64(len(r.columns)) {
			l.at = at + n
			return i, nil
		}
	}
	from := l.at
	if f := l.next(); f != nil {
		return 0, f
	}
	if f := r.separated(from, math.MaxInt); f != nil {
		return 0, f
	}
	switch l.tok.kind {
	case closing:
		return -1, nil
	case endOfLine:
		return 0, l.expected("a closing brace")
	case opening:
		return 0, l.expected("an index")
	}
	b, f := l.text()
	if f != nil {
		return 0, f
	}
	i, n, err := textscan.Int(b)
	switch {
	case n == 0 || n != len(b) || textscan.IsSpace(b[0]):
		return 0, l.expected("an index")
	case err != nil || i > mostIndex || i >= int64(len(r.columns)):
		return 0, &fault{At: l.tok.at, Err: fmt.Errorf("index %s is too large: there %s, the first has index 0",
			l.found(), are(len(r.columns), "attribute"))}
	case i < 0:
		return 0, &fault{At: l.tok.at, Err: fmt.Errorf("index %s is negative: the first attribute has index 0", l.found())}
	case i <= last:
		return 0, &fault{At: l.tok.at, Err: fmt.Errorf("index %d follows %d: indices must increase", i, last)}
	}
	return i, nil
}

// complete looks for strings and relations that a sparse row left out, and for
// labels of columns that have none: faults, but to Weka the first text or table of
// the column in the file. Weka has no label either; there it is a missing value.
func (r *rows) complete(start int) *fault {
	x, whole := &r.sparse, &r.whole
	whole.Index, whole.Value = whole.Index[:0], whole.Value[:0]
	k, kept := 0, 0 // entries of x that are looked at, and that are in whole
	for _, i := range r.needed {
		for k < len(x.Index) && x.Index[k] < i {
			k++
		}
		if k < len(x.Index) && x.Index[k] == i {
			continue
		}
		v, err := r.leftOut(i)
		if err != nil {
			return &fault{At: start, Err: err}
		}
		whole.Index = append(append(whole.Index, x.Index[kept:k]...), i)
		whole.Value = append(append(whole.Value, x.Value[kept:k]...), v)
		kept = k
	}
	if len(whole.Index) > 0 { // else nothing is left out
		whole.Index = append(whole.Index, x.Index[kept:]...)
		whole.Value = append(whole.Value, x.Value[kept:]...)
		r.sparse, r.whole = r.whole, r.sparse
	}
	return nil
}

// leftOut returns what a sparse row means that leaves out a column that complete looks for.
func (r *rows) leftOut(i int32) (float64, error) {
	c := &r.columns[i]
	switch {
	case c.isEmpty() && !r.lex.weka:
		return 0, strictly("the row leaves out attribute %s with index %d: what is left out is its first label, and it has none",
			clip(c.name), i)
	case c.isEmpty():
		return math.NaN(), nil
	case !r.lex.weka:
		return 0, strictly("the row leaves out attribute %s with index %d: what is left out is 0, and that is no %s",
			clip(c.name), i, typeName(c.kind))
	case !c.met:
		return 0, errors.New("the row leaves out attribute " + clip(c.name) + ", of which no row before has a value")
	case c.kind == format.String:
		r.implied = append(r.implied, c.text)
		return float64(len(r.ends) + len(r.implied) - 1), nil
	}
	r.tables = append(r.tables, c.table)
	return float64(len(r.tables) - 1), nil
}
