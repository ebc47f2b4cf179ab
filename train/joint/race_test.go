package joint

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// costToChoose returns a trainer whose cost nobody has chosen.
func costToChoose(task models.Task, cost float64) Trainer {
	t := Default()
	t.Task, t.Kernel, t.Vectors, t.Cost, t.Evaluations, t.ChooseCost = task, kernel.RBF{Gamma: 0.5}, 8, cost, 60, true
	return t
}

// TestChooseCost: where C is much too small, ten times as much is chosen if nobody has chosen C, and
// fewer answers for other rows are wrong. Models like one that has it have it, too.
func TestChooseCost(t *testing.T) {
	for _, of := range []struct {
		name string
		task models.Task
		cost float64
	}{{"moons", models.CSVC, 0.001}, {"checkerboard", models.CSVC, 0.1}, {"waveform", models.CSVC, 0.1}, {"friedman", models.EpsilonSVR, 0.001}} {
		name := of.name
		learn, test := set(t, name, 200, 1), set(t, name, 1000, 2)
		c := costToChoose(of.task, of.cost)
		m := trained(t, c, learn)
		tenfold := fmt.Sprint(10 * of.cost)
		if got := parameter(m, "cost"); got != tenfold {
			t.Errorf("%s: cost %s, want %s", name, got, tenfold)
		}
		like := trained(t, c.WithSettingsOf(m).(Trainer), learn)
		if got := parameter(like, "cost"); got != tenfold {
			t.Errorf("%s: a model like it has cost %s, want %s", name, got, tenfold)
		}
		c.ChooseCost = false
		plain := trained(t, c, learn)
		if got := parameter(plain, "cost"); got == tenfold {
			t.Errorf("%s: cost %s without a choice", name, got)
		}
		with, without := wrong(t, m, test), wrong(t, plain, test)
		if !(with < 0.9*without) {
			t.Errorf("%s: error %v, %v without a choice", name, with, without)
		}
	}
}

// TestChooseCostOfManyRows: if one part of many rows is held out, short descents choose ten times C
// with the width. Where the width is given, there are none, and C stays.
func TestChooseCostOfManyRows(t *testing.T) {
	defer func(few int) { fewRows = few }(fewRows)
	fewRows = 100
	for name, task := range map[string]models.Task{"moons": models.CSVC, "friedman": models.EpsilonSVR} {
		learn, test := set(t, name, 600, 1), set(t, name, 1000, 2)
		for _, gamma := range []float64{0.5, 1e-4} {
			c := costToChoose(task, 0.001)
			c.Kernel, c.ChooseWidth, c.HeldOut, c.Starts = kernel.RBF{Gamma: gamma}, true, 0.3, []Basis{KMeans{}, RandomRows{}}
			m := trained(t, c, learn)
			if got := parameter(m, "cost"); got != "0.01" {
				t.Errorf("%s, gamma %v: cost %s, want 0.01", name, gamma, got)
			}
			if name == "friedman" {
				c.ChooseCost = false
				if with, without := wrong(t, m, test), wrong(t, trained(t, c, learn), test); !(with < 0.9*without) {
					t.Errorf("gamma %v: error %v, %v without a choice", gamma, with, without)
				}
			}
			c.ChooseCost, c.ChooseWidth = true, false
			if got := parameter(trained(t, c, learn), "cost"); got != "0.001" {
				t.Errorf("%s, gamma %v: cost %s where the width is given", name, gamma, got)
			}
		}
	}
	c := costToChoose(models.CSVC, 1e5)
	c.ChooseWidth = true
	if got := parameter(trained(t, c, set(t, "twonorm", 300, 1)), "cost"); got != "100000" {
		t.Errorf("cost %s, want the given 100000", got)
	}
}

// TestTenfoldByStart: a start whose short descents were better with ten times C has that, others do
// not.
func TestTenfoldByStart(t *testing.T) {
	s := &search{Trainer: small(nil), own: fewRows + 1, outputs: 1, tenfold: []bool{true, false}}
	s.Starts = []Basis{KMeans{}, RandomRows{}}
	for _, c := range s.choices() {
		if want := []float64{10, 1}[c.start]; c.cost != want {
			t.Errorf("start %d: factor %v on C, want %v", c.start, c.cost, want)
		}
	}
}

// wrong returns a share of wrong answers, or the mean squared error.
func wrong(t *testing.T, m *models.Model, d *format.Dataset) float64 {
	t.Helper()
	if m.Task.Regresses() {
		return squareError(t, m, d)
	}
	return 1 - accuracy(t, m, d)
}

