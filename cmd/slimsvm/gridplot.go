package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// drawSearch writes a picture of what a search found, if --plot wants one.
func (e *env) drawSearch(c *cli.Context, s *search, r *searched, best point) error {
	path := c.String("plot")
	if path == "" {
		return nil
	}
	kind, err := pictureOf("--plot", path)
	if err != nil {
		return err
	}
	return e.writeOutput(c, path, s.chart(r, best).draw(kind))
}

// A chart is what is drawn of a search: a map of the scores over two of its axes, or a line over one.
type chart struct {
	axes      []axis    // those that are drawn
	score     []float64 // as it is told, NaN where there is none; those with one value of the first axis follow each other
	deviation []float64 // of a chart of one axis
	best      [2]int    // places on the axes
	measure   measure
	title     [2]string // lines

	canvas canvas // to draw on
	width  int    // of the drawing area, in units
}

// The size of a chart and its margins, in units.
const (
	chartWidth, chartHeight = 640, 480
	chartLeft, chartTop     = 66, 56
	chartBottom, chartEdge  = 50, 24
	chartScale              = 90 // to the right of a map
)

// mostNodes bounds the values of an axis that a map is drawn from.
const mostNodes = 41

// mostDotted and mostNumbered are the numbers of values of an axis up to which each point has a dot, and each value its number.
const mostDotted, mostNumbered = 21, 13

const (
	inkOfText   = "#000000"
	inkOfBorder = "#0d2b4e" // of levels
	inkOfPoint  = "#555555"
)

// chart returns what there is to draw. Axes of one value are not drawn, nor is the third of three, of which the points
// are taken that are best there.
func (s *search) chart(r *searched, best point) *chart {
	d := &chart{measure: s.measure}
	var drawn, fixed []int
	for i, a := range s.axes {
		if len(a.values) > 1 && len(drawn) < 2 {
			drawn = append(drawn, i)
		} else if len(a.values) > 1 {
			fixed = append(fixed, i)
		}
	}
	if drawn == nil {
		drawn = []int{0}
	}
	for k, i := range drawn {
		d.axes = append(d.axes, s.axes[i])
		d.best[k] = slices.Index(s.axes[i].values, best[i])
	}
	for k, p := range s.points {
		if slices.ContainsFunc(fixed, func(i int) bool { return p[i] != best[i] }) {
			continue
		}
		score, deviation := math.NaN(), math.NaN()
		if t := s.tried[k]; t.err == nil {
			score = s.shown(t.score)
			if len(drawn) == 1 {
				deviation = s.shown(float64(*s.told(k).Deviation))
			}
		}
		d.score, d.deviation = append(d.score, score), append(d.deviation, deviation)
	}
	var at, plane []string
	for i, a := range s.axes {
		exponent := a.exponents[slices.Index(a.values, best[i])]
		at = append(at, fmt.Sprintf("%s %.6g (2^%.6g)", a.name, best[i], exponent))
		if slices.Contains(fixed, i) {
			plane = append(plane, fmt.Sprintf("; the map is of %s %.6g", a.name, best[i]))
		}
	}
	unit := ""
	if s.percent {
		unit = "%"
	}
	value := d.score[d.at(d.best[0], d.best[1])] // NaN where nothing was better
	d.title = [2]string{
		fmt.Sprintf("%s %.6g%s, the %s of %s%s", s.text, value, unit, s.superlative(), count(len(r.Points), "point"), strings.Join(plane, "")),
		"at " + strings.Join(at, ", "),
	}
	return d
}

// shown returns a score as it is told. What no picture has a place for is none, or close to it.
func (k *measure) shown(v float64) float64 {
	const most, least = 1e300, 1e-290
	switch {
	case math.IsInf(v, 0):
		return math.NaN()
	case k.percent:
		v *= 100
	}
	if math.Abs(v) < least {
		return 0
	}
	return max(-most, min(v, most)) // NaN stays what it is
}

// at returns where the score of a point is.
func (d *chart) at(i, j int) int {
	if len(d.axes) == 1 {
		return i
	}
	return i*len(d.axes[1].values) + j
}

// goodness returns a score as a number that is the more the better.
func (d *chart) goodness(v float64) float64 {
	if d.measure.lower {
		return -v + 0 // not -0
	}
	return v
}

// draw returns the picture.
func (d *chart) draw(kind pictureKind) []byte {
	d.canvas = newCanvas(kind, chartWidth, chartHeight)
	d.width = chartWidth - chartLeft - chartEdge
	if len(d.axes) == 2 {
		d.width -= chartScale
	}
	for k, line := range d.title {
		d.canvas.text(line, spot{spots * chartWidth / 2, spots * (20 + 18*k)}, atMiddle, false)
	}
	if len(d.axes) == 2 {
		d.drawMap()
	} else {
		d.drawLine()
	}
	return d.canvas.bytes()
}

// Places in the drawing area, in tenths of units.

func (d *chart) left() int   { return spots * chartLeft }
func (d *chart) right() int  { return spots * (chartLeft + d.width) }
func (d *chart) top() int    { return spots * chartTop }
func (d *chart) bottom() int { return spots * (chartHeight - chartBottom) }

// nth returns the place that is k n-ths of the way between two, the middle if n is 0.
func nth(from, to, k, n int) int {
	if n == 0 {
		return (from + to) / 2
	}
	return from + int(math.Round(float64((to-from)*k)/float64(n)))
}

// along returns the place of a number on the way from one place to another, which are those of low and high.
func along(from, to int, v, low, high float64) int {
	if low == high {
		return (from + to) / 2
	}
	share := (v - low) / (high - low)
	return from + int(math.Round(share*float64(to-from)))
}

// frame draws the border of the drawing area.
func (d *chart) frame() {
	a, b := spot{d.left(), d.top()}, spot{d.right(), d.bottom()}
	d.canvas.stroke(inkOfText, 1, [][]spot{{a, {b.x, a.y}, b, {a.x, b.y}, a}})
}

// numbered draws marks at an axis, with their numbers, and its name. at returns where a number is.
func (d *chart) numbered(upward bool, name string, marks []float64, at func(v float64) int) {
	var lines [][]spot
	for _, v := range marks {
		p, q := spot{at(v), d.bottom()}, spot{at(v), d.bottom() + 5*spots}
		below, end := spot{q.x, q.y + 13*spots}, atMiddle
		if upward {
			p = spot{d.left(), at(v)}
			q = spot{p.x - 5*spots, p.y}
			below, end = spot{q.x - 4*spots, q.y + 4*spots}, atEnd
		}
		lines = append(lines, []spot{p, q})
		d.canvas.text(fmt.Sprintf("%.6g", v), below, end, false)
	}
	d.canvas.stroke(inkOfText, 1, lines)
	middle := spot{(d.left() + d.right()) / 2, spots * (chartHeight - 12)}
	if upward {
		middle = spot{spots * 16, (d.top() + d.bottom()) / 2}
	}
	d.canvas.text(name, middle, atMiddle, upward)
}

// exponentsAt draws the marks of an axis, between two places.
func (d *chart) exponentsAt(upward bool, a axis, from, to int) {
	x := a.exponents
	ticks := x
	if len(x) > mostNumbered {
		ticks = marks(x[0], x[len(x)-1], mostNumbered-1)
	}
	d.numbered(upward, "log2("+a.name+")", ticks, func(v float64) int { return along(from, to, v, x[0], x[len(x)-1]) })
}

// mark draws the best point.
func (d *chart) mark(p spot) {
	d.canvas.disc("#ffffff", 6*spots, []spot{p})
	d.canvas.disc(dotColours[1], 9*spots/2, []spot{p})
}
