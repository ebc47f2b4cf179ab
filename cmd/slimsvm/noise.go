package main

import (
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
)

// noiseFlag is the option for the share of wrong labels to work with.
func noiseFlag() cli.Flag {
	return flags.Float{Float64Flag: &cli.Float64Flag{Name: "noise", Usage: "share of the rows, from 0 to 1, that get a wrong label; the seed chooses them and their new labels, all other labels being equally likely"}}
}

func checkNoise(c *cli.Context) error { return inRange(c, "noise", catalog.ZeroToOne) }

// takesNoise returns wrong usage of --noise with a method that has no classes.
func takesNoise(m catalog.Method) error {
	if !m.Task.Classifies() {
		return usagef("--noise is for labels of classes, which method %s does not have", m.Name)
	}
	return nil
}

// mislabelled returns the rows with wrong labels as --noise says. column is where labels
// of declared columns stand in the rows, below 0 for data without.
func mislabelled(d *format.Dataset, column int, share float64, seed uint64) *format.Dataset {
	if share == 0 {
		return d
	}
	noisy := &format.Dataset{Header: d.Header, X: d.X, Y: d.Y, Weight: d.Weight}
	if column < 0 {
		noisy.Y = generate.Mislabel(d.Y, share, seed)
		return noisy
	}
	var labels []float64
	var labelled []int
	for i := range d.Len() {
		if y := d.X.Row(i).At(int32(column)); !math.IsNaN(y) {
			labels, labelled = append(labels, y), append(labelled, i)
		}
	}
	label := make(map[int]float64, len(labels))
	for k, y := range generate.Mislabel(labels, share, seed) {
		label[labelled[k]] = y
	}
	noisy.X = vec.Matrix{}
	for i := range d.Len() {
		x := d.X.Row(i)
		if y, ok := label[i]; ok && y != x.At(int32(column)) {
			x = x.Clone()
			at, has := slices.BinarySearch(x.Index, int32(column))
			if !has {
				x.Index, x.Value = slices.Insert(x.Index, at, int32(column)), slices.Insert(x.Value, at, 0)
			}
			x.Value[at] = y
		}
		noisy.X.Append(x)
	}
	return noisy
}
