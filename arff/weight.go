package arff

import "math"

// readEnd reads what follows the values: perhaps a weight, then the line end.
// Weka takes any token for the end, and goes on behind it.
func (r *rows) readEnd() *fault {
	l := &r.lex
	from := l.at
	if f := l.next(); f != nil {
		return f
	}
	if f := r.separated(from, 1); f != nil {
		return f
	}
	switch {
	case l.tok.kind == opening:
		return r.readWeight()
	case l.tok.kind == endOfLine || l.weka:
		return nil
	case r.row.Sparse:
		return &fault{At: l.tok.at, Err: strictly("expected the end of the row or a weight in braces, found %s", l.found())}
	}
	return &fault{At: l.tok.at, Err: strictly("expected the end of the row after %s, found %s", count(len(r.columns), "value"), l.found())}
}

// readWeight reads a row's weight and the line end. Behind what is no number,
// Weka goes on with a row of weight 1.
func (r *rows) readWeight() *fault {
	l := &r.lex
	w, ok, f := l.weight()
	switch {
	case f != nil:
		return f
	case !ok && l.weka:
		return nil
	case !ok:
		return &fault{At: l.tok.at, Err: strictly("expected a number as weight, found %s", l.found())}
	case math.IsNaN(w):
		w = 1
	}
	r.row.Weight = w
	from := l.at
	if f := l.next(); f != nil {
		return f
	}
	if l.tok.kind != endOfLine {
		return l.expected("the end of the line after the weight")
	}
	return r.separated(from, 1)
}

// weight reads what follows an opening brace: a number and the closing brace. ok
// is false where tok is no number; to Weka, NaN is one.
func (l *lexer) weight() (w float64, ok bool, f *fault) {
	if f := l.next(); f != nil {
		return 0, false, f
	}
	if l.tok.kind != word && l.tok.kind != quoted {
		return 0, false, l.expected("a weight")
	}
	b, f := l.text()
	if f != nil {
		return 0, false, f
	}
	w, ok = number(b)
	if !ok || math.IsNaN(w) && !l.weka {
		return 0, false, nil
	}
	if f = l.next(); f == nil && l.tok.kind != closing {
		f = l.expected("a closing brace after the weight")
	}
	return w, true, f
}
