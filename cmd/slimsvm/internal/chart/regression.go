package chart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
)

// errNothingFinite reports that there is nothing to draw of a regression.
var errNothingFinite = errors.New("the model's predictions are not finite")

// target returns a target or prediction as the data have it.
func (d *Drawing) target(y float64) float64 {
	if d.encoding != nil {
		return d.encoding.Target(y)
	}
	return y
}

// targetName returns what is predicted.
func (d *Drawing) targetName() string {
	if d.encoding != nil {
		return d.encoding.ClassColumn().Name
	}
	return "target"
}

// targets returns the predictions at some places as the data have them, NaN where they are not finite, with the lowest
// and the highest; ok is false if ctx ended, or if none or their range is not finite.
func (d *Drawing) targets(ctx context.Context, places [][2]float64) (values []float64, low, high float64, ok bool) {
	values = d.predictions(ctx, places)
	low, high = math.Inf(1), math.Inf(-1)
	for i, v := range values {
		if v = d.target(v); !isFinite(v) {
			v = math.NaN()
		} else {
			low, high = min(low, v), max(high, v)
		}
		values[i] = v
	}
	return values, low, high, len(values) == len(places) && low <= high && isFinite(high-low)
}

// curve draws the predictions over the only feature as a line, the rows as dots, and the vectors as stars on the line.
func (d *Drawing) curve(ctx context.Context) error {
	var places [][2]float64
	for x := range drawingSide + 1 {
		places = append(places, [2]float64{float64(x)})
	}
	values, low, high, ok := d.targets(ctx, places)
	if !ok {
		return errNothingFinite
	}
	for _, y := range d.rows.Y {
		if y = d.target(y); isFinite(y) {
			low, high = min(low, y), max(high, y)
		}
	}
	if !picture.Differ(low, high) {
		low, high = low-1, high+1
	}
	room := high/40 - low/40
	low, high = low-room, high+room
	y := func(v float64) int { return picture.AxisPosition(d.Bottom, d.Top, v, low, high) }
	// x returns where a value of the feature is, in units
	x := func(v float64) float64 { return (v - d.low[0]) * d.scale[0] }
	point := func(at, v float64) picture.Point { return picture.Pt(d.point(at, 0).X, y(v)) }

	var dots []picture.Point
	for i, t := range d.rows.Y {
		if t = d.target(t); isFinite(t) {
			dots = append(dots, point(x(d.rows.X.Row(i).At(d.features[0])), t))
		}
	}
	d.Discs(dotColours[0], dotRadius, dots)
	var lines [][]picture.Point
	for at, v := range values {
		if math.IsNaN(v) {
			lines = append(lines, nil)
			continue
		}
		if lines == nil {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], point(float64(at), v))
	}
	d.Stroke(dotColours[1], 2*picture.Unit, lines)
	var stars [][]picture.Point
	zs := &d.p.Model().Vectors
	for i := range zs.Len() {
		if at := x(zs.Row(i).At(d.features[0])); at >= 0 && at <= drawingSide {
			if v := values[int(math.Round(at))]; !math.IsNaN(v) {
				stars = append(stars, d.star(point(at, v))...)
			}
		}
	}
	d.Stroke(picture.Black, d.starWidth(), stars)
	d.Axis(true, d.targetName(), picture.Ticks(low, high, 8), y)

	l := &legend{frame: &d.Frame}
	d.Discs(dotColours[0], dotRadius, []picture.Point{l.next("row")})
	const half = 7 * picture.Unit
	p := l.next("prediction")
	d.Stroke(dotColours[1], 2*picture.Unit, [][]picture.Point{{picture.Pt(p.X-half, p.Y), picture.Pt(p.X+half, p.Y)}})
	d.explainStars(l)
	return nil
}

// nodeStep is the distance of the nodes from which contours are drawn, in units.
const nodeStep = 10

// contours draws the predictions in the plane of two features: areas of colours, from the lowest to the highest, with
// lines between them. Rows are dots in the colours of their targets.
func (d *Drawing) contours(ctx context.Context) error {
	const nodes = drawingSide/nodeStep + 1
	var places [][2]float64
	m := picture.Mesh{}
	for i := range nodes {
		at := d.point(float64(i*nodeStep), float64(i*nodeStep))
		m.X, m.Y = append(m.X, at.X), append(m.Y, at.Y)
		for j := range nodes {
			places = append(places, [2]float64{float64(j * nodeStep), float64(i * nodeStep)})
		}
	}
	values, low, high, ok := d.targets(ctx, places)
	if !ok {
		return errNothingFinite
	}
	m.At = func(i, j int) float64 { return values[j*nodes+i] }
	var levels []float64
	for _, v := range picture.Ticks(low, high, 8) {
		if v > low && v < high {
			levels = append(levels, v)
		}
	}
	area, _ := m.Above(math.Inf(-1))
	d.Fill(levelColour(0, len(levels)), area)
	var borders [][]picture.Point
	for k, level := range levels {
		area, border := m.Above(level)
		d.Fill(levelColour(k+1, len(levels)), area)
		borders = append(borders, border...)
	}
	d.Stroke(inkOfBorder, picture.Unit, borders)
	d.stars()
	dots := make([][]picture.Point, len(levels)+1)
	for i, y := range d.rows.Y {
		if y = d.target(y); !isFinite(y) {
			continue
		}
		k := sort.Search(len(levels), func(k int) bool { return levels[k] > y })
		dots[k] = append(dots[k], d.point(d.place(d.rows.X.Row(i))))
	}
	for k, centres := range dots {
		d.Discs(picture.Black, 2*dotRadius, centres)
		d.Discs(levelColour(k, len(levels)), 2*dotRadius-picture.Unit, centres)
	}
	texts := make([]string, len(levels))
	for k, v := range levels {
		texts[k] = fmt.Sprintf("%.6g", v)
	}
	drawScale(&d.Frame, texts, fmt.Sprintf("%.6g", low))

	l := &legend{frame: &d.Frame}
	l.title(d.targetName())
	p := l.next("row")
	d.Discs(picture.Black, 2*dotRadius, []picture.Point{p})
	d.Discs(picture.White, 2*dotRadius-picture.Unit, []picture.Point{p})
	d.explainStars(l)
	return nil
}
