package main

import (
	"fmt"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format/encode"
)

// warnResembling tells of columns of CSV whose texts look like numbers with something around them, or
// like dates, and become labels. It returns their places.
func (w *warner) warnResembling(in *input) (told []int) {
	for _, s := range in.Resembling() {
		if told = append(told, s.Column); !in.drops(s.Column) {
			w.warn("%v; %s", s.Err, in.sayNumbers(&s))
		}
	}
	return told
}

// sayNumbers is the hint for a resembling column, with the options that the command has.
func (in *input) sayNumbers(s *datafile.Suspect) string {
	says := s.Remedy
	mark := "; "
	if has(in.command, drop) {
		says += fmt.Sprintf("; --%s %s leaves the column out", drop, phrase.Shell(s.Name))
		mark = ", "
	}
	if has(in.command, nominal) {
		says += fmt.Sprintf("%s--%s keeps them as labels", mark, nominal)
	}
	return says
}

// drops reports whether the command's options leave out a column.
func (in *input) drops(column int) bool {
	if len(in.dropped.names) == 0 {
		return false
	}
	if in.dropped.found == nil || in.dropped.header != in.header {
		in.dropped.found, in.dropped.header = map[int]bool{}, in.header
		find := encode.ColumnFinder(in.header)
		for _, name := range in.dropped.names {
			if k, err := find(name); err == nil {
				in.dropped.found[k] = true
			}
		}
	}
	return in.dropped.found[column]
}

// warnSimilarLabels tells of columns of CSV with two labels that are probably meant to be one.
func (w *warner) warnSimilarLabels(in *input) {
	for _, s := range in.SimilarLabels() {
		if !in.drops(s.Column) {
			w.warn("%v", s.Err)
		}
	}
}

// warnLossyColumns tells of columns of CSV whose whole numbers have more digits than numbers keep.
func (w *warner) warnLossyColumns(in *input) {
	for _, s := range in.Lossy() {
		if !in.drops(s.Column) {
			w.warn("%v; --%s %s leaves the column out, --%s keeps the texts as labels", s.Err, drop, phrase.Shell(s.Name), nominal)
		}
	}
}

// mostNumbers is how many numbers of rows are kept where the rows are not, to see whether they differ.
const mostNumbers = 1 << 16

// warnRowNumbers tells of columns of a problem that number the rows of its file, unless there is no other to
// learn from.
func (w *warner) warnRowNumbers(p *problem, n *datafile.Numbering) {
	if !p.in.declared() {
		return
	}
	class, err := encode.FindClass(p.in.header, p.encode.Class)
	if err != nil {
		return // which encoding tells
	}
	for _, s := range n.Suspects(class) {
		if !p.in.drops(s.Column) {
			w.warn("%v; --drop %s leaves it out", s.Err, phrase.Shell(s.Name))
		}
	}
}
