package main

import (
	"maps"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// balanced is the --weight with which errors on all rows of a class cost the same in all as
// those on another's.
const balanced = "balanced"

// isBalanced reports whether --weight says so.
func isBalanced(c *cli.Context) bool { return slices.Contains(c.StringSlice("weight"), balanced) }

// balance returns for each class of the rows the weight n / (classes * n of the class),
// scikit-learn's; n are sums of the rows' weights.
func balance(rows rsvm.Rows) ([]train.ClassWeight, error) {
	total, of := 0.0, map[float64]float64{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		total += row.Weight
		of[math.Trunc(row.Y)+0] += row.Weight // as training cuts labels; not -0
	}
	var weights []train.ClassWeight
	for _, label := range slices.Sorted(maps.Keys(of)) {
		if _, ok := train.TruncateLabel(label); !ok { // training says what is wrong with it
			return nil, nil
		}
		weights = append(weights, train.ClassWeight{Label: int(label), Weight: total / float64(len(of)) / of[label]})
	}
	return weights, nil
}
