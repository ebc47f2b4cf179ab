package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
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
	measure   tally.Measure
	title     [2]string // lines

	picture.Frame // to draw on
}

// The size of a chart and its margins, in units.
const (
	chartWidth, chartHeight = 740, 480
	chartTop, chartEdge     = 56, 24
	chartScale              = 90 // to the right of a map
)

// mostNodes bounds the values of an axis that a map is drawn from.
const mostNodes = 41

// mostDotted and mostNumbered are the numbers of values of an axis up to which each point has a dot, and each value its number.
const mostDotted, mostNumbered = 21, 13

const (
	inkOfBorder picture.Colour = 0x0d2b4e // of levels
	inkOfPoint  picture.Colour = 0x555555
)

// chart returns what there is to draw. Axes of one value are not drawn, nor is the third of three, of which the points
// are taken that are best there.
func (s *search) chart(r *searched, best point) *chart {
	d := &chart{measure: s.Measure}
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
			score = shown(&s.Measure, t.score)
			if len(drawn) == 1 {
				deviation = shown(&s.Measure, float64(*s.told(k).Deviation))
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
	if s.Percent {
		unit = "%"
	}
	value := d.score[d.at(d.best[0], d.best[1])] // NaN where nothing was better
	d.title = [2]string{
		fmt.Sprintf("%s %.6g%s, the %s of %s%s", s.Text, value, unit, s.superlative(), phrase.Count(len(r.Points), "point"), strings.Join(plane, "")),
		"at " + strings.Join(at, ", "),
	}
	return d
}

// shown returns a score as it is told. What no picture has a place for is none, or close to it.
func shown(k *tally.Measure, v float64) float64 {
	const most, least = 1e300, 1e-290
	switch {
	case math.IsInf(v, 0):
		return math.NaN()
	case k.Percent:
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
	if d.measure.Lower {
		return -v + 0 // not -0
	}
	return v
}

// draw returns the picture.
func (d *chart) draw(kind picture.Kind) []byte {
	right := chartWidth - chartEdge
	if len(d.axes) == 2 {
		right -= chartScale
	}
	d.Frame = picture.Frame{
		Canvas: picture.New(kind, chartWidth, chartHeight), Left: picture.RoomLeft * picture.Unit, Right: right * picture.Unit,
		Top: chartTop * picture.Unit, Bottom: (chartHeight - picture.RoomBelow) * picture.Unit,
	}
	for k, line := range d.title {
		d.Text(line, picture.At(chartWidth/2, float64(20+18*k)), picture.Middle, false)
	}
	if len(d.axes) == 2 {
		d.drawMap()
	} else {
		d.drawLine()
	}
	return d.Bytes()
}

// exponentsAt draws the marks of an axis, between two places.
func (d *chart) exponentsAt(upward bool, a axis, from, to int) {
	x := a.exponents
	ticks := x
	if len(x) > mostNumbered {
		ticks = picture.Ticks(x[0], x[len(x)-1], mostNumbered-1)
	}
	d.Axis(upward, "log2("+a.name+")", ticks, func(v float64) int { return picture.Along(from, to, v, x[0], x[len(x)-1]) })
}

// mark draws the best point.
func (d *chart) mark(p picture.Point) {
	d.Discs(picture.White, 6*picture.Unit, []picture.Point{p})
	d.Discs(dotColours[1], 9*picture.Unit/2, []picture.Point{p})
}
