package chart

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
)

// drawMap draws areas of levels with their borders, a dot at each point that has a score, and the best.
func (d *Grid) drawMap() {
	m, nodes := d.mesh()
	var known []float64
	for _, v := range d.Score {
		if !math.IsNaN(v) {
			known = append(known, d.goodness(v))
		}
	}
	steps := picture.Levels(known)
	area, _ := m.Above(math.Inf(-1))
	d.Fill(levelColour(0, len(steps)), area)
	var borders [][]picture.Point
	for k, level := range steps {
		area, border := m.Above(level - float64(picture.Tolerance*math.Abs(level)))
		d.Fill(levelColour(k+1, len(steps)), area)
		borders = append(borders, border...)
	}
	d.Stroke(inkOfBorder, picture.Unit, borders)
	if nodes != nil {
		d.Discs(inkOfPoint, picture.Unit*3/2, nodes)
	}
	d.Border()
	d.exponentsAt(false, d.Axes[0], d.Left, d.Right)
	d.exponentsAt(true, d.Axes[1], d.Bottom, d.Top)
	if len(known) > 0 {
		d.mark(picture.Pt(d.place(0, d.Best[0]), d.place(1, d.Best[1])))
		unit := ""
		if d.Measure.Percent {
			unit = "%"
		}
		text := func(v float64) string { return fmt.Sprintf("%.10g%s", v, unit) }
		texts := make([]string, len(steps))
		for k, level := range steps {
			texts[k] = text(d.goodness(level))
		}
		drawScale(&d.Frame, texts, text(d.BestScore())) // the only text if all scores are the same
	}
}

// place returns where a value of an axis is.
func (d *Grid) place(axis, k int) int {
	n := len(d.Axes[axis].Exponents) - 1
	if axis == 0 {
		return picture.Interpolate(d.Left, d.Right, k, n)
	}
	return picture.Interpolate(d.Bottom, d.Top, k, n)
}

// mesh returns the scores as a mesh, of long axes only at some values, and where dots are drawn.
func (d *Grid) mesh() (m *picture.Mesh, dots []picture.Point) {
	var chosen [2][]int
	few := true
	for k, a := range d.Axes {
		n := len(a.Exponents)
		few = few && n <= mostDotted
		nodes := min(n, mostNodes)
		for i := range nodes {
			chosen[k] = append(chosen[k], picture.Interpolate(0, n-1, i, nodes-1))
		}
	}
	m = &picture.Mesh{At: func(i, j int) float64 { return d.goodness(d.Score[d.at(chosen[0][i], chosen[1][j])]) }}
	for _, i := range chosen[0] {
		m.X = append(m.X, d.place(0, i))
	}
	for _, j := range chosen[1] {
		m.Y = append(m.Y, d.place(1, j))
	}
	for i, x := range m.X {
		for j, y := range m.Y {
			if few && !math.IsNaN(m.At(i, j)) {
				dots = append(dots, picture.Pt(x, y))
			}
		}
	}
	return m, dots
}

// levelColour returns the colour from the k-th of n levels on, from a pale one to the dots' of the first class.
func levelColour(k, n int) picture.Colour { return regionColours[0].Blend(dotColours[0], k, n) }

// drawScale draws the colours of levels to the right of a map, the highest on top, with the texts of the levels between them,
// or the only text if there is no level.
func drawScale(f *picture.Frame, texts []string, only string) {
	const side, high = 18 * picture.Unit, 34 * picture.Unit
	n, left := len(texts), f.Right+20*picture.Unit
	y := func(k int) int { return (f.Top+f.Bottom+high*(n+1))/2 - high*k }
	for k := range n + 1 {
		box := picture.Box(left, y(k), left+side, y(k+1))
		f.Fill(levelColour(k, n), [][]picture.Point{box})
		f.Stroke(picture.Black, picture.Unit, [][]picture.Point{append(box, box[0])})
	}
	write := func(text string, y int) {
		f.Text(text, picture.Pt(left+side+6*picture.Unit, y+4*picture.Unit), picture.Start, false)
	}
	for k, text := range texts {
		write(text, y(k+1))
	}
	if n == 0 {
		write(only, (y(0)+y(1))/2)
	}
}
