package picture

import "math"

// A Mesh is a function of the plane that is known where lines across meet lines upward.
type Mesh struct {
	X, Y []int                  // places of the lines, in tenths of a unit, in order
	At   func(i, j int) float64 // the value where line i of X meets line j of Y, NaN if there is none
}

// A corner is a point with its value.
type corner struct {
	Point
	v float64
}

// Above returns the area where values are at least level, as convex polygons, and the part of its
// border that is not the mesh's own. The middle of a cell has the mean of its four corners, and
// between corners and middle values are linear. Of a cell with three values there is the triangle
// of these; a cell with fewer is left out.
func (m *Mesh) Above(level float64) (area, border [][]Point) {
	for j := range len(m.Y) - 1 {
		from := -1 // the first of the cells before this one that are all in the area
		end := func(i int) {
			if from >= 0 {
				area = append(area, []Point{{m.X[from], m.Y[j]}, {m.X[i], m.Y[j]}, {m.X[i], m.Y[j+1]}, {m.X[from], m.Y[j+1]}})
			}
			from = -1
		}
		for i := range len(m.X) - 1 {
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
				middle := corner{Point{(m.X[i] + m.X[i+1]) / 2, (m.Y[j] + m.Y[j+1]) / 2}, sum / 4}
				for k, a := range ring {
					area, border = clip([3]corner{a, ring[(k+1)%4], middle}, level, area, border)
				}
			}
		}
		end(len(m.X) - 1)
	}
	return area, border
}

// ring returns the corners of a cell that have a value, in order around it, and the sum and the least of the values.
func (m *Mesh) ring(i, j int) (ring []corner, sum, least float64) {
	least = math.Inf(1)
	for _, c := range [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} {
		if v := m.At(c[0], c[1]); !math.IsNaN(v) {
			ring = append(ring, corner{Point{m.X[c[0]], m.Y[c[1]]}, v})
			sum, least = sum+v, min(least, v)
		}
	}
	return ring, sum, least
}

// clip appends to an area the part of a triangle where values are at least level, and to a border
// the line where this part ends.
func clip(t [3]corner, level float64, area, border [][]Point) (newArea, newBorder [][]Point) {
	var part, line []Point
	for k, a := range t {
		b := t[(k+1)%3]
		if a.v >= level {
			part = append(part, a.Point)
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

// crossing returns the point between two corners where the value is level. One of the two is below level; their order
// does not matter.
func crossing(a, b corner, level float64) Point {
	if a.v > b.v {
		a, b = b, a
	}
	part := (level - a.v) / (b.v - a.v)
	between := func(from, to int) int { return from + int(math.Round(part*float64(to-from))) }
	return Point{between(a.X, b.X), between(a.Y, b.Y)}
}
