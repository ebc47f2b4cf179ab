package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// picture is a plot under way, at twice the size of the SVG's units.
type picture struct{ *image.RGBA }

const pictureScale = 2

// curvePicture returns the plot of curvePlot in PNG.
func curvePicture(sizes []sized, parent float64, parentVectors int) []byte {
	p := picture{image.NewRGBA(image.Rect(0, 0, pictureScale*plotWidth, pictureScale*plotHeight))}
	for i := range p.Pix {
		p.Pix[i] = 0xff
	}
	high, last, x, y := plotScales(sizes, parent)
	black := color.Gray{}
	p.line(x(0), y(high), x(0), y(0), black, 1)
	p.line(x(0), y(0), x(float64(last)), y(0), black, 1)
	for i := range plotTicks + 1 {
		e, v := high*float64(i)/plotTicks, float64(last)*float64(i)/plotTicks
		p.write(fmt.Sprintf("%.3g", e), x(0)-6, y(e)+4, atEnd, false)
		p.write(fmt.Sprintf("%.4g", v), x(v), y(0)+16, atMiddle, false)
	}
	p.write("vectors", x(float64(last)/2), plotHeight-12, atMiddle, false)
	p.write(curveTitle(parentVectors), plotLeft, y(high)-6, atStart, false)
	if isFinite(parent) {
		for v := x(0); v < x(float64(last)); v += 9 {
			p.line(v, y(parent), min(v+5, x(float64(last))), y(parent), color.Gray{128}, 1)
		}
	}
	drawn := drawable(sizes)
	blue := color.RGBA{0, 0x66, 0xcc, 0xff}
	for i, s := range drawn {
		from := drawn[max(0, i-1)]
		p.line(x(float64(from.Vectors)), y(float64(from.Error)), x(float64(s.Vectors)), y(float64(s.Error)), blue, 2)
	}
	return p.encoded()
}

// dot makes a square black, side and centre in pixels.
func (p picture) dot(x, y float64, c color.Color, side int) {
	left, top := int(math.Round(x))-side/2, int(math.Round(y))-side/2
	for dy := range side {
		for dx := range side {
			p.Set(left+dx, top+dy, c)
		}
	}
}

// line draws a line; places and width are in units of the plot.
func (p picture) line(x0, y0, x1, y1 float64, c color.Color, width int) {
	dx, dy := pictureScale*(x1-x0), pictureScale*(y1-y0)
	steps := max(1, math.Ceil(max(math.Abs(dx), math.Abs(dy))))
	for i := 0.0; i <= steps; i++ {
		p.dot(pictureScale*x0+dx*i/steps, pictureScale*y0+dy*i/steps, c, pictureScale*width)
	}
}
