package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// sized is a size of a model and its error.
type sized struct {
	Vectors int             `json:"vectors"`
	Error   jsonline.Number `json:"error"`
}

// curveText returns the errors of models by size: a table with tabs, or if the
// file's name says so with commas, or a plot.
func curveText(path string, sizes []sized, parent float64, parentVectors int) []byte {
	if kind, _ := pictureOf("--curve", path); kind != picture.None {
		return curvePlot(kind, sizes, parent, parentVectors)
	}
	between := "\t"
	if extension(path) == ".csv" {
		between = ","
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "vectors%serror\n", between)
	for _, s := range sizes {
		fmt.Fprintf(&b, "%d%s%.6g\n", s.Vectors, between, float64(s.Error))
	}
	fmt.Fprintf(&b, "%d%s%.6g\n", parentVectors, between, parent)
	return b.Bytes()
}

// The size of a plot and its margins, in units.
const (
	plotWidth, plotHeight = 640, 400
	plotTop, plotEdge     = 24, 20
)

// mostTicks is the largest number of steps of an axis.
const mostTicks = 8

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// drawable returns the sizes whose errors have a place in a plot, as those of squares that overflow have not.
func drawable(sizes []sized) []sized {
	return slices.DeleteFunc(slices.Clone(sizes), func(s sized) bool { return !isFinite(float64(s.Error)) })
}

// curvePlot returns a plot of the errors by size, with the parent's error as a dashed line.
func curvePlot(kind picture.Kind, sizes []sized, parent float64, parentVectors int) []byte {
	const unit = picture.Unit
	f := picture.Frame{
		Canvas: picture.New(kind, plotWidth, plotHeight), Left: picture.RoomLeft * unit, Right: (plotWidth - plotEdge) * unit,
		Top: plotTop * unit, Bottom: (plotHeight - picture.RoomBelow) * unit,
	}
	sizes = drawable(sizes)
	high, last := 0.0, 1
	if isFinite(parent) {
		high = parent
	}
	for _, s := range sizes {
		high, last = max(high, float64(s.Error)), max(last, s.Vectors)
	}
	if high == 0 {
		high = 1
	}
	x := func(v float64) int { return picture.Along(f.Left, f.Right, v, 0, float64(last)) }
	y := func(e float64) int { return picture.Along(f.Bottom, f.Top, e, 0, high) }
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
		line = append(line, picture.Pt(x(float64(s.Vectors)), y(float64(s.Error))))
	}
	f.Stroke(dotColours[0], 2*unit, [][]picture.Point{line})
	return f.Bytes()
}

// grey is the colour of lines that others are compared with.
const grey picture.Colour = 0x808080
