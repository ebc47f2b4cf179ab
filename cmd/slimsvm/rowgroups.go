package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
)

// The groups of rows, of which a fold has all rows or none, stand where these options say.
const (
	groupColumn = "group-column"
	groupFile   = "group-file"
)

// groupFlags say where the groups of rows stand; effect says what is made of them.
func groupFlags(effect, ofColumn string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: groupColumn, Usage: "`COLUMN` of CSV or ARFF with the groups of rows, such as patients or documents: its name, first, last, or a number from 1. " + effect + ". " + ofColumn},
		&cli.StringFlag{Name: groupFile, Usage: "`FILE` with the groups of all rows, one name per line, for data in any format"},
	}
}

// foldGroupFlags are groupFlags of a cross-validation.
func foldGroupFlags() []cli.Flag {
	return groupFlags("All rows of a group are in the same fold", "The column is not a feature and, if it is last, not the label")
}

// groupPlace is the file of groups, which no other is.
func groupPlace(c *cli.Context) place { return place{"--" + groupFile, c.String(groupFile)} }

// isGrouped reports whether the options say where the groups of rows stand.
func isGrouped(c *cli.Context) bool { return c.String(groupColumn) != "" || c.String(groupFile) != "" }

// rowGroups are the groups of the rows of a file, by numbers from 0.
type rowGroups struct {
	of    []int  // the group of each row; -1: it has none
	what  string // where they stand
	path  string // of the file of groups; "": they are in the column
	at    int32
	kind  format.Type
	texts *csvfmt.Reader // tells the cells of the column; nil: values are all there is

	lacking map[int]error // of rows without a group, at their places
	named   map[string]int
	valued  map[float64]int
}

// grouped finds the column of groups, whose options say it, in a header that was read. If it is the label's since it
// stands last, another has the label.
func (in *input) grouped(class string) error {
	if !in.declared() {
		return usagef("--%s is for CSV and ARFF, but %s is %s; --%s is for all formats", groupColumn, in.path, in.Codec.Name, groupFile)
	}
	at, err := encode.FindColumn(in.header, in.groups.column)
	if err != nil {
		return in.at(in.columnFault(err))
	}
	in.groups.at = at
	a := &in.header.Attributes[at]
	if a.Type == format.Relational { // whose values have no names
		return in.at(fmt.Errorf("column %q is relational, and cannot have the groups of rows", a.Name))
	}
	if at == in.WeightColumn() {
		return usagef("column %q cannot have both the weights and the groups of rows", a.Name)
	}
	if label, err := encode.FindClass(in.header, class); err == nil && label == at { // else it is reported later
		other := *in.header
		for other.Class = at - 1; other.Class >= 0 && other.Class == in.WeightColumn(); other.Class-- {
		}
		if class != "" || other.Class < 0 {
			return in.at(fmt.Errorf("column %q has the groups of rows, and cannot have their labels", a.Name))
		}
		in.header, in.own = &other, true
	}
	return nil
}

// keepGroups makes an input keep the groups of its rows, if they are in a column.
func (in *input) keepGroups() {
	if in.groups.column == "" {
		return
	}
	a := &in.header.Attributes[in.groups.at]
	g := &rowGroups{
		what: fmt.Sprintf("column %q", a.Name), at: int32(in.groups.at), kind: a.Type, texts: in.Texts(),
		lacking: map[int]error{}, named: map[string]int{}, valued: map[float64]int{},
	}
	if g.texts != nil {
		g.texts.KeepTexts([]int32{g.at})
	}
	in.groups.rows = g
}

// take takes the row that was read last.
func (g *rowGroups) take(in *input, row format.Instance) {
	v := row.X.At(g.at)
	switch {
	case math.IsNaN(v):
		err := fmt.Errorf("%s: the group of the row is missing", g.what)
		if g.texts != nil {
			_, line, column := g.texts.Text(g.at)
			err = &format.Error{Path: in.path, Line: line, Column: column, Err: err}
		} else {
			err = in.here(err)
		}
		g.lacking[len(g.of)] = err
		g.of = append(g.of, -1)
	case g.texts != nil:
		text, _, _ := g.texts.Text(g.at)
		g.name(text)
	case g.kind == format.String:
		g.name([]byte(row.Strings[int(v)]))
	default:
		n, seen := g.valued[v+0] // not -0
		if !seen {
			n = len(g.valued)
			g.valued[v+0] = n
		}
		g.of = append(g.of, n)
	}
}

