package arff

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A fault is what is wrong in a line, or in the text of a relation, and where.
type fault = textscan.Fault

// Classes of bytes. All bytes of characters above 0x7f are word bytes.
const (
	wordByte = iota
	blank
	quote
	brace
	percent
)

var classOf = func() (t [256]byte) {
	for c := range ' ' + 1 {
		t[c] = blank
	}
	t[','] = blank
	t['\''], t['"'] = quote, quote
	t['{'], t['}'] = brace, brace
	t['%'] = percent
	return t
}()

// A kind of token.
type kind byte

const (
	endOfLine kind = iota // or a comment
	word
	quoted
	opening // brace
	closing
)

type token struct {
	kind    kind
	at, end int  // line[at:end], with the quotes
	escapes bool // there is a backslash in the quotes
	open    bool // the closing quote is missing
	glued   bool // text without a blank between it and the text before, and one of them quoted
}

// A lexer takes lines apart into tokens.
type lexer struct {
	weka   bool
	latin1 bool
	src    *lines

	line    []byte
	at      int   // what is not yet read
	tok     token // the last one
	commas  int   // before tok
	textEnd int   // where the last word or quoted token ended; -1: none in this line
	buf     []byte
}

// nextLine moves to the beginning of the next line.
func (l *lexer) nextLine() error {
	line, err := l.src.line()
	l.line, l.at = line, 0
	l.tok, l.textEnd = token{}, -1
	return err
}

// lineIsOver reports whether nothing follows in the line but blanks, or commas
// where they count as such, and a comment.
func (l *lexer) lineIsOver(commas bool) bool {
	for l.at < len(l.line) {
		switch c := l.line[l.at]; {
		case classOf[c] == percent:
			return true
		case classOf[c] != blank || c == ',' && !commas:
			return false
		}
		l.at++
	}
	return true
}

// next reads a token into tok.
func (l *lexer) next() *fault {
	before := l.tok.kind
	l.commas = 0
	at := l.at
	for ; at < len(l.line) && classOf[l.line[at]] == blank; at++ {
		if l.line[at] == ',' {
			l.commas++
		}
	}
	t := token{at: at, end: at}
	if at < len(l.line) {
		switch c := l.line[at]; classOf[c] {
		case wordByte:
			t.kind, t.end = word, at+wordLength(l.line[at:])
			t.glued = before == quoted && at == l.textEnd
			l.textEnd = t.end
		case quote:
			t.kind, t.glued = quoted, at == l.textEnd
			l.quotedText(&t, c)
			l.textEnd = t.end
		case brace:
			t.kind, t.end = opening, at+1
			if c == '}' {
				t.kind = closing
			}
		}
	}
	l.tok, l.at = t, t.end
	if t.open && !l.weka {
		if t.glued {
			return &fault{At: t.at, Err: strictly("expected a closing quote in this line behind %s: a quote is written \\' or \\\" inside quotes", clip(l.line[t.at:t.end]))}
		}
		return &fault{At: t.at, Err: strictly("expected a closing quote in this line behind %s", clip(l.line[t.at:t.end]))}
	}
	return nil
}

// wordLength returns the length of the word at the start of b.
func wordLength(b []byte) int {
	for i, c := range b {
		if classOf[c] != wordByte {
			return i
		}
	}
	return len(b)
}

// quotedText completes a token that begins with a quote.
func (l *lexer) quotedText(t *token, quote byte) {
	i := t.at + 1
	for {
		switch {
		case i == len(l.line):
			t.open, t.end = true, i
			return
		case l.line[i] == quote:
			t.end = i + 1
			return
		case l.line[i] == '\\':
			t.escapes = true
			if i++; i == len(l.line) && (!l.weka || !l.extend()) {
				t.open, t.end = true, i
				return
			}
		}
		i++
	}
}

// extend adds the end of the line and what follows it to the line.
func (l *lexer) extend() (ok bool) {
	l.line, ok = l.src.extend()
	return ok
}

// raw returns what tok is in the line, without quotes.
func (l *lexer) raw() (b []byte, at int) {
	t := l.tok
	b, at = l.line[t.at:t.end], t.at
	if t.kind == quoted {
		b, at = b[1:], at+1
		if !t.open {
			b = b[:len(b)-1]
		}
	}
	return b, at
}

// text returns the text that tok stands for. It is valid until the next call.
func (l *lexer) text() ([]byte, *fault) {
	b, at := l.raw()
	good := l.latin1 && isASCII(b) || !l.latin1 && utf8.Valid(b)
	if !good && !l.latin1 && !l.weka {
		k := invalidUTF8(b)
		return nil, &fault{At: at + k, Err: strictly("text is not UTF-8: %s", clip(b[k:min(len(b), k+4)]))}
	}
	if good && !l.tok.escapes {
		return b, nil
	}
	l.buf = l.expand(slices.Grow(l.buf[:0], len(b)), b, len(b))
	return l.buf, nil
}

// is reports whether tok is the given keyword, which is ASCII.
func (l *lexer) is(keyword string) bool {
	if l.tok.kind != word && l.tok.kind != quoted {
		return false
	}
	b, f := l.text()
	return f == nil && bytes.EqualFold(b, []byte(keyword))
}

// isMissing reports whether tok is a bare question mark.
func (l *lexer) isMissing() bool {
	return l.tok.kind == word && l.tok.end == l.tok.at+1 && l.line[l.tok.at] == '?'
}

// found names tok for an error message.
func (l *lexer) found() string {
	if l.tok.kind == endOfLine {
		return "the end of the line"
	}
	return clip(l.line[l.tok.at:l.tok.end])
}

// expected returns the fault that there is something else than what.
func (l *lexer) expected(what string) *fault {
	return &fault{At: l.tok.at, Err: fmt.Errorf("expected %s, found %s", what, l.found())}
}

// emptyCell returns the fault that more commas than allowed stand between from,
// where the last token ended, and tok.
func (l *lexer) emptyCell(from, allowed int) *fault {
	at := from
	for n := 0; ; at++ {
		if l.line[at] == ',' {
			if n == allowed {
				break
			}
			n++
		}
	}
	return &fault{At: at, Err: strictly("expected a value, found a comma; a missing value is a ?")}
}
