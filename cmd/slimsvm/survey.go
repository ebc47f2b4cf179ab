package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
)

// manyLabels is the number of integer labels up to which they are classes.
const manyLabels = 100

// Columns that are declared because of a mere index take memory that a short file does
// not: they are no more than the file has values, or fewColumns, and never more than
// maxColumns.
const (
	fewColumns = 1 << 20
	maxColumns = 1 << 24
)

// declareColumns returns the rows of a file that declares no columns, as rows with
// declared columns: those of its names if there are some; otherwise numeric columns
// att_1, att_2, ... and class, nominal if all labels are integers and not many.
// Then the file is read twice.
func (t *rereader) declareColumns(in *input) (*declaredRows, error) {
	if path := chosenNames(t.c, namesOfInput(t.path)); path != "" {
		if path == "-" {
			return nil, errNamesStream
		}
		n, err := readNames(path)
		if err == nil {
			t.once = true
			return declareNamed(in, n)
		}
		if isSet(t.c, "names") || !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	r, err := survey(in)
	if err != nil {
		return nil, err
	}
	r.input, err = t.reopen()
	return r, err
}

// survey reads a file to find its columns.
func survey(in *input) (*declaredRows, error) {
	low, high := int32(1), int32(0)
	var labels []float64
	integers, values := true, 0
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, in.at(err)
		}
		if k := len(row.X.Index); k > 0 {
			low, high = min(low, row.X.Index[0]), max(high, row.X.Index[k-1])
			values += k
		}
		integers = integers && row.Y == math.Trunc(row.Y) && math.Abs(row.Y) < 1<<53
		if integers && len(labels) <= manyLabels && !slices.Contains(labels, row.Y) {
			labels = append(labels, row.Y)
		}
	}
	features := int64(high) - int64(low) + 1 // which an int of 32 bits may not hold
	if features >= int64(min(max(fewColumns, values), maxColumns)) {
		return nil, in.at(fmt.Errorf("features %d to %d are too many columns to declare for %s", low, high, phrase.Count(values, "value")))
	}
	r := &declaredRows{first: low, to: &format.Header{Relation: strings.ToValidUTF8(in.path, string(utf8.RuneError)), Attributes: make([]format.Attribute, 0, features+1)}}
	for i := int(low); i <= int(high); i++ {
		r.to.Attributes = append(r.to.Attributes, format.Attribute{Name: "att_" + strconv.Itoa(i)})
	}
	class := format.Attribute{Name: "class"}
	if integers && len(labels) <= manyLabels {
		class.Type = format.Nominal
		r.labels = map[float64]int{}
		for i, y := range labels {
			r.labels[y] = i
			class.Labels = append(class.Labels, phrase.Label(y))
		}
	}
	r.to.Class = len(r.to.Attributes)
	r.to.Attributes = append(r.to.Attributes, class)
	return r, nil
}
