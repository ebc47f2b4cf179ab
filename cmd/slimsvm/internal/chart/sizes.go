package chart

import (
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// The size of a plot and its margins, in units.
const (
	plotWidth, plotHeight = 640, 400
	plotTop, plotEdge     = 24, 20
)

// mostTicks is the largest number of steps of an axis.
const mostTicks = 8

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// A Size is a model's number of vectors and its error.
type Size struct {
	Vectors int
	Error   float64
}

// drawable returns the sizes whose errors have a place in a plot, as those of squares that overflow have not.
func drawable(sizes []Size) []Size {
	return slices.DeleteFunc(slices.Clone(sizes), func(s Size) bool { return !isFinite(s.Error) })
}

// Sizes returns a plot of the errors of models by size as a file of the kind, with the parent's error as a dashed line.
func Sizes(kind picture.Kind, sizes []Size, parent float64, parentVectors int) []byte {
	const unit = picture.Unit
	f := picture.Frame{
		Canvas: picture.New(kind, plotWidth, plotHeight), Left: picture.MarginLeft * unit, Right: (plotWidth - plotEdge) * unit,
		Top: plotTop * unit, Bottom: (plotHeight - picture.MarginBottom) * unit,
	}
	sizes = drawable(sizes)
	high, last := 0.0, 1
	if isFinite(parent) {
		high = parent
	}
	for _, s := range sizes {
		high, last = max(high, s.Error), max(last, s.Vectors)
	}
	if high == 0 {
		high = 1
	}
	x := func(v float64) int { return picture.AxisPosition(f.Left, f.Right, v, 0, float64(last)) }
	y := func(e float64) int { return picture.AxisPosition(f.Bottom, f.Top, e, 0, high) }
	f.Border()
	f.Axis(false, "vectors", picture.Ticks(0, float64(last), min(last, mostTicks)), x)
	f.Axis(true, "error", picture.Ticks(0, high, mostTicks), y)
	f.Text(fmt.Sprintf("dashed: the model of %s", phrase.Count(parentVectors, "vector")), picture.Pt(f.Left, f.Top-6*unit), picture.Start, false)
	if isFinite(parent) {
		var dashes [][]picture.Point
		for v := f.Left; v < f.Right; v += 9 * unit {
			dashes = append(dashes, []picture.Point{picture.Pt(v, y(parent)), picture.Pt(min(v+5*unit, f.Right), y(parent))})
		}
		f.Stroke(grey, unit, dashes)
	}
	var line []picture.Point
	for _, s := range sizes {
		line = append(line, picture.Pt(x(float64(s.Vectors)), y(s.Error)))
	}
	f.Stroke(dotColours[0], 2*unit, [][]picture.Point{line})
	return f.Bytes()
}

// grey is the colour of lines that others are compared with.
const grey picture.Colour = 0x808080
