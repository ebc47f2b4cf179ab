package main

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// resume goes on behind a line in a format whose lines are rows: a new reader begins behind each
// fault.
func (k *checker) resume(t *twice, in *input, line int) error {
	text, err := t.content(in)
	if err != nil {
		return err
	}
	defer text.Close()
	feed := &lineFeed{r: bufio.NewReaderSize(text, 64<<10)}
	for range line {
		if err := feed.skip(); err != nil {
			return ended(err)
		}
	}
	for {
		begin := feed.lines
		r := in.Codec.NewReader(feed)
		if s, ok := r.(*libsvmfmt.SVMLightReader); ok {
			s.DropQueries = k.c.Bool("drop-queries")
		}
		in.Reader = r
		err := readAll(in)
		if err == io.EOF {
			return nil
		}
		if ctx := k.c.Context.Err(); ctx != nil {
			return ctx
		}
		at := (*format.Error)(nil)
		if !errors.As(err, &at) || at.Line == 0 {
			return k.report(in.at(err))
		}
		at.Line += begin
		if err := k.report(in.at(err)); err != nil {
			return err
		}
	}
}

// ended returns nil for the end of a file.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// A lineFeed gives at most one line with each Read.
type lineFeed struct {
	r     *bufio.Reader
	rest  []byte // of the line
	lines int    // begun
	whole bool   // the last line is given to its end
}

