package main

import (
	"math"
	"strconv"
	"testing"
)

// TestManyThreads: any number of threads is taken, and costs no more than can be of use.
func TestManyThreads(t *testing.T) {
	many := " --quiet --threads " + strconv.Itoa(math.MaxInt)
	for _, line := range []string{
		"train a.arff m" + many, "train --method rsvm a.arff m" + many, "train --method rsvm --stream a.arff m" + many,
		"cv --folds 8 --repeat 20 a.arff" + many, "predict a.arff m" + many, "reduce --vectors 2 m a.arff small" + many,
	} {
		if status, _, stderr := slimsvm(t, "train --quiet a.arff m", line); status != 0 {
			t.Errorf("slimsvm %s: status %d, %s", line, status, stderr)
		}
	}
}
