package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTargets: a regression whose targets are all in the tube, or so far from 0 or so large that its method
// cannot tell them apart, is warned of; not one of usual targets of which one is far off.
func TestTargets(t *testing.T) {
	write := func(from, size float64, feature func(i int) float64, more ...float64) string {
		var b strings.Builder
		for _, y := range more {
			fmt.Fprintf(&b, "%v 1:0.5\n", y)
		}
		for i := range 40 {
			fmt.Fprintf(&b, "%v 1:%v\n", from+size*float64(i%9), feature(i))
		}
		path := filepath.Join(newFolder(t), "targets")
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	repeated := func(i int) float64 { return float64(i%9) / 8 }
	apart := func(i int) float64 { return float64(i*i) / 1000 } // no centre of some is one of them
	small, tiny, usual, same, years := write(-0.3, 0.01, repeated), write(-3e-7, 1e-8, repeated), write(-0.3, 1, repeated), write(5, 0, repeated), write(2000, 0.01, repeated)
	large, one := write(-0.3, 1e6, repeated), write(-0.3, 1, repeated, 1e6)
	usualApart, smallApart := write(-0.3, 1, apart), write(-0.3, 0.01, apart)
	const tube, far = "warning: all targets are within the tube", "warning: the targets are far from 0"
	const stop, alike = "warning: all rows get the same prediction: use a smaller --tolerance", "warning: the model predicts "
	const level = "warning: the model's predictions for training rows hardly differ: by "
	for _, c := range []struct {
		path, options, warning string
	}{
		{small, "epsilon-svr", tube},
		{small, "joint-svr --vectors 3", tube},
		{small, "joint-svr --vectors 3 --loss squared", ""},
		{small, "epsilon-svr --epsilon 0.001", ""},
		{small, "joint-svr --vectors 3 --epsilon 0.001", ""},
		{small, "ssvr", ""},
		{small, "ssrsvr", tube},
		{small, "ssrsvr --epsilon 0.01", ""},
		{usual, "epsilon-svr", ""},
		{usual, "epsilon-svr --gamma 1e-12", alike + "3.2 for each of 40 training rows with targets from -0.3 to 7.7: --gamma scale (9.57, not 1e-12) or a higher --cost may tell them apart"},
		{tiny, "epsilon-svr", tube},
		{tiny, "epsilon-svr --epsilon 1e-9", stop}, // where all are outside of it
		{tiny, "epsilon-svr --epsilon 1e-9 --tolerance 1e-12", ""},
		{tiny, "nu-svr", stop},
		{usualApart, "joint-svr --vectors 3 --gamma 1e8", alike}, // kernel values are 0
		{usualApart, "joint-svr --vectors 3 --gamma 1e8 --loss squared", alike},
		{smallApart, "joint-svr --vectors 3 --gamma 1e8 --loss squared", alike},
		{usualApart, "rsvr --draw kmeans --vectors 3 --gamma 1e8", alike},
		{usual, "joint-svr --vectors 3", ""},
		{large, "epsilon-svr", level},
		{large, "nu-svr --cost 4", level},
		{large, "epsilon-svr --kernel linear", level},
		{large, "epsilon-svr --cost 1e7", ""},
		{large, "epsilon-svr -q", ""},
		{large, "ssvr", ""},
		{one, "epsilon-svr", ""},
		{same, "epsilon-svr", ""},
		{same, "ssvr", ""},
		{years, "rsvr --vectors 4", far},
		{years, "ssrsvr", far},
		{years, "rsvr --vectors 4 --stream", far},
		{years, "rsvr --vectors 4 --cost 1e9", ""},
	} {
		status, _, stderr := slimsvm(t, "train --method "+c.options+" "+c.path+" m")
		var told string
		for line := range strings.Lines(stderr) {
			if strings.HasPrefix(line, "warning: ") && !strings.Contains(line, "features are not scaled") {
				told += line
			}
		}
		if status != 0 || (told != "") != (c.warning != "") || !strings.HasPrefix(told, c.warning) {
			t.Errorf("%s: status %d: %s", c.options, status, stderr)
		}
		if c.path != small || c.warning == "" || c.options == "ssrsvr" {
			continue
		}
		if model := read(t, "m"); !strings.Contains(model, "\nrho 0.26") && !strings.Contains(model, "\nrho 0.2599999") { // the middle of -0.3 to -0.22
			t.Errorf("%s: the answer is not in the middle of the targets:\n%s", c.options, model)
		}
	}
}
