package main

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// A lineFeed reads a text line by line.
type lineFeed struct {
	r     *bufio.Reader
	rest  []byte // of the line
	lines int    // begun
	whole bool   // the last line is given to its end
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

// A masking lists the faults of a format whose rows may span lines and whose reader
// needs the whole: the file is read again, without the lines that are known to be faulty,
// until there are no others. Where it is clear in which line a row with a fault ends, the
// reader goes on behind it.
type masking struct {
	*checker
	t      *rereader
	in     *input
	o      datafile.Options
	faulty map[int]bool
	found  []error

	last, weights func() []error // faults of weights, of the last reading and of the last of all lines

	studied bool       // the reading is behind the header: what is wrong are values, by what columns hold
	values  []rowFault // of this reading. They count if it came to the end: rows that it did not see may tell that columns hold something else
}

// rowFault is a fault of a row, and the row's lines.
type rowFault struct {
	fault       error
	first, last int
}

func (k *checker) mask(t *rereader, in *input) error {
	o, err := t.options()
	if err != nil {
		return err
	}
	o.Format = in.Codec.Name
	if r, ok := in.Reader.(*csvfmt.Reader); ok { // fewer lines might look otherwise
		o.CSV.Separator, o.CSV.Quote = r.Found()
		if _, err := r.Header(); err == nil {
			o.CSV.DecimalMark = r.Decimal()
		}
	}
	m := &masking{checker: k, t: t, in: in, o: o, faulty: map[int]bool{}}
	if err := m.find(); err != nil {
		return err
	}
	if m.weights != nil {
		for _, err := range m.weights() {
			m.found = append(m.found, in.at(err))
		}
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
	for !m.enough() {
		before := len(m.found)
		err := m.readWith(m.skip, 1, 0)
		m.weights = m.last
		values := m.values
		m.values = nil
		if err == io.EOF {
			for _, v := range values {
				m.take(v)
			}
		}
		if err == io.EOF && len(m.found) > before {
			continue // without these lines, others may be at fault
		}
		if m.enough() || err == io.EOF || errors.Is(err, csvfmt.ErrEmpty) && len(m.faulty) > 0 {
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
			return nil // it is listed already
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

// enough reports whether more faults are found than are to be listed: one more tells that there
// are more.
func (m *masking) enough() bool { return m.checker.enough(len(m.found) + len(m.values)) }

// skip takes the fault of a row whose end is clear.
func (m *masking) skip(r *csvfmt.Reader, fault error) bool {
	if m.enough() || m.faulty[lineOf(fault)] {
		return m.studied
	}
	f := rowFault{fault: fault}
	f.first, f.last = r.Skipping()
	if m.studied {
		m.values = append(m.values, f)
	} else {
		m.take(f)
	}
	return true
}

// take lists a fault and leaves out its row.
func (m *masking) take(f rowFault) {
	m.found = append(m.found, m.in.at(f.fault))
	for line := f.first; line <= f.last; line++ {
		m.faulty[line] = true
	}
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
	open := m.readWith(before(line), 1, line-1)
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

// before passes over what is wrong before a line, as numbers may be that are none if the rows behind do not count.
func before(line int) func(*csvfmt.Reader, error) bool {
	return func(_ *csvfmt.Reader, fault error) bool { return lineOf(fault) < line && !isOpen(fault) }
}

// isOpen reports whether a fault is a quote that is not closed.
func isOpen(err error) bool { return errors.Is(err, csvfmt.ErrOpen) }

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
		case errors.Is(err, csvfmt.ErrMisplaced):
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
	return !errors.As(m.readWith(before(at.Line), 1, 0), &alone) || alone.Line != at.Line || alone.Column > at.Column
}

// read reads the lines from one to another, 0: the last, and returns the first error or
// io.EOF.
func (m *masking) read(first, last int) error { return m.readWith(nil, first, last) }

// readWith is read with a function that csvfmt.Reader.SkipFault calls; nil: none.
func (m *masking) readWith(skip func(*csvfmt.Reader, error) bool, first, last int) error {
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
		if _, err := strconv.Atoi(o.Weights.Column); err != nil {
			o.Weights.Column = ""
		}
	}
	lines := lineFeed{r: bufio.NewReader(csvfmt.LineFeeds(text, o.CSV.Quote, o.CSV.Backslash))}
	f, err := datafile.OpenStream(m.c.Context, "-", &masked{lineFeed: lines, faulty: m.faulty, first: first, last: last}, o)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Name = m.in.path
	m.in.File, m.studied = f, false
	m.last = m.checker.weights(m.in)
	if r, ok := f.Reader.(*csvfmt.Reader); ok && skip != nil {
		r.SkipFault = func(fault error) bool { return skip(r, fault) }
	}
	_, err = m.in.Header()
	m.studied = err == nil
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
	err    error
}

// Read reads as many lines as there is room for: the reader keeps what it is given, in a file if that is
// much, and would do so line by line.
func (m *masked) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(m.rest) == 0 && m.err == nil {
			m.err = m.line()
			continue
		}
		if len(m.rest) == 0 {
			break
		}
		k := copy(p[n:], m.rest)
		m.rest = m.rest[k:]
		n += k
	}
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, m.err
}

// line goes on to the next line.
func (m *masked) line() error {
	if err := m.next(); err != nil {
		return err
	}
	if m.last > 0 && m.lines > m.last {
		m.rest = nil
		return io.EOF
	}
	if m.lines < m.first || m.faulty[m.lines] {
		if m.rest = nil; m.whole {
			m.rest = []byte{'\n'}
		}
	}
	return nil
}
