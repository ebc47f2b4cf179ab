package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestRowPlaces: the places are those of a plain list, and a file without gaps takes no
// memory for its rows.
func TestRowPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		places, list, some := &rowPlaces{lines: true}, []int{}, []int{}
		place := 0
		for i := range 40 {
			place += 1 + max(0, rng.IntN(6)-3)
			places.add(place)
			list = append(list, place)
			if rng.IntN(3) > 0 {
				some = append(some, i)
			}
		}
		for i, want := range list {
			if got := places.of(i); got != want {
				t.Fatalf("row %d stands in %d, expected %d of %v", i, got, want, list)
			}
		}
		for k, i := range some {
			if got := places.selected(some).of(k); got != list[i] {
				t.Fatalf("row %d of %v stands in %d, expected %d", k, some, got, list[i])
			}
		}
	}
	places := new(rowPlaces)
	for i := range 1000 {
		places.add(3 + i)
	}
	if len(places.runs) != 1 || places.selected(nil) != places {
		t.Errorf("%d runs of rows without a gap", len(places.runs))
	}
	cause := errors.New("cause")
	for _, c := range []struct {
		lines bool
		err   error
		want  string
	}{
		{true, &train.RowError{Row: 4, Err: cause}, "f:7: cause"},
		{false, fmt.Errorf("fold: %w", &train.RowError{Row: 4, Err: cause}), "f: row 7: cause"},
		{true, cause, "f: cause"},
	} {
		places.lines = c.lines
		if got := places.fault("f", c.err).Error(); got != c.want {
			t.Errorf("%s, expected %s", got, c.want)
		}
	}
}
