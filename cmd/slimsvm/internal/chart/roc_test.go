package chart

import (
	"bytes"
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/predict"
)

// TestROCPicture: a curve is where its points are, in both kinds of pictures.
func TestROCPicture(t *testing.T) {
	points := func(rates ...[2]float64) (list []predict.ROCPoint) {
		for _, r := range rates {
			list = append(list, predict.ROCPoint{FalsePositiveRate: r[0], TruePositiveRate: r[1]})
		}
		return list
	}
	curves := []tally.Curve{
		{Label: "<a>", Place: 0, Area: 0.75, Points: points([2]float64{}, [2]float64{0, 0.5}, [2]float64{0.5, 1}, [2]float64{1, 1})},
		{Label: "a label with a long name", Place: 3, Area: 0.5, Points: points([2]float64{}, [2]float64{1, 1})},
	}
	svg := string(ROC(picture.SVG, curves))
	image, err := png.Decode(bytes.NewReader(ROC(picture.PNG, curves)))
	if err != nil {
		t.Fatal(err)
	}
	x := func(v float64) float64 { return 66 + 420*v }
	y := func(v float64) float64 { return 436 - 420*v }
	drawn := map[string][][2]float64{}
	for _, s := range shapesOf(t, svg) {
		if s.width == 2 && drawn[s.stroke] == nil {
			drawn[s.stroke] = s.paths[0]
		}
	}
	for _, c := range []struct {
		place int
		at    [][2]float64
	}{{0, [][2]float64{{0, 0.25}, {0.25, 0.75}, {0.4, 0.9}}}, {3, [][2]float64{{0.25, 0.25}, {0.6, 0.6}}}} {
		for _, at := range c.at {
			if off := near(drawn[dotColours[c.place].String()], x(at[0]), y(at[1])); !(off < 0.2) {
				t.Errorf("curve %d is %v from %v", c.place, off, at)
			}
			if got := pixelAt(image, x(at[0]), y(at[1])); at[0] > 0 && got != dotColours[c.place].String() {
				t.Errorf("curve %d is not at %v in PNG: %s", c.place, at, got)
			}
		}
	}
	for _, text := range []string{"label, ROC area", "&lt;a&gt; 0.7500", "a label wi... 0.5000", "false positive rate", "true positive rate"} {
		if strings.Count(svg, ">"+text+"</text>") != 1 {
			t.Errorf("%q is not there once", text)
		}
	}
	many := make([]tally.Curve, 50)
	for k := range many {
		many[k] = tally.Curve{Label: strconv.Itoa(k), Place: k, Area: 0.5, Points: curves[1].Points}
	}
	if svg := string(ROC(picture.SVG, many)); !strings.Contains(svg, ">and 30 more</text>") {
		t.Error("not all labels are listed, and nothing says so")
	}
}
