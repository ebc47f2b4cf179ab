package main

import (
	"math"
	"testing"
)

// The probabilities of a fair coin, by hand.
func TestTail(t *testing.T) {
	for _, c := range []struct {
		k, n int
		want float64
	}{{0, 0, 1}, {0, 5, 1}, {5, 5, 1.0 / 32}, {4, 5, 6.0 / 32}, {9, 12, 299.0 / 4096}, {4, 4, 1.0 / 16}} {
		if got := tail(c.k, c.n); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%d of %d: %v, want %v", c.k, c.n, got, c.want)
		}
	}
	if got := tail(5000, 9999); !(math.Abs(got-0.5) <= 1e-10) {
		t.Errorf("5000 of 9999: %v", got)
	}
}

// A kernel is chosen before the best if the errors that it alone makes may be chance.
func TestSmoothest(t *testing.T) {
	of := func(gamma float64, wrong ...int) tried {
		r := tried{gamma: gamma, wrong: make([]bool, 20), errors: len(wrong)}
		for _, i := range wrong {
			r.wrong[i] = true
		}
		return r
	}
	all := []tried{
		of(1, 0, 1, 2, 3, 4, 5), // five more, none less: 1/32
		of(2, 0, 1, 2, 3, 4),    // four more: 1/16
		of(3, 0), of(4, 5, 6),
	}
	if got := least(all).gamma; got != 3 {
		t.Errorf("least errors at %v", got)
	}
	if got := smoothest(all).gamma; got != 2 {
		t.Errorf("smoothest at %v", got)
	}
	if got := smoothest(all[2:]).gamma; got != 3 {
		t.Errorf("smoothest of the last at %v", got)
	}
}
