// Package rangefile reads and writes the range files of the commands: those of
// svm-scale, and behind the ranges, where LIBSVM reads no further, what is known of
// the declared columns that were measured. One of two sections may stand there:
//
//	"columns" LF { number quoted-name LF }    features are columns, numbered from 1
//	"slimsvm inputs" LF encoding              features are those of the encoding
//
// The first is of slimsvm scale, which leaves columns what they are, the second of
// svm-scale, which makes features of them, with the text of encode.Encoding.
package rangefile

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
)

// The lines that begin a section.
const (
	columnsMark = "columns"
	inputsMark  = "slimsvm inputs"
)

// A Column is the name of a feature that is a numeric column.
type Column struct {
	Feature int32
	Name    string
}

// A File is what a range file says. At most one of Columns and Inputs is not nil.
type File struct {
	Ranges  *scale.Ranges
	Columns []Column
	Inputs  []byte // the text of an encoding
	line    int    // of its first line; 0: it was not read
}

// byteOrderMark is what editors put before a text in UTF-8.
const byteOrderMark = "\xef\xbb\xbf"

// Read reads a range file, behind a byte order mark if there is one. A fault is a *format.Error or one of
// package scale.
func Read(r io.Reader) (*File, error) {
	before := &beforeMark{r: bufio.NewReader(r), lineStart: true}
	if head, _ := before.r.Peek(len(byteOrderMark)); string(head) == byteOrderMark { // an error is that of reading on
		before.r.Discard(len(head))
	}
	f := new(File)
	var err error
	if f.Ranges, err = scale.Read(before); err != nil {
		return nil, err
	}
	switch before.found {
	case columnsMark:
		f.Columns, err = readColumns(before.r, before.lines)
	case inputsMark:
		f.line = before.lines + 1
		f.Inputs, err = io.ReadAll(before.r)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readColumns reads the columns behind a number of lines.
func readColumns(r *bufio.Reader, lines int) ([]Column, error) {
	columns := []Column{}
	for {
		row, err := r.ReadString('\n')
		if err == io.EOF && row == "" {
			return columns, nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		lines++
		c, ok := parseColumn(row)
		if !ok {
			row = trimEnd(row)
			return nil, &format.Error{Line: lines, Err: fmt.Errorf("expected a column's number and its name in quotes, found %q", row)}
		}
		columns = append(columns, c)
	}
}

// parseColumn reads a line of the columns.
func parseColumn(row string) (Column, bool) {
	row = trimEnd(row)
	for i := range len(row) {
		if row[i] != ' ' {
			continue
		}
		feature, err := strconv.ParseInt(row[:i], 10, 32)
		name, err2 := strconv.Unquote(row[i+1:])
		return Column{int32(feature), name}, err == nil && err2 == nil && feature >= 1
	}
	return Column{}, false
}

// Write writes a range file.
func (f *File) Write(w io.Writer) error {
	if err := scale.Write(w, f.Ranges); err != nil {
		return err
	}
	var b []byte
	switch {
	case f.Columns != nil:
		b = append(b, columnsMark+"\n"...)
		for _, c := range f.Columns {
			b = strconv.AppendInt(b, int64(c.Feature), 10)
			b = append(b, ' ')
			b = strconv.AppendQuote(b, c.Name)
			b = append(b, '\n')
		}
	case f.Inputs != nil:
		b = append(append(b, inputsMark+"\n"...), f.Inputs...)
	}
	_, err := w.Write(b)
	return err
}

// Encoding returns the encoding of the inputs. A fault is a *format.Error with its line
// in the range file.
func (f *File) Encoding() (*encode.Encoding, error) {
	e := new(encode.Encoding)
	return e, e.UnmarshalInputs(f.Inputs, max(f.line, 1))
}

// Names returns the features that are numeric columns, nil if the file does not
// tell of columns.
func (f *File) Names() ([]Column, error) {
	if f.Inputs == nil {
		return f.Columns, nil
	}
	e, err := f.Encoding()
	if err != nil {
		return nil, err
	}
	columns := []Column{}
	for i := range e.Columns {
		if c := &e.Columns[i]; i != e.Class && c.Type == format.Numeric {
			columns = append(columns, Column{c.First, c.Name})
		}
	}
	return columns, nil
}
