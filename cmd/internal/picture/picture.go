// Package picture draws charts as SVG or PNG. Both kinds of pictures show the same, and have the
// same bytes on every processor.
package picture

import (
	"fmt"
	"image/color"
	"math"
)

// A Kind is a format of pictures.
type Kind int

// The kinds of pictures.
const (
	None Kind = iota // no picture
	SVG
	PNG
)

// Unit is the length of a unit in coordinates: a pixel of SVG, two of PNG. Coordinates are whole
// numbers, so that both kinds of pictures have the same ones on every processor.
const Unit = 10

// A Point is a place in a picture, in tenths of a unit from the left and from the top.
type Point struct{ X, Y int }

// Pt returns a point.
func Pt(x, y int) Point { return Point{x, y} }

// Box returns the corners of a rectangle.
func Box(left, top, right, bottom int) []Point {
	return []Point{{left, top}, {right, top}, {right, bottom}, {left, bottom}}
}

// At returns the point nearest to a place in units.
func At(x, y float64) Point { return Point{tenths(x), tenths(y)} }

func tenths(units float64) int { return int(math.Round(units * Unit)) }

// A Colour is 0xRRGGBB.
type Colour uint32

// Black and White are colours.
const (
	Black Colour = 0
	White Colour = 0xffffff
)

// String returns #rrggbb.
func (c Colour) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

func (c Colour) rgba() color.RGBA {
	return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
}

// Blend returns the colour k n-ths of the way from c to another one; c if n is 0.
func (c Colour) Blend(to Colour, k, n int) (mixed Colour) {
	if n == 0 {
		return c
	}
	for shift := 0; shift < 24; shift += 8 {
		a, b := int(c>>shift&0xff), int(to>>shift&0xff)
		mixed |= Colour(a+(b-a)*k/n) << shift
	}
	return mixed
}

// An Anchor is the part of a text that is at the text's point.
type Anchor int

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// A Canvas is a picture under way. What lies outside of it is not seen.
type Canvas interface {
	// Fill fills polygons, which must be convex.
	Fill(c Colour, polygons [][]Point)
	// Stroke draws lines through points; width is in tenths of a unit.
	Stroke(c Colour, width int, lines [][]Point)
	// Discs draws filled circles; the radius is in tenths of a unit.
	Discs(c Colour, radius int, centres []Point)
	// Circles draws circles with lines of one unit; the radius is in tenths of a unit.
	Circles(c Colour, radius int, centres []Point)
	// Text writes black text on a line at a point. If upward, it is turned to the left.
	Text(text string, at Point, part Anchor, upward bool)
	// Bytes ends the picture and returns its file.
	Bytes() []byte
}

// New returns an empty white canvas; width and height are in units.
func New(kind Kind, width, height int) Canvas {
	if kind == PNG {
		return newPNG(width, height)
	}
	return newSVG(width, height)
}
