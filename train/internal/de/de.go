// Package de minimises functions by differential evolution.
package de

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/internal/ended"
)

// Problem: given f: R^d -> R and a population z_1..z_n, improve the members.
//
// Method: a generation has a trial for each member i. Let v = z_r1 + F (z_r2 - z_r3) with r1, r2,
// r3 and i mutually different. From a random entry on, wrapping around, L entries of the trial are
// those of v, and the rest are those of z_i, where P(L >= k) = R^(k-1) and L is at most d
// (exponential crossover). The trial replaces z_i if it is not worse. Members are replaced after
// the whole generation is evaluated, so that it can be evaluated at once.
//
// Storn and Price, "Differential evolution", Journal of Global Optimization 11 (1997); in the form
// of Tang and Mazzoni, "Multiclass reduced-set support vector machines", ICML 2006, section 3.3.
// Two misprints there are corrected: the length has Pr(L > v) = R^(v-1), by which L could never be
// 1; and (14) compares the trial with the member of the next generation, which is still to be
// chosen, instead of the member of this one. The paper does not say that r1, r2 and r3 also differ
// from i.

// Settings are the method's parameters.
type Settings struct {
	Scale       float64 // F, above 0
	Crossover   float64 // R, from 0 to 1
	Generations int
}

// Default returns the settings of Tang and Mazzoni.
func Default() Settings { return Settings{Scale: 0.8, Crossover: 0.95, Generations: 100} }

// Validate returns an error unless the settings make sense.
func (s Settings) Validate() error {
	switch {
	case !(s.Scale > 0) || math.IsInf(s.Scale, 0):
		return fmt.Errorf("scale %v is not positive and finite", s.Scale)
	case !(s.Crossover >= 0 && s.Crossover <= 1):
		return fmt.Errorf("crossover %v is not between 0 and 1", s.Crossover)
	case s.Generations < 0:
		return fmt.Errorf("%d generations", s.Generations)
	}
	return nil
}

// minMembers is the smallest population in which each member has three others.
const minMembers = 4

// A Function is what is minimised. NaN is worse than any number.
type Function interface {
	// Evaluate sets dst[i] to the value of member i, xs[i]. It is called once, before any other
	// method. xs remains the slice of current members while they change.
	Evaluate(dst []float64, xs [][]float64)
	// EvaluateTrial sets dst[i] to the value of trial i. It may call Swap on trials and members, if
	// it swaps them back.
	EvaluateTrial(dst []float64, trials []Trial)
	// Accept announces that the latest trial i replaces member i.
	Accept(i int)
}

// A Trial has the entries in which it differs from the member with the same number: those from From
// on, wrapping around.
type Trial struct {
	From    int
	Entries []float64
}

// Swap exchanges the trial's entries with those of x. If x is the member, it becomes the trial; a
// second call restores the member.
func (t *Trial) Swap(x []float64) {
	first := min(len(t.Entries), len(x)-t.From)
	for k, v := range t.Entries[:first] {
		t.Entries[k], x[t.From+k] = x[t.From+k], v
	}
	for k, v := range t.Entries[first:] {
		t.Entries[first+k], x[k] = x[k], v
	}
}

// Minimize improves the members of population in place and returns their values. Members are
// vectors of equal length. A population of fewer than four members is only evaluated. The result
// depends only on the arguments and the state of rng. If ctx ends, Minimize returns its error, and
// the members are those of the last complete generation.
func (s Settings) Minimize(ctx context.Context, rng *rand.Rand, population [][]float64, f Function) ([]float64, error) {
	n := len(population)
	values := make([]float64, n)
	if n == 0 {
		return values, nil
	}
	d := len(population[0])
	for _, z := range population {
		if len(z) != d {
			panic("de: members differ in length")
		}
	}
	f.Evaluate(values, population)
	if n < minMembers || d == 0 {
		return values, nil
	}
	trials := make([]Trial, n)
	trialValues := make([]float64, n)
	for range s.Generations {
		if err := ended.Err(ctx); err != nil {
			return values, err
		}
		for i := range trials {
			s.trial(rng, &trials[i], population, i)
		}
		f.EvaluateTrial(trialValues, trials)
		for i, v := range trialValues {
			if v <= values[i] || math.IsNaN(values[i]) {
				f.Accept(i)
				trials[i].Swap(population[i])
				values[i] = v
			}
		}
	}
	return values, nil
}

// trial sets t to the trial of member i.
func (s Settings) trial(rng *rand.Rand, t *Trial, population [][]float64, i int) {
	a, b, c := others(rng, len(population), i)
	za, zb, zc := population[a], population[b], population[c]
	d := len(za)
	at := rng.IntN(d)
	t.From, t.Entries = at, t.Entries[:0]
	for {
		t.Entries = append(t.Entries, za[at]+float64(s.Scale*(zb[at]-zc[at])))
		if at++; at == d {
			at = 0
		}
		if len(t.Entries) == d || rng.Float64() >= s.Crossover {
			return
		}
	}
}

// others draws three different members out of n, none of them i.
func others(rng *rand.Rand, n, i int) (a, b, c int) {
	for a = i; a == i; {
		a = rng.IntN(n)
	}
	for b = i; b == i || b == a; {
		b = rng.IntN(n)
	}
	for c = i; c == i || c == a || c == b; {
		c = rng.IntN(n)
	}
	return a, b, c
}
