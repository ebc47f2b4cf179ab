package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
)

// svg is a canvas whose picture is SVG.
type svg struct{ b bytes.Buffer }

func newSVG(width, height int) *svg {
	c := new(svg)
	fmt.Fprintf(&c.b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height)
	fmt.Fprintf(&c.b, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height)
	return c
}

// appendTenths appends a number of tenths in units, with a blank in front if apart and the number has no
// sign that separates it from the one before.
func appendTenths(b []byte, n int, apart bool) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	} else if apart {
		b = append(b, ' ')
	}
	b = strconv.AppendInt(b, int64(n/Unit), 10)
	if n %= Unit; n > 0 {
		b = append(b, '.', '0'+byte(n))
	}
	return b
}

// number returns a number of tenths in units.
func number(tenths int) []byte { return appendTenths(nil, tenths, false) }

// path writes lines through the points of each list, and then closing.
func (c *svg) path(lists [][]Point, closing string) {
	b := c.b.AvailableBuffer()
	for _, list := range lists {
		for i, p := range list {
			if i == 0 {
				b = append(b, 'M')
			} else {
				if i == 1 {
					b = append(b, 'l')
				}
				p = Point{p.X - list[i-1].X, p.Y - list[i-1].Y}
			}
			b = appendTenths(appendTenths(b, p.X, i > 1), p.Y, true)
		}
		b = append(b, closing...)
	}
	c.b.Write(b)
}

func (c *svg) Fill(colour Colour, polygons [][]Point) {
	fmt.Fprintf(&c.b, "<path fill=\"%v\" d=\"", colour)
	c.path(polygons, "z")
	c.b.WriteString("\"/>\n")
}

func (c *svg) Stroke(colour Colour, width int, lines [][]Point) {
	fmt.Fprintf(&c.b, "<path fill=\"none\" stroke=\"%v\" stroke-width=\"%s\" stroke-linejoin=\"round\" d=\"", colour, number(width))
	c.path(lines, "")
	c.b.WriteString("\"/>\n")
}

// Discs draws lines without a length, whose ends are round: shorter than a circle each.
func (c *svg) Discs(colour Colour, radius int, centres []Point) {
	fmt.Fprintf(&c.b, "<path stroke=\"%v\" stroke-width=\"%s\" stroke-linecap=\"round\" d=\"", colour, number(2*radius))
	for _, p := range centres {
		fmt.Fprintf(&c.b, "M%sh0", appendTenths(number(p.X), p.Y, true))
	}
	c.b.WriteString("\"/>\n")
}

func (c *svg) Circles(colour Colour, radius int, centres []Point) {
	fmt.Fprintf(&c.b, "<g fill=\"none\" stroke=\"%v\">\n", colour)
	for _, p := range centres {
		fmt.Fprintf(&c.b, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", number(p.X), number(p.Y), number(radius))
	}
	c.b.WriteString("</g>\n")
}

func (c *svg) Text(text string, at Point, part Anchor, upward bool) {
	x, y := number(at.X), number(at.Y)
	anchor := [...]string{Start: "start", Middle: "middle", End: "end"}[part]
	turn := ""
	if upward {
		turn = fmt.Sprintf(" transform=\"rotate(-90 %s %s)\"", x, y)
	}
	fmt.Fprintf(&c.b, "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>", x, y, anchor, turn)
	xml.EscapeText(&c.b, []byte(text)) // a buffer takes everything
	c.b.WriteString("</text>\n")
}

func (c *svg) Bytes() []byte {
	c.b.WriteString("</svg>\n")
	return c.b.Bytes()
}
