package main

import (
	"bufio"
	"bytes"
	"io"

	"github.com/slimsvm/slimsvm/format/scale"
)

// inputsMark is the line of a range file behind which stands how declared columns
// became features, as in model files. LIBSVM's svm-scale stops reading there.
const inputsMark = "slimsvm inputs"

// writeFile writes a range file.
func (s *scaling) writeFile(w io.Writer, r *scale.Ranges) error {
	if err := scale.Write(w, r); err != nil || s.table == nil || s.table.encoding == nil {
		return err
	}
	text, err := s.table.encoding.MarshalText()
	if err == nil {
		_, err = io.WriteString(w, inputsMark+"\n"+string(text))
	}
	return err
}

// readRanges reads a range file; inputs is nil if it has none.
func readRanges(r io.Reader) (ranges *scale.Ranges, inputs []byte, err error) {
	before := &beforeMark{r: bufio.NewReader(r), lineStart: true}
	if ranges, err = scale.Read(before); err != nil || !before.found {
		return ranges, nil, err
	}
	inputs, err = io.ReadAll(before.r)
	return ranges, inputs, err
}

// beforeMark is a text up to the line inputsMark, with which it ends.
type beforeMark struct {
	r         *bufio.Reader
	piece     []byte // of a line, yet to be given
	lineStart bool   // the next piece begins a line
	found     bool
	err       error
}

func (b *beforeMark) Read(p []byte) (int, error) {
	if len(b.piece) == 0 && b.err == nil {
		b.next()
	}
	if len(b.piece) == 0 {
		return 0, b.err
	}
	n := copy(p, b.piece)
	b.piece = b.piece[n:]
	return n, nil
}

func (b *beforeMark) next() {
	b.piece, b.err = b.r.ReadSlice('\n')
	line, whole := bytes.CutSuffix(b.piece, []byte{'\n'})
	if b.lineStart && whole && string(bytes.TrimSuffix(line, []byte{'\r'})) == inputsMark {
		b.piece, b.err, b.found = nil, io.EOF, true
		return
	}
	b.lineStart = whole
	if b.err == bufio.ErrBufferFull {
		b.err = nil
	}
}