func (f *lineFeed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// next reads a line, or as much of it as the buffer holds.
func (f *lineFeed) next() error {
	line, err := f.r.ReadSlice('\n')
	if len(line) == 0 {
		return err
	}
	if f.lines == 0 || f.whole {
		f.lines++
	}
	f.whole = line[len(line)-1] == '\n'
	f.rest = line
	return nil
}

// skip passes over a line.
func (f *lineFeed) skip() error {
	for f.rest = nil; ; {
		if err := f.next(); err != nil {
			return err
		}
		if f.rest = nil; f.whole {
			return nil
		}
	}
}

// A masking lists the faults of a format whose rows may span lines and whose reader
// needs the whole: the file is read again and again, without the lines that are
// known to be faulty.
type masking struct {
	*checker
	t      *twice
	in     *input
	o      datafile.Options
	faulty map[int]bool
	found  []error
}

func (k *checker) mask(t *twice, in *input) error {
	o, err := t.options()
	if err != nil {
		return err
	}
	o.Format = in.Codec.Name
	if r, ok := in.Reader.(*csvfmt.Reader); ok { // fewer lines might look otherwise
		o.CSV.Separator, o.CSV.Quote = r.Found()
	}
	m := &masking{checker: k, t: t, in: in, o: o, faulty: map[int]bool{}}
	if err := m.find(); err != nil {
		return err
	}
	slices.SortStableFunc(m.found, func(a, b error) int { return lineOf(a) - lineOf(b) })
	for _, err := range m.found {
		if err := k.report(err); err != nil {
			return err
		}
	}
	return nil
}

// find finds faults until there is none, or there are enough.
func (m *masking) find() error {
	for most := m.c.Int("max"); most == 0 || len(m.found) <= most; { // one more tells that there are more
		err := m.read(1, 0)
		if err == io.EOF || errors.Is(err, csvfmt.ErrEmpty) && len(m.faulty) > 0 {
			return nil
		}
		if ctx := m.c.Context.Err(); ctx != nil {
			return ctx
		}
		line := lineOf(err)
		open := m.openBefore(line)
		begin := m.begin(line, open)
		if open != nil && m.causes(begin, err) {
			err, line = open, lineOf(open)
			m.forget(line) // what was inside the quotes is something else now
		}
		if m.faulty[line] {
			return nil // it is told already
		}
		m.found = append(m.found, m.in.at(err))
		if line == 0 {
			return nil
		}
		for last := m.end(begin, line, err); begin <= last; begin++ {
			m.faulty[begin] = true
		}
	}
	return nil
}

// forget drops the faults behind a line.
func (m *masking) forget(line int) {
	m.found = slices.DeleteFunc(m.found, func(err error) bool { return lineOf(err) > line })
	maps.DeleteFunc(m.faulty, func(k int, _ bool) bool { return k > line })
}

// openBefore returns the fault of a quote that opens before a line and is not closed
// before it, as far as is known, or nil.
func (m *masking) openBefore(line int) error {
	if line < 2 {
		return nil
	}
	open := m.read(1, line-1)
	if at := lineOf(open); at == 0 || m.faulty[at] || !isOpen(open) {
		return nil
	}
	return open
}

// begin returns the first line of the row that has a line in it; open is openBefore of
// that.
func (m *masking) begin(line int, open error) int {
	for ; open != nil; open = m.openBefore(line) {
		line = lineOf(open)
	}
	return line
}

// isOpen reports whether a fault is a quote that is not closed.
func isOpen(err error) bool { return strings.Contains(err.Error(), "is not closed") }

// isMisplaced reports whether a fault is a quote that neither begins nor ends a cell.
func isMisplaced(err error) bool {
	return strings.Contains(err.Error(), "behind the closing quote") || strings.Contains(err.Error(), "expected quotes around")
}

// mostBehind is how many lines behind a fault its row may go on.
const mostBehind = 100

// end returns the last line of the row that begins with one line and has a fault in
// another: it goes on to where its quotes are closed.
func (m *masking) end(begin, line int, fault error) int {
	if isOpen(fault) {
		return line
	}
	for last := line; last < line+mostBehind; last++ {
		switch err := m.read(begin, last); {
		case isOpen(err):
		case isMisplaced(err):
			return line
		default: // whole, whatever its cells are
			return last
		}
	}
	return line
}

// causes reports whether a quote that is open before the line of a fault is why there is
// one, given the line with which their row begins. It is not if the line alone has a
// fault before that place: where it closes the quote, no cell begins. Bytes that no text
// has are a fault inside quotes as outside.
func (m *masking) causes(begin int, fault error) bool {
	at, alone := (*format.Error)(nil), (*format.Error)(nil)
	if !errors.As(fault, &at) || errors.Is(fault, csvfmt.ErrEncoding) {
		return false
	}
	masked := m.faulty
	defer func() { m.faulty = masked }()
	m.faulty = maps.Clone(masked)
	for ; begin < at.Line; begin++ {
		m.faulty[begin] = true
	}
	return !errors.As(m.read(1, 0), &alone) || alone.Line != at.Line || alone.Column > at.Column
}

// read reads the lines from one to another, 0: the last, and returns the first error or
// io.EOF.
func (m *masking) read(first, last int) error {
	text, err := m.t.content(m.in)
	if err != nil {
		return err
	}
	defer text.Close()
	o := m.o
	if first > 1 || m.faulty[1] { // where the names stood
		if o.CSV.FirstLine == csvfmt.FirstLineDetected {
			o.CSV.FirstLine = csvfmt.FirstLineRow
		}
		o.Class = ""
		o.CSV.Nominal = slices.DeleteFunc(slices.Clone(o.CSV.Nominal), func(column string) bool {
			_, err := strconv.Atoi(column)
			return err != nil
		})
	}
	lines := lineFeed{r: bufio.NewReader(csvfmt.LineFeeds(text, o.CSV.Quote))}
	f, err := datafile.OpenStream("-", &masked{lineFeed: lines, faulty: m.faulty, first: first, last: last}, o)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Name = m.in.path
	m.in.File = f
	return readAll(m.in)
}

// lineOf returns the line of a fault, 0 for none.
func lineOf(err error) int {
	if at := (*format.Error)(nil); errors.As(err, &at) {
		return at.Line
	}
	return 0
}

// masked is a text in which some lines are empty.
type masked struct {
	lineFeed
	faulty map[int]bool
	first  int // line that is not empty
	last   int // where the text ends; 0: at its end
}

func (m *masked) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if err := m.next(); err != nil {
			return 0, err
		}
		if m.last > 0 && m.lines > m.last {
			m.rest = nil
			return 0, io.EOF
		}
		if m.lines < m.first || m.faulty[m.lines] {
			if m.rest = nil; m.whole {
				m.rest = []byte{'\n'}
			}
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}
