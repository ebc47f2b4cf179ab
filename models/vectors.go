package models

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// Problem: a model is a text of millions of numbers, and reading them takes longer than making many
// predictions.
//
// Method: the first lines are read one by one. If there are more, several goroutines read parts of
// a few lines each, which are joined in order.

const (
	// partBytes is large compared with the cost of handing over a part. The part and its numbers
	// are small compared with a processor's cache.
	partBytes = 32 << 10

	// manyParts is the number of parts from which goroutines pay. They take a fraction of a
	// millisecond to start and end.
	manyParts = 32

	// longLine is the average length from which lines are read by one goroutine: filling as much
	// memory again for each part would take longer.
	longLine = 1 << 20
)

// vectorReader reads the lines of vectors, except those of ensembles.
type vectorReader struct {
	lines *textscan.Lines
	model *Model
	width int // number of coefficients in a line
	total int // number of vectors according to the file

	taken int // number of vectors whose coefficients were given to the machines
	room  int // number of vectors for which there is room
	class int // class of the next vector, unless left is 0
	left  int
	all   coefRoom
}

func newVectorReader(lines *textscan.Lines, h *header, m *Model) *vectorReader {
	r := &vectorReader{lines: lines, model: m, width: max(h.classes-1, 1), total: h.total, class: -1}
	if h.extended {
		r.width = len(m.Machines)
	}
	return r
}

// read reads all vectors.
func (r *vectorReader) read(workers, size int) error {
	p, read := r.parser(), 0
	for r.taken < r.total {
		if workers > 1 && read >= size && read < longLine*r.taken && float64(read)/float64(r.taken)*float64(r.total-r.taken) > float64(manyParts*size) {
			return r.parts(workers, size)
		}
		line, err := r.lines.Next()
		if err != nil {
			return r.end(err, r.lines.Number())
		}
		read += len(line) + 1
		var f *textscan.Fault
		if p.coefs, f = p.line(line, p.coefs[:0]); f != nil {
			return f.Locate(r.lines.Number())
		}
		r.reserve(1)
		r.model.Vectors.Append(p.v)
		r.take(p.coefs)
	}
	return nil
}

// end returns the fault of a text that ends after this line, with err, before all vectors were
// read.
func (r *vectorReader) end(err error, line int) error {
	return endOf(err, line, fmt.Sprintf("support vector %d of %d", r.taken+1, r.total))
}

// reserve makes room for n vectors, and for some more that are expected.
func (r *vectorReader) reserve(n int) {
	if r.taken+n > r.room {
		more := max(n, believed(r.taken, r.total))
		r.model.Vectors.Reserve(more)
		r.room = r.taken + more
	}
}

// take gives the coefficients of the next vector to the machines of its class. Vectors are in the
// order of classes, so each machine gets the coefficients of its first class before those of its
// second.
func (r *vectorReader) take(coefs []float64) {
	m := r.model
	for r.left == 0 && m.Group != nil {
		r.class++
		r.left = m.Group[r.class]
	}
	r.left--
	r.taken++
	if m.Group == nil {
		for i, coef := range coefs {
			r.all.take(&m.Machines[i], coef, r.taken, r.total)
		}
		return
	}
	for column, coef := range coefs {
		i, j := r.class, column+1
		if column < r.class {
			i, j = column, r.class
		}
		r.all.take(&m.Machines[PairIndex(i, j, len(m.Labels))], coef, r.taken, m.Group[i]+m.Group[j])
	}
}

// A part is some lines and the results of reading them.
type part struct {
	text  []byte
	lines int
	first int // line number of the first line

	rows  *vec.Matrix
	coefs []float64       // coefficients of all rows
	fault *textscan.Fault // the fault of the line after the rows, or nil
}

// parts is read for the remaining vectors, in parts.
func (r *vectorReader) parts(workers, size int) error {
	pipeline := textscan.NewPipeline(workers, func() (func(*part), func()) { return r.parser().part, func() {} })
	defer pipeline.End()
	vectors := &r.model.Vectors
	text, number := r.lines.Blocks(), r.lines.Number()
	var free []*part
	var unread []byte // what is unread of the last part's text
	var ended error   // why the text ended
	for given := r.taken; r.taken < r.total; {
		for ended == nil && given < r.total && !pipeline.Full() {
			var b *part
			if n := len(free); n > 0 {
				b, free = free[n-1], free[:n-1]
			} else {
				b = &part{rows: vectors.Part()}
			}
			if b.text, ended = text.Next(b.text, size); ended != nil {
				break
			}
			unread = b.cut(r.total - given)
			b.first = number + 1
			given, number = given+b.lines, number+b.lines
			pipeline.Submit(b, len(b.text))
			pipeline.AddWorker()
		}
		if pipeline.Pending() == 0 {
			return r.end(textscan.AtLine(ended, number+1), number)
		}
		b := pipeline.Next()
		rows := b.rows.Len()
		r.reserve(rows)
		vectors.Join(b.rows)
		for i := range rows {
			r.take(b.coefs[i*r.width:][:r.width])
		}
		if b.fault != nil {
			return b.fault.Locate(b.first + rows)
		}
		free = append(free, b)
	}
	r.lines = text.Lines(unread, number)
	return nil
}

