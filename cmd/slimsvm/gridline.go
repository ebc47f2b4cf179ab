package main

import "math"

// drawLine draws the scores over one axis, as dots with a line through those that follow each other, and bars as long as the
// standard deviation to either side.
func (d *chart) drawLine() {
	low, high := math.Inf(1), math.Inf(-1)
	for i, v := range d.score {
		if !math.IsNaN(v) {
			low, high = min(low, v-d.bar(i)), max(high, v+d.bar(i))
		}
	}
	switch {
	case low > high: // there is no score
		low, high = 0, 1
	case spreadOut(low, high):
		width := high/20 - low/20
		low, high = low-width, high+width
	default:
		low, high = low-max(1, math.Abs(low)/10), high+max(1, math.Abs(high)/10)
	}
	y := func(v float64) int { return along(d.bottom(), d.top(), v, low, high) }
	n := len(d.score)
	var lines, bars [][]spot
	var dots []spot
	for i, v := range d.score {
		if math.IsNaN(v) {
			continue
		}
		p := spot{nth(d.left()+10*spots, d.right()-10*spots, i, n-1), y(v)}
		if dots = append(dots, p); i == 0 || math.IsNaN(d.score[i-1]) {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], p)
		if bar := d.bar(i); bar > 0 {
			const half = 3 * spots
			from, to := y(v-bar), y(v+bar)
			bars = append(bars, []spot{{p.x, from}, {p.x, to}}, []spot{{p.x - half, from}, {p.x + half, from}}, []spot{{p.x - half, to}, {p.x + half, to}})
		}
		if i == d.best[0] {
			defer d.mark(p)
		}
	}
	d.canvas.stroke(inkOfPoint, 1, bars)
	d.canvas.stroke(dotColours[0], 2, lines)
	d.canvas.disc(dotColours[0], 3*spots, dots)
	d.frame()
	d.exponentsAt(false, d.axes[0], d.left()+10*spots, d.right()-10*spots)
	name := d.measure.text
	if d.measure.percent {
		name += ", %"
	}
	d.numbered(true, name, marks(low, high, 8), y)
}

// bar returns how far the bar of a point goes to either side.
func (d *chart) bar(i int) float64 {
	if v := d.deviation[i]; v > 0 {
		return v
	}
	return 0
}
