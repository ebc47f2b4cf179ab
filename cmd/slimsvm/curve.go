package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// sized is a size of a model and its error.
type sized struct {
	Vectors int    `json:"vectors"`
	Error   number `json:"error"`
}

// curveText returns the errors of models by size: a table with tabs, or if the
// file's name says so with commas, or a plot.
func curveText(path string, sizes []sized, parent float64, parentVectors int) []byte {
	switch kind, _ := pictureOf("--curve", path); kind {
	case pictureOfLines:
		return curvePlot(sizes, parent, parentVectors)
	case pictureOfDots:
		return curvePicture(sizes, parent, parentVectors)
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

// The plot's size and margins, in pixels.
const (
	plotWidth, plotHeight = 640, 400
	plotLeft, plotBottom  = 70, 50
	plotEdge              = 20
)

// plotTicks is the number of steps of an axis.
const plotTicks = 5

// plotScales returns the ends of the axes, the largest finite error and the largest size,
// and where these are in a plot.
func plotScales(sizes []sized, parent float64) (high float64, last int, x, y func(float64) float64) {
	last = 1
	if isFinite(parent) {
		high = parent
	}
	for _, s := range sizes {
		if isFinite(float64(s.Error)) {
			high = max(high, float64(s.Error))
		}
		last = max(last, s.Vectors)
	}
	if high == 0 {
		high = 1
	}
	x = func(v float64) float64 { return plotLeft + float64(v/float64(last)*(plotWidth-plotLeft-plotEdge)) }
	y = func(e float64) float64 {
		return plotHeight - plotBottom - float64(e/high*(plotHeight-plotBottom-plotEdge))
	}
	return high, last, x, y
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// drawable returns the sizes whose errors have a place in a plot, as those of squares that overflow have not.
func drawable(sizes []sized) []sized {
	return slices.DeleteFunc(slices.Clone(sizes), func(s sized) bool { return !isFinite(float64(s.Error)) })
}

// curveTitle says what is drawn.
func curveTitle(parentVectors int) string {
	return fmt.Sprintf("error; dashed: the model of %d vectors", parentVectors)
}

// curvePlot returns a plot of the errors against the size, with the parent's as a
// dashed line, in SVG.
func curvePlot(sizes []sized, parent float64, parentVectors int) []byte {
	high, last, x, y := plotScales(sizes, parent)
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", plotWidth, plotHeight)
	fmt.Fprintf(&b, "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"black\"/>\n", x(0), y(high), y(0), x(float64(last)))
	for i := range plotTicks + 1 {
		e, v := high*float64(i)/plotTicks, float64(last)*float64(i)/plotTicks
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", x(0)-6, y(e)+4, e)
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.4g</text>\n", x(v), y(0)+16, v)
	}
	fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">vectors</text>\n", x(float64(last)/2), plotHeight-12)
	fmt.Fprintf(&b, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", plotLeft, y(high)-6, curveTitle(parentVectors))
	if isFinite(parent) {
		fmt.Fprintf(&b, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"gray\" stroke-dasharray=\"5 4\"/>\n", x(0), y(parent), x(float64(last)))
	}
	b.WriteString("<polyline fill=\"none\" stroke=\"#06c\" stroke-width=\"2\" points=\"")
	for _, s := range drawable(sizes) {
		fmt.Fprintf(&b, "%.1f,%.1f ", x(float64(s.Vectors)), y(float64(s.Error)))
	}
	b.WriteString("\"/>\n</svg>\n")
	return b.Bytes()
}