// cut counts the lines of the part. If there are more than most, it returns the text after the
// first most lines.
func (b *part) cut(most int) (unread []byte) {
	b.lines = bytes.Count(b.text, lineFeed)
	if !bytes.HasSuffix(b.text, lineFeed) {
		b.lines++
	}
	if b.lines <= most {
		return nil
	}
	b.lines = most
	unread = b.text
	for range most {
		unread = unread[bytes.IndexByte(unread, '\n')+1:]
	}
	return unread
}

var lineFeed = []byte{'\n'}

// lineParser reads lines in one goroutine.
type lineParser struct {
	kernel kernel.Kernel
	width  int
	v      vec.Vector
	coefs  []float64
}

func (r *vectorReader) parser() *lineParser {
	return &lineParser{kernel: r.model.Kernel, width: r.width}
}

// line reads a line, and appends its coefficients to coefs.
func (p *lineParser) line(line []byte, coefs []float64) ([]float64, *textscan.Fault) {
	n := len(coefs)
	coefs = slices.Grow(coefs, p.width)[:n+p.width]
	f := parseVector(line, coefs[n:], &p.v)
	if f == nil {
		f = checkVector(p.kernel, &p.v)
	}
	return coefs, f
}

// part reads the lines of a part up to the first fault.
func (p *lineParser) part(b *part) {
	b.coefs, b.fault = b.coefs[:0], nil
	rest := b.text
	for range b.lines {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		}
		if b.coefs, b.fault = p.line(line, b.coefs); b.fault != nil {
			return
		}
		b.rows.Append(p.v)
	}
}

// parseVector reads one line: one coefficient for each element of coefs, then the features.
func parseVector(line []byte, coefs []float64, v *vec.Vector) *textscan.Fault {
	at := 0
	for c := range coefs {
		// with many classes, most coefficients are 0, -0 or a cost of one digit
		if x, n := shortWord(line[at:]); n > 0 {
			coefs[c] = x
			at += n
			continue
		}
		at = textscan.WordStart(line, at)
		x, n, _ := textscan.Float(line[at:])
		end := at + n
		switch {
		case !textscan.HasWord(line, at):
			return &textscan.Fault{At: at, Err: fmt.Errorf("expected coefficient %d of %d, found a word of nothing but %q", c+1, len(coefs), line[at:at+1])}
		case n == 0, !textscan.WordEnds(line, end):
			return &textscan.Fault{At: at, Err: fmt.Errorf("expected coefficient %d of %d, found %s", c+1, len(coefs), textscan.QuoteWord(line[at:]))}
		case !finite(x):
			return &textscan.Fault{At: at, Err: fmt.Errorf("coefficient %s is not finite", textscan.QuoteWord(line[at:]))}
		}
		coefs[c] = x
		at = end
	}
	var f *textscan.Fault
	v.Index, v.Value, f = textscan.Pairs(line, at, true, v.Index[:0], v.Value[:0])
	return f
}

// shortWord reads a blank and a number of one digit, with or without a minus, which another blank
// follows. It returns the number and how many bytes are before the other blank, 0 if the line does
// not begin like that.
func shortWord(line []byte) (x float64, n int) {
	if len(line) < 4 || line[0] != ' ' {
		return 0, 0
	}
	first, second, third := line[1], line[2], line[3]
	switch {
	case second == ' ' && first-'0' <= 9:
		return float64(first - '0'), 2
	case first == '-' && third == ' ' && second-'0' <= 9:
		return -float64(second - '0'), 3
	}
	return 0, 0
}

// checkVector cuts a vector of a precomputed kernel down to its serial number, and that to the integer
// that LIBSVM takes it for.
func checkVector(k kernel.Kernel, v *vec.Vector) *textscan.Fault {
	if k != (kernel.Precomputed{}) {
		return nil
	}
	serial, err := kernel.Serial(*v)
	if err != nil {
		return &textscan.Fault{Err: err}
	}
	v.Index, v.Value = v.Index[:1], append(v.Value[:0], float64(serial))
	return nil
}

// coefRoom counts the coefficients that were read for all machines, and those for which there is
// room.
type coefRoom struct{ read, room int }

// take appends a coefficient to a machine's. claimed is the number that the file claims. The claim
// is believed as far as the number of vectors read supports it, because each has coefficients for
// many machines, as long as the total room is at most eight times what was read.
func (r *coefRoom) take(c *Machine, coef float64, vectors, claimed int) {
	r.read++
	if n := len(c.Coef); n == cap(c.Coef) {
		more := believed(vectors, claimed+vectors-n)
		if r.room+more > 8*r.read {
			more = believed(n, claimed)
		}
		c.Coef = slices.Grow(c.Coef, more)
		r.room += cap(c.Coef) - n
	}
	c.Coef = append(c.Coef, coef)
}

// believed returns for how many more things to make room, when n have been read and the file claims
// a total of claimed. The claim is believed up to eight times what was read.
func believed(n, claimed int) int { return max(1, min(max(7*n, 16), claimed-n)) }
