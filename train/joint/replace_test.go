package joint

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// bumps returns rows about two places so far apart that a vector near one has no gradient from the
// other, with targets that a vector at each describes.
func bumps() *format.Dataset {
	d := new(format.Dataset)
	for i := range 80 {
		at := float64(i%40)/10 - 2
		v := vec.Vector{Index: []int32{1, 2}, Value: []float64{at, 1}}
		y := 4 * math.Exp(-at*at)
		if i >= 40 {
			v.Value[0] += 90
			y = -3 * math.Exp(-at*at/2)
		}
		d.Append(format.Instance{X: v, Y: y, Weight: 1})
	}
	return d
}

// ofBumps returns a regression that begins with the given vectors.
func ofBumps(at ...float64) Trainer {
	t := Default()
	t.Task, t.Loss, t.Kernel, t.Cost, t.HeldOut = models.EpsilonSVR, Squared, kernel.RBF{Gamma: 0.7}, 10, 0
	given := Given{From: "given"}
	for _, v := range at {
		given.Zs.Append(vec.Vector{Index: []int32{1, 2}, Value: []float64{v, 1}})
	}
	t.Starts, t.Vectors = []Basis{given}, len(at)
	return t
}

// TestReplacement: a regression whose vectors all begin at one of two places gets one at the other.
// With a pull, or too few evaluations, they stay at the place. The number of threads does not matter.
func TestReplacement(t *testing.T) {
	far := func(m *models.Model) (n int) {
		for j := range m.Vectors.Len() {
			if m.Vectors.Row(j).Value[0] > 45 {
				n++
			}
		}
		return n
	}
	for name, c := range map[string]struct {
		change func(*Trainer)
		far    bool
	}{
		"as usual":        {func(*Trainer) {}, true},
		"insensitive":     {func(c *Trainer) { c.Loss = Insensitive }, true},
		"held out":        {func(c *Trainer) { c.HeldOut = 0.2 }, true},
		"pull":            {func(c *Trainer) { c.Pull = 1e-9 }, false},
		"few evaluations": {func(c *Trainer) { c.Evaluations = 2*replacingEvery - 1 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var one bytes.Buffer
			for _, threads := range []int{1, 3} {
				of := ofBumps(-1, 0.5, 1)
				c.change(&of)
				of.Threads = threads
				m, err := of.Train(t.Context(), bumps(), train.NewRand(1))
				if err != nil {
					t.Fatal(err)
				}
				if n := far(m); (n > 0) != c.far || m.Vectors.Len() != 3 {
					t.Errorf("%d of %d vectors are at the far place", n, m.Vectors.Len())
				}
				var text bytes.Buffer
				fmt.Fprint(&text, m.Kernel, m.Vectors, m.Machines, m.Provenance)
				if threads == 1 {
					one = text
				} else if text.String() != one.String() {
					t.Error("another model with more threads")
				}
			}
		})
	}
}

// TestReplacementLooks: looks see the best so far, which is what a descent ends with, whenever that
// is.
func TestReplacementLooks(t *testing.T) {
	for _, iterations := range []int{math.MaxInt, 130, 95, 60} {
		s := searchOf(t, ofBumps(-1, 0.5, 1), bumps())
		rows := newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
		c, err := s.begin(t.Context(), choice{loss: Squared, cost: 1}, s.rows, rows)
		if err != nil {
			t.Fatal(err)
		}
		valueOf := func(c *candidate) float64 {
			return s.objective(c, rows).value(t.Context(), &c.point, gradientOf(&c.point))
		}
		least := valueOf(c)
		err = s.descend(t.Context(), c, rows, iterations, func(now *candidate, value float64) bool {
			if v := valueOf(now); value > least || math.Abs(v-value) > 1e-9*value {
				t.Errorf("a look at %v with the value %v after %v", v, value, least)
			}
			least = value
			return true
		})
		if v := valueOf(c); err != nil || v > least {
			t.Errorf("%d iterations: %v after %v, error %v", iterations, v, least, err)
		}
		if most := s.Evaluations + s.Evaluations/2 + 10; c.evaluations > most {
			t.Errorf("%d evaluations of at most %d", c.evaluations, most)
		}
	}
}

// TestReplaced: with a squared loss, the vector that is removed is the one without which the
// objective is least, and the one that is added decreases it most with its own weight.
func TestReplaced(t *testing.T) {
	s := searchOf(t, ofBumps(-1.8, -0.9, 0.2, 0.8, 1.1, 88.5), bumps())
	rows := newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
	c, err := s.begin(t.Context(), choice{loss: Squared, cost: 1}, s.rows, rows)
	if err != nil {
		t.Fatal(err)
	}
	valueOf := func(c *candidate) float64 {
		return s.fixed(c, rows).value(t.Context(), &c.point, gradientOf(&c.point))
	}
	var without []float64
	for j := range c.vectors {
		d := c.clone()
		d.z, d.b = slices.Delete(d.z, j*s.inputs, (j+1)*s.inputs), slices.Delete(d.b, j, j+1)
		d.vectors--
		if err := s.fitWeights(t.Context(), d, rows); err != nil {
			t.Fatal(err)
		}
		without = append(without, d.value)
	}
	least := slices.Index(without, slices.Min(without))
	want := slices.Delete(slices.Clone(c.z), least*s.inputs, (least+1)*s.inputs)
	if s.remove(t.Context(), c, 1, rows); !slices.Equal(c.z, want) || c.vectors != 5 {
		t.Fatalf("%v are left, want %v", c.z, want)
	}
	if err := s.fitWeights(t.Context(), c, rows); err != nil {
		t.Fatal(err)
	}
	proposed := s.propose(rows, newRand(3, 1))
	best := math.Inf(1)
	for z := range slices.Chunk(proposed, s.inputs) {
		var v [3]float64
		for k := range v { // a parabola of the weight
			d := c.clone()
			d.z, d.b = append(d.z, z...), append(d.b, float64(k-1))
			d.vectors++
			v[k] = valueOf(d)
		}
		slope, curvature := (v[2]-v[0])/2, v[0]+v[2]-2*v[1]
		best = min(best, v[1]-slope*slope/(2*curvature))
	}
	if !s.add(t.Context(), c, proposed, rows) || c.vectors != 6 || len(c.z) != len(c.begun) {
		t.Fatal("no vector is added")
	}
	if v := valueOf(c); math.Abs(v-best) > 1e-9*best {
		t.Errorf("%v with a vector added, want %v", v, best)
	}
	for i := range c.b { // nothing is left to describe
		c.b[i] = 0
	}
	for i := range s.y {
		s.y[i].value = -c.rho[0]
	}
	rows = newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
	if s.add(t.Context(), c, proposed, rows) {
		t.Error("a vector is added that decreases nothing")
	}
}
