package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestRowPlaces: the places of some rows are those of a plain list, and a fault of a row has its place.
func TestRowPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		places, list, some := &rowPlaces{lines: true}, []int{}, []int{}
		place := 0
		for i := range 40 {
			place += 1 + max(0, rng.IntN(6)-3)
			places.Add(place)
			list = append(list, place)
			if rng.IntN(3) > 0 {
				some = append(some, i)
			}
		}
		for k, i := range some {
			if got := places.selected(some).Of(k); got != list[i] {
				t.Fatalf("row %d of %v stands in %d, expected %d", k, some, got, list[i])
			}
		}
	}
	places := new(rowPlaces)
	for i := range 1000 {
		places.Add(3 + i)
	}
	if places.selected(nil) != places {
		t.Error("all rows have places of their own")
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
