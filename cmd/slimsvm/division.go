package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// divisionOf returns what the options say.
func divisionOf(c *cli.Context) (*partition.Plan, error) {
	d := &partition.Plan{
		Random: c.Bool("random"), InOrder: c.Bool("in-order"),
		Folds: c.Int("folds"), Fold: c.Int("fold"), Seed: uint32(c.Uint64("seed")),
	}
	for _, with := range []string{"size", "in-order"} {
		if isSet(c, "folds") && isSet(c, with) {
			return nil, usagef("--folds and --%s do not go together: both say which rows go where", with)
		}
	}
	switch {
	case isSet(c, "fold") && !isSet(c, "folds"):
		return nil, usagef("--fold goes with --folds")
	case isSet(c, "folds") && d.Folds < 2:
		return nil, inRange(c, "folds", fromTwo)
	case isSet(c, "folds") && !(d.Fold >= 1 && d.Fold <= d.Folds):
		return nil, usagef("--fold %d: expected 1 to %d", d.Fold, d.Folds)
	case d.InOrder && d.Random:
		return nil, usagef("--in-order and --random both say which rows go first")
	case d.InOrder && isGrouped(c):
		return nil, usagef("--in-order says which rows go first, whatever their groups")
	case d.InOrder && isSet(c, "seed"):
		return nil, usagef("--seed does not go with --in-order, which draws nothing")
	}
	return d, setSize(d, c.String("size"))
}

// setSize sets what --size says.
func setSize(d *partition.Plan, text string) error {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		d.Rows = n
		return nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := flags.Number(number)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return usagef("--size %q: expected a number of rows, or a share between 0 and 1 such as 0.75 or 75%%", text)
	}
	d.Share = v
	return nil
}

// others are the rows that are not kept.
func others(keep []bool) []bool {
	list := make([]bool, len(keep))
	for i, first := range keep {
		list[i] = !first
	}
	return list
}

// warnMissingClasses warns of labels of classes none of whose rows is kept: a classifier trained on
// the file does not know them. Numbers that mostly occur once, or with fractions, are no classes.
func (w *warner) warnMissingClasses(in *input, className string, labels []float64, keep []bool, path string) {
	if slices.ContainsFunc(labels, func(y float64) bool { return y == y && y != math.Trunc(y) }) {
		return
	}
	if strata := partition.Strata(labels); 2*len(strata) <= len(labels) {
		lacking, one := 0, 0.0
		for _, rows := range strata {
			if y := labels[rows[0]]; y == y && !slices.ContainsFunc(rows, func(i int) bool { return keep[i] }) {
				if lacking++; lacking == 1 {
					one = y
				}
			}
		}
		switch text := phrase.Word(splitLabel(in, className, one)); {
		case lacking == 1:
			w.warn("%s: no row has label %s", path, text)
		case lacking > 1:
			w.warn("%s: %d labels occur in no row, such as %s", path, lacking, text)
		}
	}
}

// splitLabel is the text of a label of a data file.
func splitLabel(in *input, className string, y float64) string {
	if in.declared() {
		if class, err := encode.FindClass(in.header, className); err == nil {
			if a := &in.header.Attributes[class]; a.Type == format.Nominal {
				return a.Labels[int(y)]
			}
		}
	}
	return phrase.Label(y)
}
