package picture

import (
	"fmt"
	"math"
)

// A Frame is the drawing area of a chart on a canvas, with its axes. Its sides are in tenths of a unit.
type Frame struct {
	Canvas
	Left, Right, Top, Bottom int
}

// Room to the left of a frame and below it, in units, for its axes.
const (
	MarginLeft   = 66
	MarginBottom = 50
)

// Border draws the frame.
func (f *Frame) Border() {
	a, b := Point{f.Left, f.Top}, Point{f.Right, f.Bottom}
	f.Stroke(Black, Unit, [][]Point{{a, {b.X, a.Y}, b, {a.X, b.Y}, a}})
}

// Axis draws ticks with their numbers below the frame, or if upward to the left of it, and the
// name of the axis. at returns the place of a number in tenths of a unit.
func (f *Frame) Axis(upward bool, name string, ticks []float64, at func(v float64) int) {
	const long = 5 * Unit
	var lines [][]Point
	for _, v := range ticks {
		p := Point{at(v), f.Bottom}
		q := Point{p.X, p.Y + long}
		number, part := Point{q.X, q.Y + 13*Unit}, Middle
		if upward {
			p = Point{f.Left, at(v)}
			q = Point{p.X - long, p.Y}
			number, part = Point{q.X - 4*Unit, q.Y + 4*Unit}, End
		}
		lines = append(lines, []Point{p, q})
		f.Text(fmt.Sprintf("%.6g", v), number, part, false)
	}
	f.Stroke(Black, Unit, lines)
	middle := Point{(f.Left + f.Right) / 2, f.Bottom + (MarginBottom-12)*Unit}
	if upward {
		middle = Point{f.Left - (MarginLeft-16)*Unit, (f.Top + f.Bottom) / 2}
	}
	f.Text(name, middle, Middle, upward)
}

// Interpolate returns the place k n-ths of the way from one place to another, the middle if n is 0.
func Interpolate(from, to, k, n int) int {
	if n == 0 {
		return (from + to) / 2
	}
	return from + int(math.Round(float64((to-from)*k)/float64(n)))
}

// AxisPosition returns the place of a number on an axis that has low and high at the given places, the middle if these are
// equal.
func AxisPosition(from, to int, v, low, high float64) int {
	if low == high {
		return (from + to) / 2
	}
	share := (v - low) / (high - low)
	return from + int(math.Round(share*float64(to-from)))
}
