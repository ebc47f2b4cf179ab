package main

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// warnComments warns of comments in a file of data that is to be replaced by what becomes of it: readers
// pass over them, and nothing else has them.
func (w *warner) warnComments(c *cli.Context, in *input, from, to string) error {
	same := sameFile(from, to) || from == "-" && sameContent(regular(w.stdin), to)
	if w.quiet || format.IsStream(to) || !same {
		return nil
	}
	f, err := format.Open(to)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := firstComment(c.Context, f, in.Codec)
	if err == nil && line > 0 {
		w.warn("%s:%d: comments are not kept where the data take the place of the file", in.path, line)
	}
	return err
}

// firstComment returns the line of the first comment of a text in a format, 0 if there is none. What is no
// text of the format is for its reader to tell.
func firstComment(ctx context.Context, text io.Reader, codec format.Codec) (line int, err error) {
	var mark, quote byte
	switch codec.Name {
	case arff.Codec.Name:
		mark = '%'
	case libsvmfmt.Codec.Name, libsvmfmt.SVMLight.Name:
		mark = '#'
	default:
		return 0, nil
	}
	r := bufio.NewReaderSize(text, 1<<16)
	line = 1
	for begins := true; ; {
		if begins { // most lines have no mark
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			line += skipLines(r, mark)
			begins = false
		}
		b, err := r.ReadByte()
		if b == '\r' && mark == '%' { // which ends a line of ARFF, alone too
			if next, _ := r.Peek(1); string(next) != "\n" {
				b = '\n'
			}
		}
		switch {
		case err == io.EOF:
			return 0, nil
		case err != nil:
			return 0, err
		case b == '\n':
			line, quote, begins = line+1, 0, true
		case quote != 0 && b == '\\':
			if next, _ := r.Peek(1); string(next) != "\n" && string(next) != "\r" {
				r.Discard(1)
			}
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == mark:
			return line, nil
		case mark == '%' && (b == '"' || b == '\''):
			quote = b
		}
	}
}

// skipLines passes over the next lines without the mark, as far as they are in memory, and returns how
// many there are. A carriage return alone counts as the end of one if % is the mark, as in ARFF.
func skipLines(r *bufio.Reader, mark byte) (lines int) {
	r.Peek(1) // fills the memory if it is empty; an error is found by the next read
	text, _ := r.Peek(r.Buffered())
	if i := bytes.IndexByte(text, mark); i >= 0 {
		text = text[:i]
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	lines = bytes.Count(text, []byte{'\n'})
	if mark == '%' {
		lines += bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
	}
	r.Discard(len(text))
	return lines
}
