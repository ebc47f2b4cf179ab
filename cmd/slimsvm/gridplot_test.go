package main

import (
	"bytes"
	"image/png"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// TestTitles: the longest lines above a picture are no wider than it.
func TestTitles(t *testing.T) {
	at := slices.IndexFunc(tally.Measures, func(m tally.Measure) bool { return m.Name == "rmse" })
	s := &search{chosenBy: &chosenBy{tally.Measures[at], true}}
	x := []float64{-14.99, -13.99}
	for _, name := range []string{"cost", "gamma", "epsilon"} {
		s.axes = append(s.axes, axis{name, "", powersOf(x), x})
	}
	s.points = points(s.axes)
	for range s.points {
		s.tried = append(s.tried, &tried{score: -1.23456e-10})
	}
	d := s.chart(&searched{Points: make([]gridPoint, mostPoints)}, s.points[3])
	want := [2]string{
		"root mean squared error -1.23456e-10, the lowest of 1000000 points; the map is of epsilon 6.14597e-05",
		"at cost 3.07298e-05 (2^-14.99), gamma 6.14597e-05 (2^-13.99), epsilon 6.14597e-05 (2^-13.99)",
	}
	if d.Title != want || d.Best != [2]int{0, 1} || len(d.Score) != 4 {
		t.Errorf("%q of %d points, the best is %v", d.Title, len(d.Score), d.Best)
	}
	image, err := png.DecodeConfig(bytes.NewReader(d.Draw(picture.PNG)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range d.Title {
		if wide := 7 * len(line); wide > image.Width/picture.Scale-2*8 {
			t.Errorf("%q is %d wide", line, wide)
		}
	}
}
