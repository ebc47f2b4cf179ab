package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// TestFoldCache: folds of a grid whose rows are encoded as they are with all others take them from there; folds with other
// ranges, which scale otherwise, do not. Each fold is encoded once, and its models are those that it has by itself.
func TestFoldCache(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := slices.DeleteFunc(mixedRows(250), func(row string) bool { return row[0] == '?' }) // no mean takes its place
	rows[5] = "99,1,red,yes"                                                                  // without which x has another range
	writeRows(t, "all.arff", rows)
	for scale, want := range map[string][2]int{"none": {4, 4}, "normalize": {1, 3}} {
		same := 0
		app := newApp(&env{stdout: io.Discard, stderr: io.Discard})
		for _, c := range app.Commands {
			if c.Name == "grid" {
				c.Action = func(c *cli.Context) (err error) {
					same, err = cachedFoldsOf(t, c)
					return err
				}
			}
		}
		if err := app.RunContext(context.Background(), strings.Fields("slimsvm grid --folds 4 --scale "+scale+" all.arff")); err != nil {
			t.Fatal(err)
		}
		if same < want[0] || same > want[1] {
			t.Errorf("--scale %s: %d of 4 folds are encoded as all rows are, want %d to %d", scale, same, want[0], want[1])
		}
	}
}

// cachedFoldsOf checks the folds of all.arff and returns how many are encoded as all rows are.
func cachedFoldsOf(t *testing.T, c *cli.Context) (same int, err error) {
	e, ctx := &env{stdout: io.Discard, stderr: io.Discard}, c.Context
	p, err := e.load(c, "all.arff")
	if err != nil {
		return 0, err
	}
	w := &watcher{warner: warner{env: e, quiet: true}}
	whole, err := p.prepare(ctx, c, p.rows, 0, w)
	if err != nil {
		return 0, err
	}
	v, err := newValidation(p, c, whole, w)
	if err != nil {
		return 0, err
	}
	kept := newFoldCache(v, whole, 2)
	for _, part := range v.queue.parts {
		problem, rest := *v.problem, part.rest()
		problem.places = v.places.selected(v.numbers(rest))
		f, err := kept.of(ctx, v, &problem, part, rest)
		if err != nil {
			return 0, err
		}
		if again, err := kept.of(ctx, v, &problem, part, rest); err != nil || again != f {
			t.Errorf("a fold is encoded again (%v)", err)
		}
		if f.rest != nil {
			same++
		}
		fold, err := problem.trained(ctx, c, f.Problem, v.features, w)
		if err != nil {
			return 0, err
		}
		trainer := kept.trainer(f, fold)
		for range 5 { // of which the last take their kernel values from what the first have computed
			var texts [2]bytes.Buffer
			for i, by := range []train.Trainer{fold.trainer, trainer} {
				m, err := by.Train(ctx, fold.data, train.NewRand(1))
				if err == nil {
					err = models.Write(&texts[i], m)
				}
				if err != nil {
					return 0, err
				}
			}
			if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
				t.Error("a fold has another model")
			}
		}
	}
	return same, nil
}

// TestBytesOf: there is a limit on every processor.
func TestBytesOf(t *testing.T) {
	for mb, want := range map[float64]int64{0: 0, 100: 100 << 20, 0.5: 1 << 19, 1e300: 1 << 62, math.Inf(1): 1 << 62} {
		if got := bytesOf(mb); got != want {
			t.Errorf("%v MB are %d bytes, want %d", mb, got, want)
		}
	}
}
