package chart

import (
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
)

// drawLine draws the scores over one axis, as dots with a line through those that follow each other, and bars as long as the
// standard deviation to either side.
func (d *Grid) drawLine() {
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range d.Score {
		if !math.IsNaN(v) {
			low, high = min(low, v-d.bar(i)), max(high, v+d.bar(i))
		}
	}
	switch {
	case low > high: // there is no score
		low, high = 0, 1
	case picture.Differ(low, high):
		width := high/20 - low/20
		low, high = low-width, high+width
	default:
		low, high = low-max(1, math.Abs(low)/10), high+max(1, math.Abs(high)/10)
	}
	y := func(v float64) int { return picture.AxisPosition(d.Bottom, d.Top, v, low, high) }
	n := len(d.Score)
	var lines, bars [][]picture.Point
	var dots []picture.Point
	for i, v := range d.Score {
		if math.IsNaN(v) {
			continue
		}
		p := picture.Pt(picture.Interpolate(d.Left+10*picture.Unit, d.Right-10*picture.Unit, i, n-1), y(v))
		if dots = append(dots, p); i == 0 || math.IsNaN(d.Score[i-1]) {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], p)
		if bar := d.bar(i); bar > 0 {
			const half = 3 * picture.Unit
			from, to := y(v-bar), y(v+bar)
			line := func(x0, y0, x1, y1 int) { bars = append(bars, []picture.Point{picture.Pt(x0, y0), picture.Pt(x1, y1)}) }
			line(p.X, from, p.X, to)
			line(p.X-half, from, p.X+half, from)
			line(p.X-half, to, p.X+half, to)
		}
		if i == d.Best[0] {
			defer d.mark(p)
		}
	}
	d.Stroke(inkOfPoint, picture.Unit, bars)
	d.Stroke(dotColours[0], 2*picture.Unit, lines)
	d.Discs(dotColours[0], 3*picture.Unit, dots)
	d.Border()
	d.exponentsAt(false, d.Axes[0], d.Left+10*picture.Unit, d.Right-10*picture.Unit)
	name := d.Measure.Text
	if d.Measure.Percent {
		name += ", %"
	}
	d.Axis(true, name, picture.Ticks(low, high, 8), y)
}

// bar returns how far the bar of a point goes to either side.
func (d *Grid) bar(i int) float64 {
	if v := d.Deviation[i]; v > 0 {
		return v
	}
	return 0
}
