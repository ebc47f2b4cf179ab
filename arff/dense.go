package arff

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// readDense reads a value for every column. Plain words, and what usually is
// between them, are read here; next sees to everything else.
func (r *rows) readDense() *fault {
	l := &r.lex
	if l.weka && len(r.columns) == 0 {
		return l.next() // and nothing is made of it
	}
	for i := 0; i < len(r.columns); i++ {
		if i = r.decimals(i); i == len(r.columns) {
			break
		}
		at, from := l.at, l.at
		line := l.line
		for at < len(line) && line[at] == ' ' {
			at++
		}
		if i > 0 && at < len(line) && line[at] == ',' {
			at++
			for at < len(line) && line[at] == ' ' {
				at++
			}
		}
		if (at > from || i == 0) && at < len(line) {
			if v, n := r.plain(i, line[at:]); n > 0 {
				r.dense[i] = v
				l.at = at + n
				continue
			}
		}
		if f := l.next(); f != nil {
			return f
		}
		if f := r.separated(from, min(i, 1)); f != nil {
			return f
		}
		c := &r.columns[i]
		switch k := l.tok.kind; {
		case k == endOfLine:
			return &fault{At: l.tok.at, Err: fmt.Errorf("expected a value of attribute %s, found the end of the line: %s of %d",
				clip(c.name), count(i, "value"), len(r.columns))}
		case i == 0 && k == word && !l.weka && l.is(keywordAttribute):
			return &fault{At: l.tok.at, Err: strictly("expected a row, found %s: attributes stand before %s", l.found(), keywordData)}
		}
		v, f := r.readValue(c)
		if f != nil {
			return f
		}
		r.dense[i] = v
	}
	return nil
}

// decimals reads the values from column i on that are decimals with a comma in front, in columns of
// numbers, and returns the column behind them.
func (r *rows) decimals(i int) int {
	line, at := r.lex.line, r.lex.at
	for i > 0 && i < len(r.numeric) && r.numeric[i] && at < len(line) && line[at] == ',' {
		v, n := textscan.Decimal(line[at+1:])
		if n == 0 || classOf[line[at+1+n]] != blank {
			break
		}
		r.dense[i] = v
		at += 1 + n
		i++
	}
	r.lex.at = at
	return i
}

// plain reads the value of column i at the start of b if that is a word and the
// column is one of numbers or labels, and returns the bytes used, else 0.
func (r *rows) plain(i int, b []byte) (v float64, n int) {
	if r.numeric[i] {
		return plainNumber(b)
	}
	c := &r.columns[i]
	if c.kind != format.Nominal || r.lex.latin1 {
		return 0, 0
	}
	n = wordLength(b)
	if n == 0 || n < len(b) && classOf[b[n]] == quote || n == 1 && b[0] == '?' {
		return 0, 0
	}
	if k, ok := c.labels.Find(b[:n]); ok {
		return float64(k), n
	}
	return 0, 0
}

// separated returns the fault that between tok and what ends at from there are
// more commas than allowed, or no blank where text is quoted.
func (r *rows) separated(from, allowed int) *fault {
	l := &r.lex
	switch {
	case l.weka:
	case l.commas > allowed:
		return l.emptyCell(from, allowed)
	case l.tok.glued:
		return l.gluedFault()
	}
	return nil
}

func (l *lexer) gluedFault() *fault {
	return &fault{At: l.tok.at, Err: strictly("expected a blank or a comma, found %s: a quote is written \\' or \\\" inside quotes", l.found())}
}

// count says how many there are of a thing.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// are returns count with the verb in front.
func are(n int, thing string) string {
	if n == 1 {
		return "is " + count(n, thing)
	}
	return "are " + count(n, thing)
}
