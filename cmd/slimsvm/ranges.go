package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
)

// A range file of declared columns is svm-scale's, with the columns' numbers as
// features, and behind it, where svm-scale reads no further, their names:
//
//	"columns" LF { number quoted-name LF }
//
// All numeric columns are listed, those without a range too.
const columnsMark = "\ncolumns\n"

// writeRanges writes a range file; t is nil if no columns are declared.
func writeRanges(w io.Writer, r *scale.Ranges, t *columns) error {
	if err := scale.Write(w, r); err != nil || t == nil {
		return err
	}
	b := []byte(columnsMark[1:])
	for i, a := range t.header.Attributes {
		if t.scales(i) {
			b = strconv.AppendInt(b, int64(i+1), 10)
			b = append(b, ' ')
			b = strconv.AppendQuote(b, a.Name)
			b = append(b, '\n')
		}
	}
	_, err := w.Write(b)
	return err
}

// readRanges reads a range file; names is nil if it names no columns.
func readRanges(path string) (r *scale.Ranges, names map[int32]string, err error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, format.WithPath(err, path)
	}
	ranges, list, named := bytes.Cut(text, []byte(columnsMark))
	if r, err = scale.Read(bytes.NewReader(ranges)); err != nil || !named {
		return r, nil, format.WithPath(err, path)
	}
	names = map[int32]string{}
	line := bytes.Count(ranges, []byte{'\n'}) + 2
	for len(list) > 0 {
		line++
		var row []byte
		row, list, _ = bytes.Cut(list, []byte{'\n'})
		number, quoted, _ := bytes.Cut(bytes.TrimSuffix(row, []byte{'\r'}), []byte{' '})
		i, e := strconv.ParseInt(string(number), 10, 32)
		name, e2 := strconv.Unquote(string(quoted))
		if e != nil || e2 != nil || i < 1 {
			return nil, nil, &format.Error{Path: path, Line: line, Err: fmt.Errorf("expected a column's number and its name in quotes, found %q", row)}
		}
		names[int32(i)] = name
	}
	return r, names, nil
}
