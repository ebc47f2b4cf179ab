package main

import (
	"github.com/slimsvm/slimsvm/cmd/internal/rangefile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/scaling"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
)

// rangeFile returns the range file of ranges, for data with a header; t is nil if no columns are declared.
// It names all numeric columns, those without a range too.
func rangeFile(r *scale.Ranges, h *format.Header, t *scaling.Columns) *rangefile.File {
	f := &rangefile.File{Ranges: r}
	if t == nil {
		return f
	}
	f.Columns = []rangefile.Column{}
	for i, a := range h.Attributes {
		if t.Scales(i) {
			f.Columns = append(f.Columns, rangefile.Column{Feature: int32(i + 1), Name: a.Name})
		}
	}
	return f
}

// readRanges reads a range file, with - of standard input; names is nil if it names no columns.
func (e *env) readRanges(path string) (r *scale.Ranges, names map[int32]string, err error) {
	in, err := e.openInput(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	path = inputName(path)
	watch := format.NewWatch(in)
	f, err := rangefile.Read(in)
	if err = watch.Check(err); err != nil {
		return nil, nil, format.WithPath(err, path)
	}
	list, err := f.Names()
	if err != nil || list == nil {
		return f.Ranges, nil, format.WithPath(err, path)
	}
	names = map[int32]string{}
	for _, c := range list {
		names[c.Feature] = c.Name
	}
	return f.Ranges, names, nil
}