// name takes the name of the next row's group.
func (g *rowGroups) name(text []byte) {
	n, seen := g.named[string(text)]
	if !seen {
		n = len(g.named)
		g.named[string(text)] = n
	}
	g.of = append(g.of, n)
}

// rowGroups returns the groups of the rows of a file that has been read to its end, or nil: the options
// say nothing of groups.
func (e *env) rowGroups(c *cli.Context, in *input, rows int) (*rowGroups, error) {
	path := c.String(groupFile)
	switch {
	case path == "":
		return in.groups.rows, nil
	case in.groups.rows != nil:
		return nil, usagef("--%s and --%s do not go together", groupColumn, groupFile)
	case path == "-":
		return nil, usagef("--%s reads a file, not standard input", groupFile)
	}
	f, err := e.openInput(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	g := &rowGroups{what: path, path: path, named: map[string]int{}}
	if err := g.read(c.Context, f); err != nil {
		return nil, err
	}
	if n := len(g.of); n != rows {
		return nil, in.at(fmt.Errorf("%s of data, but %s in %s", phrase.Count(rows, "row"), phrase.Count(n, "line"), path))
	}
	return g, nil
}

// mostGroupName bounds the length of a line of a file of groups.
const mostGroupName = 1 << 16

// read reads a file of groups. Empty lines may follow.
func (g *rowGroups) read(ctx context.Context, r io.Reader) error {
	lines := bufio.NewReaderSize(r, mostGroupName)
	empty := 0 // number of the first empty line; 0: none
	for n := 1; ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text, err := lines.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull:
			return &format.Error{Path: g.path, Line: n, Err: errors.New("the line is too long, expected the name of a group")}
		case err != nil && err != io.EOF:
			return format.WithPath(err, g.path)
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		switch text = bytes.TrimSpace(text); {
		case len(text) == 0 && empty == 0:
			empty = n
		case len(text) > 0 && empty > 0:
			return &format.Error{Path: g.path, Line: empty, Err: errors.New("the line is empty, expected the name of a group")}
		case len(text) > 0:
			g.name(text)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// selected returns the groups of some rows; nil stands for all.
func (g *rowGroups) selected(rows []int) []int {
	if rows == nil {
		return g.of
	}
	list := make([]int, len(rows))
	for k, i := range rows {
		list[k] = g.of[i]
	}
	return list
}

// ungrouped returns the error of the first of a problem's rows, by their numbers, that has no group.
func (p *problem) ungrouped(rows []int) error {
	for _, i := range rows {
		if p.groups[i] < 0 {
			return p.grouping.lacking[p.numbersInFile([]int{i})[0]]
		}
	}
	return nil
}

// warnGroups warns of groups that have one row each, and of classes in too few groups for folds.
func (v *validation) warnGroups(w *watcher, encoding *encode.Encoding) {
	all := partition.CountGroups(v.groups)
	if all == len(v.groups) {
		w.warn("%s: every row is a group of its own, so that the folds are as without groups", v.grouping.what)
	}
	if !v.method.Task.Classifies() {
		return
	}
	in := map[float64]map[int]bool{} // the groups of each label
	var labels []float64             // as they first come
	for i, y := range v.y {
		y = math.Trunc(y) + 0 // as training cuts labels; not -0
		if in[y] == nil {
			in[y], labels = map[int]bool{}, append(labels, y)
		}
		in[y][v.groups[i]] = true
	}
	named := func(y float64) string { return phrase.Word(answerText(v.method.Task, encoding, y)) }
	var lone, rare []float64
	for _, y := range labels {
		switch n := len(in[y]); {
		case n == 1:
			lone = append(lone, y)
		case n < v.folds && v.folds < all:
			rare = append(rare, y)
		}
	}
	const wrong = "the models that predict these rows do not know their label, and they count as wrong"
	switch {
	case len(lone) == 1:
		w.warn("label %s has rows of only 1 group: %s", named(lone[0]), wrong)
	case len(lone) > 1:
		w.warn("%d of %d labels have rows of only 1 group, such as %s: %s", len(lone), len(labels), named(lone[0]), wrong)
	}
	switch {
	case len(rare) == 1:
		w.warn("label %s has rows of %d groups: some of %d folds have none of them", named(rare[0]), len(in[rare[0]]), v.folds)
	case len(rare) > 1:
		w.warn("%d of %d labels have rows of fewer groups than the %d folds, such as %s: some folds have none of them", len(rare), len(labels), v.folds, named(rare[0]))
	}
}
