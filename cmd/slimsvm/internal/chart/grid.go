package chart

import (
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// A Grid is what is drawn of a search: a map of the scores over two of its axes, or a line over one.
type Grid struct {
	Axes      []Axis    // those that are drawn
	Score     []float64 // as it is printed, NaN where there is none; those with one value of the first axis follow each other
	Deviation []float64 // of a chart of one axis
	Best      [2]int    // places on the axes
	Measure   tally.Measure
	Title     [2]string // lines

	picture.Frame // to draw on
}

// An Axis is an axis of a Grid: what powers of two are of, and their exponents.
type Axis struct {
	Name      string
	Exponents []float64
}

// The size of a chart and its margins, in units.
const (
	gridWidth, gridHeight = 740, 480
	gridTop, gridEdge     = 56, 24
	gridScale             = 90 // to the right of a map
)

// mostNodes bounds the values of an axis that a map is drawn from.
const mostNodes = 41

// mostDotted and mostNumbered are the numbers of values of an axis up to which each point has a dot, and each value its number.
const mostDotted, mostNumbered = 21, 13

const (
	inkOfBorder picture.Colour = 0x0d2b4e // of levels
	inkOfPoint  picture.Colour = 0x555555
)

// Displayed returns the value of a measure as it is printed, NaN if that is infinite. A value that is too large or too small
// for a picture becomes one that is not.
func Displayed(k *tally.Measure, v float64) float64 {
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
func (d *Grid) at(i, j int) int {
	if len(d.Axes) == 1 {
		return i
	}
	return i*len(d.Axes[1].Exponents) + j
}

// BestScore returns the score of the best point, NaN if no point has one.
func (d *Grid) BestScore() float64 { return d.Score[d.at(d.Best[0], d.Best[1])] }

// goodness returns a score as a number of which more is better.
func (d *Grid) goodness(v float64) float64 {
	if d.Measure.Lower {
		return -v + 0 // not -0
	}
	return v
}

// Draw returns the picture as a file of the kind.
func (d *Grid) Draw(kind picture.Kind) []byte {
	right := gridWidth - gridEdge
	if len(d.Axes) == 2 {
		right -= gridScale
	}
	d.Frame = picture.Frame{
		Canvas: picture.New(kind, gridWidth, gridHeight), Left: picture.MarginLeft * picture.Unit, Right: right * picture.Unit,
		Top: gridTop * picture.Unit, Bottom: (gridHeight - picture.MarginBottom) * picture.Unit,
	}
	for k, line := range d.Title {
		d.Text(line, picture.At(gridWidth/2, float64(20+18*k)), picture.Middle, false)
	}
	if len(d.Axes) == 2 {
		d.drawMap()
	} else {
		d.drawLine()
	}
	return d.Bytes()
}

// exponentsAt draws the marks of an axis, between two places.
func (d *Grid) exponentsAt(upward bool, a Axis, from, to int) {
	x := a.Exponents
	ticks := x
	if len(x) > mostNumbered {
		ticks = picture.Ticks(x[0], x[len(x)-1], mostNumbered-1)
	}
	d.Axis(upward, "log2("+a.Name+")", ticks, func(v float64) int { return picture.AxisPosition(from, to, v, x[0], x[len(x)-1]) })
}

// mark draws the best point.
func (d *Grid) mark(p picture.Point) {
	d.Discs(picture.White, 6*picture.Unit, []picture.Point{p})
	d.Discs(dotColours[1], 9*picture.Unit/2, []picture.Point{p})
}
