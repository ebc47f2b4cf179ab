package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/models"
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
	data := filepath.Join(newFolder(t), "small")
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

// TestReduceHeldOut: labels are tosses of a coin, so that whoever tells those held out has seen them; and OUT is the model
// that it is without a curve.
func TestReduceHeldOut(t *testing.T) {
	var b strings.Builder
	random := rand.New(rand.NewPCG(5, 0))
	for range 300 {
		fmt.Fprintf(&b, "%d 1:%v 2:%v 3:%v\n", random.IntN(2), random.Float64(), random.Float64(), random.Float64())
	}
	data := filepath.Join(newFolder(t), "coin")
	if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	big, small := data+".big", data+".small"
	for _, method := range reduceMethods() {
		var said reductionReport
		status, stdout, stderr := slimsvm(t, fmt.Sprintf("train --quiet --gamma 20 --cost 100 %s %s", data, big),
			fmt.Sprintf("reduce --json --method %s --vectors 40 --curve %s.tsv %s %s %s", method, data, big, data, small))
		if status != 0 {
			t.Fatalf("%s: %s", method, stderr)
		}
		if err := json.Unmarshal([]byte(stdout), &said); err != nil {
			t.Fatal(err)
		}
		if last := said.Curve[len(said.Curve)-1]; last.Error < 0.35 || said.Rows != 300 || said.Held != 60 {
			t.Errorf("%s: error %v of %d rows held out, %d used", method, last.Error, said.Held, said.Rows)
		}
		if method == jointMethod && testing.Short() {
			continue
		}
		status, _, stderr = slimsvm(t, fmt.Sprintf("reduce --quiet --method %s --vectors 40 %s %s %s.same", method, big, data, small))
		if status != 0 {
			t.Fatalf("%s: %s", method, stderr)
		}
		if got, want := read(t, small), read(t, small+".same"); got != want {
			t.Errorf("%s: with a curve the model is another one", method)
		}
	}
}

// TestReduceJointHeldOut: a quarter of the labels is wrong, and MODEL knows the rows by heart. Vectors made with the rows
// that joint holds out would know these too, and be right about their wrong labels: they would be kept as they are, where
// others are better for new rows.
func TestReduceJointHeldOut(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	rows := func(n int, wrong float64) string {
		var b strings.Builder
		for range n {
			x := random.Float64()
			label := 0
			if (x > 0.5) != (random.Float64() < wrong) {
				label = 1
			}
			fmt.Fprintf(&b, "%d 1:%v 2:%v\n", label, x, random.Float64())
		}
		path := filepath.Join(newFolder(t), "rows")
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fresh, mean := rows(2000, 0), 0.0
	const samples = 3
	for range samples {
		data := rows(200, 0.25)
		var said struct{ Accuracy float64 }
		status, stdout, stderr := slimsvm(t, "train --quiet --gamma 100 --cost 10 "+data+" m",
			fmt.Sprintf("reduce --quiet --method joint --vectors 40 m %s small", data),
			fmt.Sprintf("predict --json --out answers %s small", fresh))
		if err := json.Unmarshal([]byte(stdout), &said); status != 0 || err != nil {
			t.Fatal(stderr, err)
		}
		mean += said.Accuracy / samples
	}
	if mean < 0.82 {
		t.Errorf("accuracy %v on new rows", mean)
	}
}

// TestReduceNeedless: the sizes of a curve rise where rows repeat, so that fixed points find more vectors than
// MODEL has different ones, and leave some of them without a coefficient.
func TestReduceNeedless(t *testing.T) {
	var b strings.Builder
	random := rand.New(rand.NewPCG(11, 1))
	for i := range 10 {
		x, y := random.NormFloat64(), random.NormFloat64()
		for range 12 {
			fmt.Fprintf(&b, "%d 1:%v 2:%v\n", i%2, x, y)
		}
	}
	data := filepath.Join(newFolder(t), "repeated")
	if err := os.WriteFile(data, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for seed := range 6 {
		var said reductionReport
		status, stdout, stderr := slimsvm(t, "train --quiet --gamma 1 --cost 0.1 "+data+" m",
			fmt.Sprintf("reduce --json --method fixed-point --vectors 30 --seed %d --curve %s.tsv m %s %s.small", seed, data, data, data))
		if status != 0 {
			t.Fatal(stderr)
		}
		if err := json.Unmarshal([]byte(stdout), &said); err != nil {
			t.Fatal(err)
		}
		for k := range said.Curve[1:] {
			if said.Curve[k].Vectors >= said.Curve[k+1].Vectors {
				t.Errorf("seed %d: sizes %v", seed, said.Curve)
			}
		}
	}
}

// TestAllowedExactly: an error that is as large as --max-error allows is enough, although the sum of MODEL's and the rise
// may be rounded down, and one row more is not.
func TestAllowedExactly(t *testing.T) {
	below := 0
	for of := 1; of <= 400; of++ {
		for rise := range 40 {
			more := float64(rise) / 100
			exact := float64(of+4*rise) / 400
			if exact > float64(of)/400+more {
				below++
			}
			limit := allowed(&models.Model{Task: models.CSVC}, float64(of)/400, nil, more)
			if !atMost(exact, limit) || atMost(float64(of+4*rise+1)/400, limit) {
				t.Fatalf("%d of 400 and %v more: %v", of, more, limit)
			}
		}
	}
	if !atMost(0, 0) {
		t.Error("no error is more than none allowed")
	}
	if below == 0 {
		t.Error("no sum is rounded down")
	}
}
