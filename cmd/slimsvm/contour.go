package main

import "math"

// A mesh has values, the more the better, at the crossings of lines across and upwards; NaN where there is none.
type mesh struct {
	x, y []int // where the lines are, in tenths of units
	at   func(i, j int) float64
}

// corner is a place with its value.
type corner struct {
	spot
	v float64
}

// above returns the area where values are level at least, as convex polygons, and its border inside of the mesh. Between
// the corners of a cell and its middle, where their mean is, values are linear. A cell that lacks one
// corner is half there; one that lacks more is not.
func (m *mesh) above(level float64) (area, border [][]spot) {
	for j := range len(m.y) - 1 {
		from := -1 // the first of the cells before this one that are all in the area
		end := func(i int) {
			if from >= 0 {
				area = append(area, []spot{{m.x[from], m.y[j]}, {m.x[i], m.y[j]}, {m.x[i], m.y[j+1]}, {m.x[from], m.y[j+1]}})
			}
			from = -1
		}
		for i := range len(m.x) - 1 {
			ring, sum, whole := m.ring(i, j)
			if len(ring) == 4 && whole >= level {
				if from < 0 {
					from = i
				}
				continue
			}
			end(i)
			switch len(ring) {
			case 3:
				area, border = clip([3]corner(ring), level, area, border)
			case 4:
				middle := corner{spot{(m.x[i] + m.x[i+1]) / 2, (m.y[j] + m.y[j+1]) / 2}, sum / 4}
				for k, a := range ring {
					area, border = clip([3]corner{a, ring[(k+1)%4], middle}, level, area, border)
				}
			}
		}
		end(len(m.x) - 1)
	}
	return area, border
}

// ring returns the corners of a cell that have a value, in turn, the values' sum, and the least of them.
func (m *mesh) ring(i, j int) (ring []corner, sum, least float64) {
	least = math.Inf(1)
	for _, c := range [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
		if v := m.at(c[0], c[1]); !math.IsNaN(v) {
			ring = append(ring, corner{spot{m.x[c[0]], m.y[c[1]]}, v})
			sum, least = sum+v, min(least, v)
		}
	}
	return ring, sum, least
}

// clip appends the part of a triangle where values are level at least to an area, and the line at which it ends to a border.
func clip(t [3]corner, level float64, area, border [][]spot) (newArea, newBorder [][]spot) {
	var part, line []spot
	for k, a := range t {
		b := t[(k+1)%3]
		if a.v >= level {
			part = append(part, a.spot)
		}
		if (a.v >= level) != (b.v >= level) {
			p := crossing(a, b, level)
			part, line = append(part, p), append(line, p)
		}
	}
	if part != nil {
		area = append(area, part)
	}
	if len(line) == 2 && line[0] != line[1] {
		border = append(border, line)
	}
	return area, border
}

// crossing returns where between two corners, one of them below it, the level is: the same whichever is first.
func crossing(a, b corner, level float64) spot {
	if a.v > b.v {
		a, b = b, a
	}
	part := (level - a.v) / (b.v - a.v)
	between := func(from, to int) int { return from + int(math.Round(part*float64(to-from))) }
	return spot{between(a.x, b.x), between(a.y, b.y)}
}
