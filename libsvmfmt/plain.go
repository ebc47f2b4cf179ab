package libsvmfmt

import (
	"bytes"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// plainRows are some rows of a text, as far as they are plain, or the pairs of a line that is not.
type plainRows struct {
	textscan.PlainRows

	odd int // lines that will be read one by one before plain rows are tried
	gap int // how many they were last time
}

const (
	// plainBytes are read at a time: they and their numbers stay in the first cache, and hardly
	// take memory.
	plainBytes = 8 << 10

	// roomForPairs and roomForRows are enough for most texts of that size, with the room that
	// AppendSome wants beyond.
	roomForPairs, roomForRows = plainBytes/4 + 256, plainBytes/32 + 512

	mostOdd   = 1 << 7 // lines that are read one by one before plain rows are tried, at most
	manyPlain = 8      // rows that it takes to forget an odd one
)

// row returns a row's label and vector.
func row(p *textscan.PlainRows, i int) (y float64, x vec.Vector) {
	y, x.Index, x.Value = p.Row(i)
	return y, x
}

// due reports whether rows are to be tried, rather than a line. It is asked before each.
func (p *plainRows) due() bool {
	p.odd--
	return p.odd < 0
}

// read makes p the rows of a text from the line at text[at] on, before which there is another line,
// as far as they are plain and not too many. It returns where the line behind them begins.
func (p *plainRows) read(text []byte, at int) (end int) {
	p.reset()
	at = p.AppendSome(plainBytes, text, at)
	p.learn()
	return at
}

// readLines is read for lines that l has ready.
func (p *plainRows) readLines(l *textscan.Lines) {
	p.reset()
	l.AppendPlainRows(&p.PlainRows, plainBytes)
	p.learn()
}

// reset leaves no rows.
func (p *plainRows) reset() {
	if p.Starts == nil {
		p.Labels, p.Starts = make([]float64, 0, roomForRows), make([]int32, 0, roomForRows+1)
		p.Index, p.Value = slices.Grow(p.Index, roomForPairs), slices.Grow(p.Value, roomForPairs)
	}
	p.Reset()
}

// learn decides how many lines are read one by one before plain rows are tried.
func (p *plainRows) learn() {
	if p.gap = min(2*p.gap+1, mostOdd); p.Len() >= manyPlain {
		p.gap = 0
	}
	p.odd = p.gap
}

// line reads a line from offset at, in the memory of the rows.
func (p *plainRows) line(line []byte, at int) (y float64, f *textscan.Fault) {
	y, p.Index, p.Value, f = parseLine(line, at, p.Index[:0], p.Value[:0])
	return y, f
}

// walk reads the lines of a text, up to the first with a fault. What p has read of them is some rows
// when it calls many, and the pairs of one when it calls one. first says that no text is before it.
func (p *plainRows) walk(text []byte, first bool, many func(), one func(y float64)) *textscan.Fault {
	for at := 0; at < len(text); {
		if at > 0 && p.due() {
			if at = p.read(text, at); p.Len() > 0 {
				many()
				continue
			}
		}
		line, skip := text[at:], 0
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		if at == 0 && first && bytes.HasPrefix(line, byteOrderMark) {
			skip = len(byteOrderMark)
		}
		y, fault := p.line(line, skip)
		if fault != nil {
			return fault
		}
		one(y)
		at += len(line) + 1
	}
	return nil
}

// drop gives the memory back to the system.
func (p *plainRows) drop() {
	pages.Drop(p.Labels[:cap(p.Labels)])
	pages.Drop(p.Starts[:cap(p.Starts)])
	pages.Drop(p.Index[:cap(p.Index)])
	pages.Drop(p.Value[:cap(p.Value)])
}
