package main

import (
	"context"
	"image"
	"image/color"
	"math"
	"strconv"

	"github.com/slimsvm/slimsvm/models"
)

// png returns the picture that svg returns in text.
func (d *drawing) png(ctx context.Context) []byte {
	p := picture{image.NewRGBA(image.Rect(0, 0, pictureScale*drawingSide, pictureScale*drawingSide))}
	m := d.p.Model()
	for y := 0; y < drawingSide; y += drawingStep {
		places := d.answers(ctx, y)
		if ctx.Err() != nil {
			return nil
		}
		for x := 0; x < drawingSide; x += drawingStep {
			const half, side = drawingStep / 2, pictureScale * drawingStep
			class := places[x/drawingStep]
			p.dot(float64(pictureScale*(x+half)), float64(pictureScale*(y+half)), colour(regionColours, class), side)
		}
	}
	for _, s := range d.segments() {
		p.thin(s, faded(colour(dotColours, s.class)))
	}
	for k, label := range m.Labels {
		for i, v := range d.rows.Y {
			if int(v) == label {
				x, y := d.place(d.rows.X.Row(i))
				p.disc(x, y, 1.5, colour(dotColours, k))
			}
		}
	}
	for _, i := range d.inMargin(ctx) {
		x, y := d.place(d.rows.X.Row(i))
		p.ring(x, y, 6)
	}
	if m.Vote != models.Ensemble {
		for _, at := range d.vectors() {
			x, y := at[0], at[1]
			const long, half, high = 8.0, 4.0, 6.9
			p.line(x-long, y, x+long, y, color.Gray{}, 1)
			p.line(x-half, y-high, x+half, y+high, color.Gray{}, 1)
			p.line(x+half, y-high, x-half, y+high, color.Gray{}, 1)
		}
	}
	return p.encoded()
}

// colour returns a class's colour of a list of #rrggbb.
func colour(list []string, class int) color.RGBA {
	v, err := strconv.ParseUint(list[class%len(list)][1:], 16, 32)
	if err != nil {
		panic("slimsvm: " + err.Error())
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}

// faded returns a colour halfway to white.
func faded(c color.RGBA) color.RGBA {
	return color.RGBA{c.R/2 + 0x80, c.G/2 + 0x80, c.B/2 + 0x80, 0xff}
}

// thin draws a line of one pixel.
func (p picture) thin(s segment, c color.Color) {
	dx, dy := pictureScale*(s.x1-s.x0), pictureScale*(s.y1-s.y0)
	steps := max(1, math.Ceil(max(math.Abs(dx), math.Abs(dy))))
	for i := 0.0; i <= steps; i++ {
		p.dot(pictureScale*s.x0+dx*i/steps, pictureScale*s.y0+dy*i/steps, c, 1)
	}
}

// disc draws a disc; place and radius in units of the plot.
func (p picture) disc(x, y, radius float64, c color.Color) {
	r := pictureScale * radius
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			if float64(dx*dx)+float64(dy*dy) <= float64(r*r) {
				p.dot(pictureScale*x+dx, pictureScale*y+dy, c, 1)
			}
		}
	}
}

// ring draws a circle.
func (p picture) ring(x, y, radius float64) {
	for i := range 120 {
		a := 2 * math.Pi * float64(i) / 120
		p.dot(pictureScale*(x+float64(radius*math.Cos(a))), pictureScale*(y+float64(radius*math.Sin(a))), color.Gray{}, pictureScale)
	}
}
