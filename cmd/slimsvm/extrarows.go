package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// extraRows are the rows of --extra. Those without a label are left out, as they are of
// the data; one with a label that the data do not have is an error.
type extraRows struct {
	*prepared        // the rows with which these are trained on
	in        *input // which is closed behind the last row
	numbers   bool   // labels are targets of a regression
	part      bool   // those rows are not all of the data, and may lack some classes: so do these
	classes   map[int]bool
}

// read reads the rows as the others are.
func (x *extraRows) read(e *env, w *warner) (*format.Dataset, error) {
	x.classes = map[int]bool{}
	for _, y := range x.data.Y {
		x.classes[int(y)] = true
	}
	if x.encoding == nil && x.in.declared() {
		defer x.in.close()
		return nil, hinted{x.in.at(errors.New("columns are declared, but the data have numbered features: expected these")), "slimsvm encode makes numbered features of columns"}
	}
	d, places, err := e.trainingRows(x.in, "", x.encoding, w, x)
	if err != nil {
		return nil, err
	}
	if err := train.CheckRows(x.kernel, &d.X); err != nil {
		return nil, places.fault(x.in.path, err)
	}
	if !x.numbers {
		wholeLabels(d, w, x.in.path, places)
	}
	return d, nil
}

// takes reports whether the last row is to be trained on, which has the label y.
func (x *extraRows) takes(y float64) (bool, error) {
	if x.numbers || x.classes[int(y)] || x.part {
		return x.numbers || x.classes[int(y)], nil
	}
	if x.encoding != nil {
		return false, x.unknownLabel(answerText(models.CSVC, x.encoding, y))
	}
	return false, x.unknownLabel(fmt.Sprint(y))
}

// warnExtraDuplicates warns of rows of --extra that are rows of the data, too: in a cross-validation models
// learn them while they are held back.
func (w *warner) warnExtraDuplicates(c *cli.Context, p *problem, whole *prepared) {
	if whole.extra == nil {
		return
	}
	held := map[uint64]bool{}
	for i := range whole.data.Len() {
		held[rowHash(whole.data, i)] = true
	}
	learned := 0
	for i := range whole.extra.Len() {
		if held[rowHash(whole.extra, i)] {
			learned++
		}
	}
	if learned > 0 {
		w.warn("%d of %s of --extra %s %s in %s, too: models are trained on %s even when %s held out, so that the score is better than on new rows",
			learned, phrase.Count(whole.extra.Len(), "row"), c.String(catalog.Extra), phrase.Agree(learned, "is", "are"), p.in.path,
			phrase.Agree(learned, "it", "them"), phrase.Agree(learned, "it is", "they are"))
	}
}

// rowHash returns a hash of a row's values and its label.
func rowHash(d *format.Dataset, i int) uint64 {
	h := fnv.New64a()
	var b [12]byte
	put := func(index int32, v float64) {
		binary.LittleEndian.PutUint32(b[:], uint32(index))
		binary.LittleEndian.PutUint64(b[4:], math.Float64bits(v+0)) // not -0
		h.Write(b[:])
	}
	put(-1, d.Y[i])
	x := d.X.Row(i)
	for k, v := range x.Value {
		if v != 0 {
			put(x.Index[k], v)
		}
	}
	return h.Sum64()
}

// unknownLabel is the error of the last row, whose label is none of the data's.
func (x *extraRows) unknownLabel(label string) error {
	if x.encoding == nil {
		return x.in.here(fmt.Errorf("label %s is not among those of the data", label))
	}
	c := x.encoding.ClassColumn()
	if x.numbers {
		return x.in.here(fmt.Errorf("column %q: expected a number, found %q", c.Name, label))
	}
	return x.in.here(fmt.Errorf("column %q: label %q is not among those of the data", c.Name, label))
}