// TestGoodCostStays: where ten times C is no better, the model is the one without that choice. So
// it is where there is nothing to choose by, and where rows are nearly too heavy for C.
func TestGoodCostStays(t *testing.T) {
	rows := set(t, "checkerboard", 200, 1)
	heavy := &format.Dataset{X: rows.X, Y: rows.Y, Weight: make([]float64, rows.Len())}
	for i := range heavy.Weight {
		heavy.Weight[i] = 0x1p1006 // with C, nearly too heavy
	}
	for name, c := range map[string]struct {
		rows *format.Dataset
		set  func(*Trainer)
	}{
		"large":            {rows, func(c *Trainer) { c.Cost = 1e5 }},
		"nothing held out": {rows, func(c *Trainer) { c.HeldOut = 0 }},
		"heavy rows":       {heavy, func(c *Trainer) { c.Cost = 0.5 }},
	} {
		of := costToChoose(models.CSVC, 0.001)
		c.set(&of)
		with := trained(t, of, c.rows)
		of.ChooseCost = false
		if without := trained(t, of, c.rows); function(with) != function(without) {
			t.Errorf("%s: another model, with cost %s", name, parameter(with, "cost"))
		}
	}
}

// TestFallenBehind: a choice has fallen behind if the best one has clearly fewer wrong answers on
// the rows of the first parts, whatever the others say. Vectors that are not moved are in no race.
func TestFallenBehind(t *testing.T) {
	of := func(start, end int) trial { // with so many of 100 rows wrong
		var j [2]judgement
		for k, n := range []int{start, end} {
			j[k].wrong = make([]float64, 100)
			for i := range n {
				j[k].wrong[i] = 1
			}
			j[k].doubt = float64(n)
		}
		return trial{curve: j[:]}
	}
	still := trial{curve: of(9, 0).curve[:1]}
	unknown := trial{}
	for name, c := range map[string]struct {
		trials []trial // of three choices and three parts
		want   []bool
	}{
		"one is worse":     {[]trial{of(9, 5), of(9, 5), unknown, of(9, 20), of(9, 20), unknown, of(9, 4), of(9, 6), unknown}, []bool{false, true, false}},
		"all but one":      {[]trial{of(9, 9), of(9, 9), unknown, of(9, 8), of(9, 9), unknown, of(9, 1), of(9, 2), unknown}, []bool{true, true, false}},
		"none":             {[]trial{of(9, 5), of(9, 5), unknown, of(9, 5), of(9, 5), unknown, of(9, 5), of(9, 5), unknown}, []bool{false, false, false}},
		"starts are equal": {[]trial{of(1, 5), of(1, 5), unknown, of(30, 5), of(30, 5), unknown, of(9, 5), of(9, 5), unknown}, []bool{false, false, false}},
		"no descents":      {[]trial{still, still, unknown, still, still, unknown, still, still, unknown}, []bool{false, false, false}},
	} {
		if got := fallenBehind(c.trials, 3, 2); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestRaceSaves: choices that have fallen behind after the first parts make no descents without the
// others, so that three costs take not much longer than two; of vectors that stay, each cost is
// judged by all parts.
func TestRaceSaves(t *testing.T) {
	rows := set(t, "moons", 300, 1)
	iterations := func(choose bool) (n int) {
		c := costToChoose(models.CSVC, 0.001)
		c.ChooseCost = choose
		c.Report = func(e train.Event) {
			if s, ok := e.(train.Solved); ok {
				n = s.Iterations
			}
		}
		trained(t, c, rows)
		return n
	}
	with, without := iterations(true), iterations(false)
	if !(with > without && float64(with) < 1.2*float64(without)) {
		t.Errorf("%d iterations with three costs, %d with two", with, without)
	}
	s := &search{Trainer: costToChoose(models.CSVC, math.Ldexp(1, -8)), d: rows, seed: 1}
	if err := s.compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.targets(); err != nil {
		t.Fatal(err)
	}
	all := s.choices()
	trials := make([]trial, len(all)*5)
	if err := s.tryParts(t.Context(), all, []bool{true, false, true}, trials, 2, 4); err != nil {
		t.Fatal(err)
	}
	for k, of := range trials {
		choice, part := k/5, k%5
		if tried, moved := len(of.curve) > 0, len(of.curve) > 1; tried != (part == 2 || part == 3) || moved != (tried && choice == 1) {
			t.Errorf("choice %d, part %d: %d judgements", choice, part, len(of.curve))
		}
	}
}
