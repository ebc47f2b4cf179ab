package arff

import "math"

// readEnd reads what follows the values: perhaps a weight, then the line end.
func (r *rows) readEnd() *fault {
	l := &r.lex
	from := l.at
	if f := l.next(); f != nil {
		return f
	}
	switch {
	case l.tok.kind == opening || l.weka:
	case l.tok.kind == endOfLine:
		return r.separated(from, 1)
	case r.row.Sparse:
		return &fault{At: l.tok.at, Err: strictly("expected the end of the row or a weight in braces, found %s", l.found())}
	default:
		if f := r.separated(from, 1); f != nil {
			return f
		}
		return &fault{At: l.tok.at, Err: strictly("expected the end of the row after %s, found %s", count(len(r.columns), "value"), l.found())}
	}
	if l.tok.kind != opening {
		return nil // Weka takes any token for the end
	}
	if f := r.separated(from, 1); f != nil {
		return f
	}
	w, f := l.weight()
	if f != nil {
		return f
	}
	if math.IsNaN(w) {
		w = 1
	}
	r.row.Weight = w
	from = l.at
	if f := l.next(); f != nil {
		return f
	}
	if l.tok.kind != endOfLine {
		return l.expected("the end of the line after the weight")
	}
	return r.separated(from, 1)
}

// weight reads what follows an opening brace: a number and the closing brace.
// Not a number is a number to Weka.
func (l *lexer) weight() (w float64, f *fault) {
	if f = l.next(); f != nil {
		return 0, f
	}
	if l.tok.kind != word && l.tok.kind != quoted {
		return 0, l.expected("a weight")
	}
	b, f := l.text()
	if f != nil {
		return 0, f
	}
	w, ok := number(b)
	if !ok {
		return 0, l.expected("a number as weight")
	}
	if math.IsNaN(w) && !l.weka {
		return 0, &fault{At: l.tok.at, Err: strictly("expected a number as weight, found %s", l.found())}
	}
	if f = l.next(); f == nil && l.tok.kind != closing {
		f = l.expected("a closing brace after the weight")
	}
	return w, f
}
