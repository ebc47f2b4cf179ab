package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReduceSmallClasses: no class is held out with all of its rows, whatever the seed, so that
// a model of small classes is reduced with --max-error and --curve too.
func TestReduceSmallClasses(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		c := i % 2
		if i%5 == 2 { // twelve classes of a row
			c = 2 + i/5
		}
		fmt.Fprintf(&b, "%d 1:%v 2:%v\n", c, float64(c%5)+0.01*float64(i%11), float64(c/5)+0.01*float64(i%7))
	}
	data := filepath.Join(t.TempDir(), "small")
	if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for seed := range 6 {
		status, _, stderr := slimsvm(t, "train --quiet "+data+" m",
			fmt.Sprintf("reduce --method kmeans --vectors 10 --curve - --seed %d m %s small.model", seed, data))
		if status != 0 {
			t.Errorf("seed %d: %s", seed, stderr)
		}
	}
}
