package main

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"strconv"
)

// A spot is a place in a picture, in tenths of the plot's units: whole numbers, so that both kinds of pictures have the
// same on every processor.
type spot struct{ x, y int }

// spots are the unit of places.
const spots = 10

// A canvas is what a picture is drawn on, SVG or PNG. Colours are #rrggbb.
type canvas interface {
	fill(colour string, polygons [][]spot)               // convex ones
	stroke(colour string, width int, lines [][]spot)     // width in units
	disc(colour string, radius int, centres []spot)      // radius in tenths of units
	text(text string, at spot, part anchor, upward bool) // upward: it is turned to the left
	bytes() []byte
}

// newCanvas returns an empty white picture of a size in units.
func newCanvas(kind pictureKind, width, height int) canvas {
	if kind == pictureOfDots {
		p := dotCanvas{picture{image.NewRGBA(image.Rect(0, 0, pictureScale*width, pictureScale*height))}}
		for i := range p.Pix {
			p.Pix[i] = 0xff
		}
		return p
	}
	c := new(lineCanvas)
	fmt.Fprintf(&c.b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprintf(&c.b, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height)
	return c
}

// lineCanvas is SVG.
type lineCanvas struct{ b bytes.Buffer }

// tenths appends a number of tenths, with a blank in front unless it has a sign to tell it from one before.
func tenths(b []byte, n int, apart bool) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	} else if apart {
		b = append(b, ' ')
	}
	b = strconv.AppendInt(b, int64(n/spots), 10)
	if n %= spots; n > 0 {
		b = append(b, '.', '0'+byte(n))
	}
	return b
}

// path writes what goes through the places of each list, closed or not.
func (c *lineCanvas) path(lists [][]spot, closing string) {
	b := c.b.AvailableBuffer()
	for _, list := range lists {
		for i, p := range list {
			if i == 0 {
				b = append(b, 'M')
			} else {
				if i == 1 {
					b = append(b, 'l')
				}
				p = spot{p.x - list[i-1].x, p.y - list[i-1].y}
			}
			b = tenths(tenths(b, p.x, i > 1), p.y, true)
		}
		b = append(b, closing...)
	}
	c.b.Write(b)
}

func (c *lineCanvas) fill(colour string, polygons [][]spot) {
	fmt.Fprintf(&c.b, "<path fill=\"%s\" d=\"", colour)
	c.path(polygons, "z")
	c.b.WriteString("\"/>\n")
}

func (c *lineCanvas) stroke(colour string, width int, lines [][]spot) {
	fmt.Fprintf(&c.b, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" stroke-linejoin=\"round\" d=\"", colour, width)
	c.path(lines, "")
	c.b.WriteString("\"/>\n")
}

func (c *lineCanvas) disc(colour string, radius int, centres []spot) {
	fmt.Fprintf(&c.b, "<path stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\" d=\"", colour, tenths(nil, 2*radius, false))
	for _, p := range centres {
		c.b.WriteByte('M')
		c.b.Write(tenths(tenths(nil, p.x, false), p.y, true))
		c.b.WriteString("h0")
	}
	c.b.WriteString("\"/>\n")
}

func (c *lineCanvas) text(text string, at spot, part anchor, upward bool) {
	x, y := tenths(nil, at.x, false), tenths(nil, at.y, false)
	turn := ""
	if upward {
		turn = fmt.Sprintf(" transform=\"rotate(-90 %s %s)\"", x, y)
	}
	fmt.Fprintf(&c.b, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n", x, y, part, turn, text)
}

func (c *lineCanvas) bytes() []byte {
	c.b.WriteString("</svg>\n")
	return c.b.Bytes()
}

// dotCanvas is PNG.
type dotCanvas struct{ picture }

// fill colours the pixels whose centres are in a polygon.
func (c dotCanvas) fill(text string, polygons [][]spot) {
	const side, half = spots / pictureScale, spots / pictureScale / 2.0 // of a pixel, in tenths
	ink := colour([]string{text}, 0)
	for _, list := range polygons {
		top, bottom := list[0].y, list[0].y
		for _, p := range list {
			top, bottom = min(top, p.y), max(bottom, p.y)
		}
		for row := top / side; row <= bottom/side; row++ {
			y := float64(row*side) + half
			left, right := math.Inf(1), math.Inf(-1)
			for i, p := range list {
				q := list[(i+1)%len(list)]
				if (float64(p.y) <= y) != (float64(q.y) <= y) {
					x := float64(p.x) + float64((y-float64(p.y))*float64(q.x-p.x))/float64(q.y-p.y)
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

func (c dotCanvas) stroke(text string, width int, lines [][]spot) {
	ink := colour([]string{text}, 0)
	for _, list := range lines {
		for i, p := range list {
			q := list[max(0, i-1)]
			c.line(units(q.x), units(q.y), units(p.x), units(p.y), ink, width)
		}
	}
}

func units(tenths int) float64 { return float64(tenths) / spots }

func (c dotCanvas) disc(text string, radius int, centres []spot) {
	ink := colour([]string{text}, 0)
	for _, p := range centres {
		c.picture.disc(units(p.x), units(p.y), units(radius), ink)
	}
}

func (c dotCanvas) text(text string, at spot, part anchor, upward bool) {
	c.write(text, units(at.x), units(at.y), part, upward)
}

func (c dotCanvas) bytes() []byte { return c.encoded() }
