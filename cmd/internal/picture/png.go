package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	imagepng "image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Scale is the number of pixels of a unit in PNG.
const Scale = 2

// png is a canvas whose picture is PNG.
type png struct{ *image.RGBA }

func newPNG(width, height int) png {
	c := png{image.NewRGBA(image.Rect(0, 0, Scale*width, Scale*height))}
	draw.Draw(c, c.Bounds(), image.White, image.Point{}, draw.Src)
	return c
}

// pixels returns a length in tenths of a unit in pixels.
func pixels(tenths int) float64 { return float64(Scale*tenths) / Unit }

// Fill colours the pixels whose centres are in a polygon.
func (c png) Fill(colour Colour, polygons [][]Point) {
	const side, half = Unit / Scale, Unit / Scale / 2.0 // of a pixel, in tenths
	ink := colour.rgba()
	for _, list := range polygons {
		top, bottom := list[0].Y, list[0].Y
		for _, p := range list {
			top, bottom = min(top, p.Y), max(bottom, p.Y)
		}
		for row := top / side; row <= bottom/side; row++ {
			y := float64(row*side) + half
			left, right := math.Inf(1), math.Inf(-1)
			for i, p := range list {
				q := list[(i+1)%len(list)]
				if (float64(p.Y) <= y) != (float64(q.Y) <= y) {
					x := float64(p.X) + float64((y-float64(p.Y))*float64(q.X-p.X))/float64(q.Y-p.Y)
					left, right = min(left, x), max(right, x)
				}
			}
			if left > right {
				continue
			}
			for column := int(math.Ceil((left - half) / side)); float64(column*side)+half < right; column++ {
				c.SetRGBA(column, row, ink)
			}
		}
	}
}

// dot draws a square; its side and its centre are in pixels.
func (c png) dot(x, y float64, ink color.RGBA, side int) {
	left, top := int(math.Round(x))-side/2, int(math.Round(y))-side/2
	for dy := range side {
		for dx := range side {
			c.SetRGBA(left+dx, top+dy, ink)
		}
	}
}

// Stroke draws a square at every pixel of the lines.
func (c png) Stroke(colour Colour, width int, lines [][]Point) {
	ink, side := colour.rgba(), max(1, int(math.Round(pixels(width))))
	for _, list := range lines {
		for i, p := range list {
			q := list[max(0, i-1)]
			dx, dy := pixels(p.X-q.X), pixels(p.Y-q.Y)
			steps := max(1, math.Ceil(max(math.Abs(dx), math.Abs(dy))))
			for k := 0.0; k <= steps; k++ {
				c.dot(pixels(q.X)+dx*k/steps, pixels(q.Y)+dy*k/steps, ink, side)
			}
		}
	}
}

func (c png) Discs(colour Colour, radius int, centres []Point) {
	r := pixels(radius)
	c.round(colour, centres, r, func(d float64) bool { return d <= float64(r*r) })
}

func (c png) Circles(colour Colour, radius int, centres []Point) {
	outer := pixels(radius + Unit/2)
	inner := outer - pixels(Unit)
	c.round(colour, centres, outer, func(d float64) bool { return d <= float64(outer*outer) && d >= float64(inner*inner) })
}

// round colours pixels around each of the centres, up to a radius in pixels: those for whose squared distance in
// reports true.
func (c png) round(colour Colour, centres []Point, radius float64, in func(squared float64) bool) {
	ink := colour.rgba()
	for _, p := range centres {
		for dy := -radius; dy <= radius; dy++ {
			for dx := -radius; dx <= radius; dx++ {
				if in(float64(dx*dx) + float64(dy*dy)) {
					c.dot(pixels(p.X)+dx, pixels(p.Y)+dy, ink, 1)
				}
			}
		}
	}
}

// Text writes in a font of fixed width, as large as SVG's. It has ASCII's characters; others are a sign for an
// unknown one.
func (c png) Text(text string, at Point, part Anchor, upward bool) {
	face := basicfont.Face7x13
	line := image.NewAlpha(image.Rect(0, 0, font.MeasureString(face, text).Ceil(), face.Height))
	writer := font.Drawer{Dst: line, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	writer.DrawString(text)
	from := -Scale * line.Rect.Dx() * int(part) / 2
	for y := range line.Rect.Dy() {
		for x := range line.Rect.Dx() {
			if line.AlphaAt(x, y).A == 0 {
				continue
			}
			right, up := float64(from+Scale*x), float64(Scale*(face.Ascent-y))
			if upward {
				c.dot(pixels(at.X)-up, pixels(at.Y)-right, Black.rgba(), Scale)
			} else {
				c.dot(pixels(at.X)+right, pixels(at.Y)-up, Black.rgba(), Scale)
			}
		}
	}
}

func (c png) Bytes() []byte {
	var b bytes.Buffer
	if err := imagepng.Encode(&b, c); err != nil {
		panic("picture: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}
