package chart

import (
	"bytes"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// linearDrawing returns a drawing of the regression w.x.
func linearDrawing(t *testing.T, w []float64, xs [][]float64, chosen []int32) *Drawing {
	t.Helper()
	numbers := []int32{1, 2, 3}
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Machines: []models.Machine{{Coef: []float64{1}}}}
	m.Vectors.Append(vec.Vector{Index: numbers[:len(w)], Value: w})
	rows := &format.Dataset{}
	for _, x := range xs {
		y := 0.0
		for k := range x {
			y += w[k] * x[k]
		}
		rows.Append(format.Instance{X: vec.Vector{Index: numbers[:len(x)], Value: x}, Y: y, Weight: 1})
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDrawing(p, nil, rows, chosen)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlotCurve: the curve of a regression, its rows and its vector are where they are by the numbers at the axes.
func TestPlotCurve(t *testing.T) {
	d := linearDrawing(t, []float64{2}, [][]float64{{0}, {4}, {10}}, nil)
	svg, err := d.Draw(t.Context(), picture.SVG)
	if err != nil {
		t.Fatal(err)
	}
	// both axes have a little more than the rows' range
	x := func(v float64) float64 { return 66 + 500*(v+10.0/40)/10.5 }
	low, high := 2*(-10.0/40), 2*(10+10.0/40)
	low, high = low-(high-low)/40, high+(high-low)/40
	y := func(v float64) float64 { return 524 - 500*(v-low)/(high-low) }
	found := map[string]int{}
	for _, s := range shapesOf(t, string(svg)) {
		for _, path := range s.paths {
			switch {
			case s.stroke == dotColours[1].String() && len(path) > 2:
				found["curve"]++
				for v := 0.0; v <= 10; v += 0.5 {
					if off := near(path, x(v), y(2*v)); !(off < 0.2) {
						t.Errorf("the curve is %v from its place at %v", off, v)
					}
				}
			case s.stroke == dotColours[0].String() && path[0][0] < 566:
				v := []float64{0, 4, 10}[found["rows"]]
				found["rows"]++
				if off := near(path, x(v), y(2*v)); !(off < 0.2) {
					t.Errorf("row %v is %v from its place", v, off)
				}
			case s.stroke == picture.Black.String() && s.width == 1.5 && near(path, x(2), y(4)) < 0.2:
				found["star"]++
			}
		}
	}
	if found["curve"] != 1 || found["rows"] != 3 || found["star"] != 3 {
		t.Errorf("%v", found)
	}
	for _, text := range []string{"feature 1", "target", "row", "prediction", "vector", "10"} {
		if !strings.Contains(string(svg), ">"+text+"</text>") {
			t.Errorf("no %q", text)
		}
	}
}

// TestPlotContours: a colour tells the prediction, in both kinds of pictures, where the other features are at their means.
func TestPlotContours(t *testing.T) {
	rows := [][]float64{{0, 0, 1}, {10, 0, 3}, {0, 10, 2}, {10, 10, 2}}
	for _, chosen := range [][]int32{nil, {1, 2}, {2, 1}} {
		w, of := []float64{1, 2, 5}, slices.Clone(rows)
		if chosen == nil {
			w = w[:2]
			for i := range of {
				of[i] = of[i][:2]
			}
		}
		d := linearDrawing(t, w, of, chosen)
		lines, err := d.Draw(t.Context(), picture.SVG)
		if err != nil {
			t.Fatal(err)
		}
		dots, err := d.Draw(t.Context(), picture.PNG)
		if err != nil {
			t.Fatal(err)
		}
		image, err := png.Decode(bytes.NewReader(dots))
		if err != nil {
			t.Fatal(err)
		}
		shapes, seen := shapesOf(t, string(lines)), map[string]bool{}
		base := 0.0
		if chosen != nil {
			base = 5 * 2
		}
		var low, high float64 = math.Inf(1), math.Inf(-1)
		value := func(x, y float64) float64 {
			a, b := d.values(x, y)
			if chosen != nil && chosen[0] == 2 {
				a, b = b, a
			}
			return a + 2*b + base
		}
		for _, corner := range [][2]float64{{0, 0}, {0, 500}, {500, 0}, {500, 500}} {
			low, high = min(low, value(corner[0], corner[1])), max(high, value(corner[0], corner[1]))
		}
		levels := slices.DeleteFunc(picture.Ticks(low, high, 8), func(v float64) bool { return v <= low || v >= high })
		compared := 0
		for x := 20.25; x < 480; x += 31 {
			for y := 20.25; y < 480; y += 7 {
				got := colourAt(shapes, picture.MarginLeft+x, drawingTop+y)
				if got == "" {
					continue
				}
				k := 0
				for k < len(levels) && levels[k] <= value(x, y) {
					k++
				}
				compared++
				seen[got] = true
				if want := levelColour(k, len(levels)).String(); got != want || pixelAt(image, picture.MarginLeft+x, drawingTop+y) != want {
					t.Fatalf("%v: at %v, %v the value %v of levels %v has %s in SVG and %s in PNG, want %s", chosen, x, y, value(x, y), levels, got, pixelAt(image, picture.MarginLeft+x, drawingTop+y), want)
				}
			}
		}
		for i, y := range d.rows.Y {
			k := 0
			for k < len(levels) && levels[k] <= y {
				k++
			}
			at := d.point(d.place(d.rows.X.Row(i)))
			if !slices.ContainsFunc(shapes, func(s shape) bool {
				return s.stroke == levelColour(k, len(levels)).String() && s.width == 4 && slices.ContainsFunc(s.paths, func(p [][2]float64) bool {
					return near(p, float64(at.X)/picture.Unit, float64(at.Y)/picture.Unit) < 0.01
				})
			}) {
				t.Errorf("%v: the row with target %v has not the colour of level %d of %v", chosen, y, k, levels)
			}
		}
		if compared < 500 || len(seen) < len(levels)-1 { // the first and the last colour may be in a corner only
			t.Errorf("%v: compared %d places of %d colours", chosen, compared, len(seen))
		}
	}
}
