package main

import (
	"fmt"
	"math"
)

// drawMap draws areas of levels with their borders, a dot at each point that has a score, and the best.
func (d *chart) drawMap() {
	m, nodes := d.mesh()
	var known []float64
	for _, v := range d.score {
		if !math.IsNaN(v) {
			known = append(known, d.goodness(v))
		}
	}
	steps := levels(known)
	area, _ := m.above(math.Inf(-1))
	d.canvas.fill(levelColour(0, len(steps)), area)
	var borders [][]spot
	for k, level := range steps {
		area, border := m.above(level - float64(nearness*math.Abs(level)))
		d.canvas.fill(levelColour(k+1, len(steps)), area)
		borders = append(borders, border...)
	}
	d.canvas.stroke(inkOfBorder, 1, borders)
	if nodes != nil {
		d.canvas.disc(inkOfPoint, spots*3/2, nodes)
	}
	d.frame()
	d.exponentsAt(false, d.axes[0], d.left(), d.right())
	d.exponentsAt(true, d.axes[1], d.bottom(), d.top())
	if len(known) > 0 {
		d.mark(spot{d.place(0, d.best[0]), d.place(1, d.best[1])})
		d.drawScale(steps)
	}
}

// place returns where a value of an axis is.
func (d *chart) place(axis, k int) int {
	n := len(d.axes[axis].values) - 1
	if axis == 0 {
		return nth(d.left(), d.right(), k, n)
	}
	return nth(d.bottom(), d.top(), k, n)
}

// mesh returns the scores as a mesh, of long axes of some values, and where dots are drawn.
func (d *chart) mesh() (m *mesh, dots []spot) {
	var chosen [2][]int
	few := true
	for k, a := range d.axes {
		n := len(a.values)
		few = few && n <= mostDotted
		nodes := min(n, mostNodes)
		for i := range nodes {
			chosen[k] = append(chosen[k], nth(0, n-1, i, nodes-1))
		}
	}
	m = &mesh{at: func(i, j int) float64 { return d.goodness(d.score[d.at(chosen[0][i], chosen[1][j])]) }}
	for _, i := range chosen[0] {
		m.x = append(m.x, d.place(0, i))
	}
	for _, j := range chosen[1] {
		m.y = append(m.y, d.place(1, j))
	}
	for i, x := range m.x {
		for j, y := range m.y {
			if few && !math.IsNaN(m.at(i, j)) {
				dots = append(dots, spot{x, y})
			}
		}
	}
	return m, dots
}

// levelColour returns the colour from the k-th of n levels on, from a pale one to the dots' of the first class.
func levelColour(k, n int) string {
	pale, deep := colour(regionColours, 0), colour(dotColours, 0)
	between := func(a, b uint8) int {
		if n == 0 {
			return int(a)
		}
		return int(a) + (int(b)-int(a))*k/n
	}
	return fmt.Sprintf("#%02x%02x%02x", between(pale.R, deep.R), between(pale.G, deep.G), between(pale.B, deep.B))
}

// drawScale draws the colours beside the map, the best on top, with the numbers of the levels between them.
func (d *chart) drawScale(steps []float64) {
	const side, high = 18 * spots, 34 * spots
	left := d.right() + 20*spots
	y := func(k int) int { return (d.top()+d.bottom()+high*(len(steps)+1))/2 - high*k }
	for k := range len(steps) + 1 {
		box := []spot{{left, y(k)}, {left + side, y(k)}, {left + side, y(k + 1)}, {left, y(k + 1)}}
		d.canvas.fill(levelColour(k, len(steps)), [][]spot{box})
		d.canvas.stroke(inkOfText, 1, [][]spot{append(box, box[0])})
	}
	unit := ""
	if d.measure.percent {
		unit = "%"
	}
	number := func(v float64, y int) {
		d.canvas.text(fmt.Sprintf("%.10g%s", v, unit), spot{left + side + 6*spots, y + 4*spots}, atStart, false)
	}
	for k, level := range steps {
		number(d.goodness(level), y(k+1))
	}
	if len(steps) == 0 { // all scores are the same
		number(d.score[d.at(d.best[0], d.best[1])], (y(0)+y(1))/2)
	}
}
