package chart

import (
	"bytes"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
)

// A plot in PNG has its curve where that in SVG has it.
func TestCurvePicture(t *testing.T) {
	sizes := []Size{{1, 0.5}, {5, 0.25}, {10, 0.125}}
	dots, err := png.Decode(bytes.NewReader(Sizes(picture.PNG, sizes, 0.1, 40)))
	if err != nil {
		t.Fatal(err)
	}
	if b := dots.Bounds(); b.Dx() != picture.Scale*plotWidth || b.Dy() != picture.Scale*plotHeight {
		t.Errorf("bounds %v", b)
	}
	shapes := shapesOf(t, string(Sizes(picture.SVG, sizes, 0.1, 40)))
	line := shapes[slices.IndexFunc(shapes, func(s shape) bool { return s.stroke == dotColours[0].String() })].paths[0]
	x := func(v float64) float64 { return picture.MarginLeft + v/10*(plotWidth-plotEdge-picture.MarginLeft) }
	y := func(e float64) float64 {
		return plotHeight - picture.MarginBottom - e/0.5*(plotHeight-picture.MarginBottom-plotTop)
	}
	blue := func(v, e float64) bool {
		on := near(line, x(v), y(e)) < 0.2
		if pixelAt(dots, x(v), y(e)) != dotColours[0].String() == on {
			t.Errorf("%v, %v: on the curve of SVG: %t, in PNG %s", v, e, on, pixelAt(dots, x(v), y(e)))
		}
		return on
	}
	if !blue(1, 0.5) || !blue(3, 0.375) || !blue(5, 0.25) || !blue(10, 0.125) || blue(3, 0.25) || blue(7, 0.4) {
		t.Error("the curve is elsewhere")
	}
	for _, odd := range []float64{math.NaN(), 0} { // no model to compare with, no errors
		if _, err := png.Decode(bytes.NewReader(Sizes(picture.PNG, nil, odd, 0))); err != nil {
			t.Errorf("parent %v: %v", odd, err)
		}
	}
}

// TestCurveOfOverflow: errors that are not finite, as squares of targets of 1e200, have no place in a plot: PNG did not
// end where others were, SVG had Inf among its numbers. Those that have one are drawn as large as ever.
func TestCurveOfOverflow(t *testing.T) {
	inf := math.Inf(1)
	plain := []Size{{1, 4e300}, {2, 2e300}, {4, 1e300}}
	for _, parent := range []float64{1e300, math.Inf(1), math.NaN()} {
		all := slices.Concat([]Size{{1, inf}}, plain, []Size{{4, math.NaN()}})
		svg := string(Sizes(picture.SVG, all, parent, 9))
		if strings.Contains(svg, "Inf") || strings.Contains(svg, "NaN") || !strings.Contains(svg, `d="M204.5 24l138.5 163 277 81.5"/>`) {
			t.Errorf("%v: %s", parent, svg)
		}
		if got, want := Sizes(picture.PNG, all, parent, 9), Sizes(picture.PNG, plain, parent, 9); !bytes.Equal(got, want) {
			t.Errorf("%v: another picture than of the finite errors", parent)
		}
	}
}
