package arff

import (
	"bytes"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/format"
)

// A Reader reads a header and then rows. It implements format.Reader. Its memory does not grow with
// the number of rows. Change its fields only before the first call.
type Reader struct {
	// Weka makes the reader accept what Weka accepts, with Weka's result. If it is false, text that
	// Weka may misread is a fault: see the package comment.
	Weka bool

	// Latin1 says that the text is ISO 8859-1 instead of UTF-8.
	Latin1 bool

	// Century is the first of the hundred years to which a two-digit year belongs, in date patterns
	// with y or yy. NewReader sets 1950.
	Century int

	// Workers is how many processors are kept busy with reading rows, up to eight; 0 or 1: only the
	// caller's goroutine reads. Others, a few more than that, read ahead in large inputs, if these
	// have the text ready as regular files do, but not if Weka is set, nor if there are relational
	// columns. They end soon when Read is no longer called. What Read returns does not depend on
	// them.
	Workers int

	src        *lines
	declare    *declarations // until the header is read
	header     *format.Header
	rows       *rows
	begun      bool    // the lexer is in a line
	begin      int     // where the line begins, behind a byte order mark
	reread     int     // number of a line that is read again although it had a fault
	row        int     // the line of the last row
	blocks     *blocks // that goroutines read ahead; nil: none do
	sequential bool    // the columns are not for goroutines
	idle       *blocks // that are to be used again, with their memory
	blockBytes int     // of such blocks

	err     error
	isFault bool // err is a fault in the text: Skip goes on
}

// firstCentury is the Century of NewReader.
const firstCentury = 1950

// NewReader returns a strict reader of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{Century: firstCentury, src: newLines(r), blockBytes: blockBytes}
}

// Header returns the description of the columns. A fault in the text is a *format.Error with line
// and column; Header and Read return it again until Skip is called.
func (r *Reader) Header() (*format.Header, error) {
	if r.header != nil {
		return r.header, nil
	}
	if r.err != nil {
		return nil, r.err
	}
	if r.declare == nil {
		r.declare = newDeclarations(lexer{weka: r.Weka, latin1: r.Latin1, src: r.src}, r.Century)
	}
	l := &r.declare.lex
	for {
		if !r.begun {
			if err := r.nextLine(l); err != nil {
				if err == io.EOF {
					err = r.truncated()
				}
				r.err = err
				return nil, err
			}
		}
		if r.src.number == 1 && marksWide(l.line) {
			r.declare.recovery = giveUp
			return nil, r.fail(l, &fault{Err: format.WideText(l.line)})
		}
		if l.lineIsOver(true) {
			r.begun = false
			continue
		}
		done, f := r.declare.line()
		if f != nil {
			return nil, r.fail(l, f)
		}
		if done {
			r.finish()
			return r.header, nil
		}
		r.begun = false
	}
}

// nextLine moves to the next line, in the first one behind a byte order mark.
func (r *Reader) nextLine(l *lexer) error {
	err := l.nextLine()
	r.begun = err == nil
	r.begin = 0
	if err == nil && r.src.number == 1 && bytes.HasPrefix(l.line, byteOrderMark) {
		r.begin = len(byteOrderMark)
	}
	l.at = r.begin
	return err
}

// truncated returns the fault that the text ends inside the header.
func (r *Reader) truncated() error {
	want := keywordData
	if d := r.declare; !d.begun {
		want = keywordRelation
	} else if len(d.scopes) > 1 {
		want = fmt.Sprintf("%s %s", keywordEnd, clip(d.scope().name))
	} else if len(d.scope().columns) == 0 {
		want = keywordAttribute
	}
	return &format.Error{Line: r.src.lastLine, Column: r.src.lastColumn,
		Err: fmt.Errorf("expected %s, found the end of the file", want)}
}

// finish ends the header. The rows begin where its lexer stands.
func (r *Reader) finish() {
	d := r.declare
	r.header = &format.Header{Relation: d.relation, Attributes: d.scope().attributes, Class: -1}
	r.rows = newRows(d.scope().columns, d.lex, r.Century)
	r.declare = nil
}

// Line returns the number of the line in which the row that Read returned last begins.
func (r *Reader) Line() int { return r.row }

// Read returns the next row, which is valid until the next call, or io.EOF. It reads the header
// first if that has not been done. It reports faults as Header does.
//
// A dense row lists every column in X, a sparse row those that the file lists.
func (r *Reader) Read() (format.Instance, error) {
	if r.err != nil {
		return format.Instance{}, r.err
	}
	if r.rows == nil {
		if _, err := r.Header(); err != nil {
			return format.Instance{}, err
		}
	}
	if r.row > 0 && r.blocks == nil {
		r.goParallel()
	}
	if r.blocks != nil {
		row, line, ok := r.blocks.next()
		if ok {
			r.row = line
			return row, nil
		}
		r.blocks, r.idle, r.begun = nil, r.blocks, false
	}
	l := &r.rows.lex
	for {
		for !r.begun || l.lineIsOver(r.Weka) {
			if err := r.nextLine(l); err != nil {
				r.err = err
				return format.Instance{}, err
			}
		}
		r.row = r.src.number
		f := r.rows.read()
		if f == nil {
			break
		}
		if r.src.first != r.reread || r.src.broken {
			return format.Instance{}, r.fail(l, f)
		}
		r.begun = false
	}
	if r.src.broken {
		r.err = r.src.err
		return format.Instance{}, r.err
	}
	if r.Weka {
		r.rows.keep()
	}
	return r.rows.row, nil
}

// fail makes a fault the reader's error.
func (r *Reader) fail(l *lexer, f *fault) error {
	if r.src.broken {
		r.err = r.src.err
		return r.err
	}
	// a line of Weka's may be several, joined by backslashes
	line, start := r.src.first, 0
	for i, c := range l.line[:f.At] {
		if c == '\n' || c == '\r' && i+1 < len(l.line) {
			line, start = line+1, i+1
		}
	}
	r.err = &format.Error{Line: line, Column: f.At - start + 1, Err: f.Err}
	r.isFault = true
	return r.err
}

// Skip passes over the line in which Header or Read found a fault, so that the next call continues
// after it. In this way a program can list all faults of a text, one for each line. It returns
// false if there was no fault or if the reader cannot continue after it.
//
// After a fault in an @attribute line, even a misspelt one, the header has in its place an
// attribute of type format.String that accepts any value. Other faulty header lines declare
// nothing. If @data is missing, the header ends at the first line that does not begin with @ and is
// not soon followed by a keyword.
func (r *Reader) Skip() bool {
	if !r.isFault {
		return false
	}
	reread, done := false, false
	if d := r.declare; d != nil {
		if d.recovery == giveUp {
			return false
		}
		if reread, done = d.recover(); reread {
			d.lex.at, d.lex.tok, d.lex.textEnd = r.begin, token{}, -1
			r.reread = r.src.first
		}
		if done {
			r.finish()
		}
	}
	r.begun = reread
	r.err, r.isFault = nil, false
	return true
}

// marksWide reports whether a text begins with a byte order mark of UTF-16 or UTF-32.
func marksWide(b []byte) bool {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} { // the first begins UTF-32's too
		if bytes.HasPrefix(b, []byte(mark)) {
			return true
		}
	}
	return false
}
