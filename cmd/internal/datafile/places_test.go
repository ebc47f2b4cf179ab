package datafile

import (
	"math/rand/v2"
	"testing"
)

// TestPlaces: the places are those of a plain list, and a file without gaps takes no
// memory for its rows.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var places Places
		var list []int
		place := 0
		for range 40 {
			place += 1 + max(0, rng.IntN(6)-3)
			places.Add(place)
			list = append(list, place)
		}
		if places.Len() != len(list) {
			t.Fatalf("%d rows, expected %d", places.Len(), len(list))
		}
		for i, want := range list {
			if got := places.Of(i); got != want {
				t.Fatalf("row %d stands in %d, expected %d of %v", i, got, want, list)
			}
		}
	}
	var places Places
	for i := range 1000 {
		places.Add(3 + i)
	}
	if len(places.runs) != 1 {
		t.Errorf("%d runs of rows without a gap", len(places.runs))
	}
}
