package main

import (
	"fmt"
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/train"
)

// rowsOf reads data as the rows that a model wants. Rows without a label of the
// model are left out, and reported if they have another.
func (e *env) rowsOf(c *cli.Context, path string, encoding *encode.Encoding, w *warner) (*format.Dataset, error) {
	e.wants(encoding)
	in, err := e.open(c, path)
	if err != nil {
		return nil, err
	}
	d := new(format.Dataset)
	return d, e.eachRow(in, c.String("class"), encoding, w, nil, true, func(row format.Instance) error {
		d.Append(row)
		return nil
	})
}

// trainingRows is rowsOf for an open file, which it closes, without the rows of weight 0,
// and tells where the rows stand. class is the label's column, as for rowsFor; extra
// says which of the rows it takes, nil: all.
func (e *env) trainingRows(in *input, class string, encoding *encode.Encoding, w *warner, extra *extraRows) (*format.Dataset, *rowPlaces, error) {
	d, places := new(format.Dataset), new(rowPlaces)
	err := e.eachRow(in, class, encoding, w, extra, false, func(row format.Instance) error {
		if err := train.CheckWeight(row.Weight); err != nil {
			return in.here(err)
		}
		if extra != nil {
			if takes, err := extra.takes(row.Y); !takes {
				return err
			}
		}
		if row.Weight == 0 {
			return nil
		}
		if d.Len() == 0 {
			places = in.newPlaces()
		}
		places.Add(in.place())
		d.Append(row)
		return nil
	})
	return d, places, err
}

// eachRow calls f with each row of an open file, which it closes, that has a label of the
// model, as the model wants it. Rows without a label, and those with another, are counted, and
// warned of; with extra the latter are errors. weightless says that rows of weight 0 count.
func (e *env) eachRow(in *input, class string, encoding *encode.Encoding, w *warner, extra *extraRows, weightless bool, f func(format.Instance) error) error {
	defer in.close()
	r, err := e.rowsFor(in, class, encoding, w)
	if err != nil {
		return err
	}
	r.strictLabels = true
	var out leftOut
	labelled := false // a row has a label
	for {
		x, y, unknown, err := r.next()
		switch {
		case err == io.EOF && !labelled && in.rows > 0:
			return unlabelled(in, encoding, extra)
		case err == io.EOF:
			out.warn(w, in.path, encoding)
			return nil
		case err != nil:
			return err
		case unknown != "" && extra != nil:
			return extra.unknownLabel(unknown)
		case unknown != "":
			labelled = true
			out.add(unknown)
			continue
		case math.IsNaN(y):
			if weightless || r.raw.Weight != 0 {
				out.without++
			}
			continue
		}
		labelled = true
		if err := f(format.Instance{X: x, Y: y, Weight: r.raw.Weight}); err != nil {
			return err
		}
	}
}

// unlabelled returns the error of data for a model of which no row has a label. Only data with
// columns have such rows.
func unlabelled(in *input, encoding *encode.Encoding, extra *extraRows) error {
	hint := fmt.Sprintf("the label's column is the one called %q, as in training", encoding.ClassColumn().Name)
	if extra == nil {
		hint += ", unless --class names another"
	}
	return hinted{in.at(datafile.ErrUnlabelled), hint}
}

// known returns the rows whose labels, cut to whole numbers, are a model's, and their places, which may be nil. Others, which
// numbered features may have, are left out and reported, as eachRow does with those of declared columns.
func (w *warner) known(d *format.Dataset, places *rowPlaces, labels []int, path string) (*format.Dataset, *rowPlaces) {
	is := map[float64]bool{}
	for _, label := range labels {
		is[float64(label)] = true
	}
	var out leftOut
	var numbers []int
	for i, y := range d.Y {
		if is[math.Trunc(y)] {
			numbers = append(numbers, i)
		} else {
			out.add(phrase.Label(y))
		}
	}
	if out.rows == 0 {
		return d, places
	}
	out.warn(w, path, nil)
	kept := selected(d, numbers)
	if places == nil {
		return kept, nil
	}
	if numbers == nil { // which stands for all
		numbers = []int{}
	}
	return kept, places.selected(numbers)
}

// heldShare is one over the share of rows that is held out.
const heldShare = 5

// selected returns the rows of the given numbers.
func selected(d *format.Dataset, numbers []int) *format.Dataset {
	part := new(format.Dataset)
	for _, i := range numbers {
		part.Append(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: weightOf(d, i)})
	}
	return part
}
