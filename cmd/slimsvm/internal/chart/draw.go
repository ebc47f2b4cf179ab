// Package chart draws what the command shows in pictures: a model by two features, the scores of a
// search, ROC curves, and errors by the size of models.
package chart

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/models"
)

const (
	drawingSide = 500 // units of the frame
	drawingStep = 2   // units of a cell of a region
	drawingTop  = 24  // units above the frame
	legendLeft  = 16  // units from the frame to the legend
	legendWide  = 160
	legendLine  = 18 // units from line to line
)

// regionColours and dotColours are the colours of the classes, in turn.
var (
	regionColours = []picture.Colour{
		0xdbe9f9, 0xfbe3d0, 0xdff2df, 0xf0e0f5, 0xf7f3cc, 0xe3e3e3,
		0xcfeeee, 0xf9d3e2, 0xeadfd6, 0xdadff8, 0xe6f2c4, 0xf6d5d5,
	}
	dotColours = []picture.Colour{
		0x1f5fa8, 0xc2540a, 0x2b7a2b, 0x7d3c98, 0x8a7a00, 0x555555,
		0x0a8a8a, 0xb0205f, 0x6b3f1d, 0x4053c9, 0x5f8f00, 0x9c2b2b,
	}
)

// ofClass returns the colour of the class at a place in the list of labels.
func ofClass(colours []picture.Colour, class int) picture.Colour { return colours[class%len(colours)] }

// faded returns the colour of an ensemble's lines, which are many.
func faded(c picture.Colour) picture.Colour { return c.Blend(picture.White, 1, 2) }

// Draw returns the picture, or an error if ctx ends or if a regression has no predictions to draw.
func (d *Drawing) Draw(ctx context.Context, kind picture.Kind) ([]byte, error) {
	const left, side, unit = picture.MarginLeft, drawingSide, picture.Unit
	d.Frame = picture.Frame{
		Canvas: picture.New(kind, left+side+legendLeft+legendWide, drawingTop+side+picture.MarginBottom),
		Left:   left * unit, Right: (left + side) * unit, Top: drawingTop * unit, Bottom: (drawingTop + side) * unit,
	}
	var err error
	switch {
	case d.p.Model().Task.Classifies():
		d.regions(ctx)
		d.lines()
		d.stars()
		d.dots()
		d.circles(ctx)
		d.axis(1)
		d.classLegend()
	case len(d.features) == 2:
		err = d.contours(ctx)
		d.axis(1)
	default:
		err = d.curve(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	d.Border()
	d.axis(0)
	if len(d.others.Index) > 0 {
		d.Text("all other features are at their means", d.point(drawingSide/2, -8), picture.Middle, false)
	}
	return d.Bytes(), nil
}

// point returns the point of the canvas at a place of the frame.
func (d *Drawing) point(x, y float64) picture.Point {
	return picture.At(picture.MarginLeft+float64(x), drawingTop+float64(y))
}

// regions fills the cells in the colours of the answers. Runs of cells with the same answer are drawn together, and so are
// equal runs below each other.
func (d *Drawing) regions(ctx context.Context) {
	type run struct{ class, from, to int }
	boxes := make([][][]picture.Point, len(d.p.Model().Labels))
	tops := map[run]int{} // of the runs in the line above
	end := func(r run, y int) {
		a, b := d.point(float64(r.from), float64(tops[r])), d.point(float64(r.to), float64(y))
		boxes[r.class] = append(boxes[r.class], picture.Box(a.X, a.Y, b.X, b.Y))
	}
	for y := 0; y <= drawingSide; y += drawingStep {
		var runs []run
		if y < drawingSide {
			for n, class := range d.answers(ctx, y) {
				x := n * drawingStep
				if len(runs) == 0 || runs[len(runs)-1].class != class {
					runs = append(runs, run{class, x, x})
				}
				runs[len(runs)-1].to = x + drawingStep
			}
		}
		if ctx.Err() != nil {
			return
		}
		now := map[run]int{}
		for _, r := range runs {
			now[r] = y
			if top, ok := tops[r]; ok {
				now[r] = top
				delete(tops, r)
			}
		}
		for _, r := range slices.SortedFunc(maps.Keys(tops), func(a, b run) int { return a.from - b.from }) {
			end(r, y)
		}
		tops = now
	}
	for k := range boxes {
		d.Fill(ofClass(regionColours, k), boxes[k])
	}
}

// lines draws the machines of an ensemble in the colours of their classes.
func (d *Drawing) lines() {
	of := make([][][]picture.Point, len(d.p.Model().Labels))
	for _, s := range d.segments() {
		of[s.class] = append(of[s.class], []picture.Point{d.point(s.x0, s.y0), d.point(s.x1, s.y1)})
	}
	for k, lines := range of {
		if lines != nil {
			d.Stroke(faded(ofClass(dotColours, k)), picture.Unit, lines)
		}
	}
}

// dotRadius is the radius of the dot of a row, in tenths of a unit.
const dotRadius = 3 * picture.Unit / 2

// dots draws the rows in the colours of their classes.
func (d *Drawing) dots() {
	for k, label := range d.p.Model().Labels {
		var centres []picture.Point
		for i, v := range d.rows.Y {
			if int(v) == label {
				centres = append(centres, d.point(d.place(d.rows.X.Row(i))))
			}
		}
		d.Discs(ofClass(dotColours, k), dotRadius, centres)
	}
}

// ringRadius is the radius of the circle around a row, in tenths of a unit.
const ringRadius = 6 * picture.Unit

// circles draws circles around the rows of two classes that are not beyond the margin.
func (d *Drawing) circles(ctx context.Context) {
	var centres []picture.Point
	for _, i := range d.inMargin(ctx) {
		centres = append(centres, d.point(d.place(d.rows.X.Row(i))))
	}
	if centres != nil {
		d.Circles(picture.Black, ringRadius, centres)
	}
}

// stars draws the model's vectors, those outside of the frame excepted.
func (d *Drawing) stars() {
	if d.p.Model().Vote == models.Ensemble {
		return
	}
	var lines [][]picture.Point
	zs := &d.p.Model().Vectors
	for i := range zs.Len() {
		if x, y := d.place(zs.Row(i)); x >= 0 && x <= drawingSide && y >= 0 && y <= drawingSide {
			lines = append(lines, d.star(d.point(x, y))...)
		}
	}
	d.Stroke(picture.Black, d.starWidth(), lines)
}

// manyVectors is the number of vectors beyond which stars are small.
const manyVectors = 50

func (d *Drawing) smallStars() bool { return d.p.Model().Vectors.Len() > manyVectors }

// starWidth returns the width of a star's lines, in tenths of a unit.
func (d *Drawing) starWidth() int {
	if d.smallStars() {
		return picture.Unit / 2
	}
	return picture.Unit * 3 / 2
}

// star returns three lines through a point, at 60 degrees to each other.
func (d *Drawing) star(p picture.Point) [][]picture.Point {
	long, half, high := 80, 40, 69
	if d.smallStars() {
		long, half, high = 50, 25, 43
	}
	line := func(x, y int) []picture.Point {
		return []picture.Point{picture.Pt(p.X-x, p.Y-y), picture.Pt(p.X+x, p.Y+y)}
	}
	return [][]picture.Point{line(long, 0), line(half, high), line(half, -high)}
}

// axis draws the axis of the first or the second feature. Features that the model scales are drawn with the numbers of
// the data.
func (d *Drawing) axis(k int) {
	f := d.features[k]
	low, high := d.low[k], d.low[k]+drawingSide/d.scale[k]
	name := "feature " + strconv.Itoa(int(f))
	if d.encoding != nil {
		names := d.encoding.Names()
		if f >= 1 && int(f) <= len(names) {
			name = names[f-1]
		}
		s := d.encoding.Scale(f)
		low, high = float64(low*s.Width)+s.Shift, float64(high*s.Width)+s.Shift
	}
	from, to := d.Left, d.Right
	if k == 1 {
		from, to = d.Bottom, d.Top
	}
	const mostTicks, longest = 8, 70
	d.Axis(k == 1, shortened(name, longest), picture.Ticks(low, high, mostTicks), func(v float64) int { return picture.AxisPosition(from, to, v, low, high) })
}

// shortened returns at most so many characters of a text.
func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// label returns a label as the data have it.
func (d *Drawing) label(label int) string {
	if d.encoding == nil {
		return strconv.Itoa(label)
	}
	return d.encoding.LabelText(float64(label))
}

// A legend is what is written to the right of a frame.
type legend struct {
	frame *picture.Frame
	line  int // next one
}

// next writes a line and returns the place of its sign.
func (l *legend) next(text string) picture.Point {
	const longest, unit = 20, picture.Unit
	p := picture.Pt(l.frame.Right+(legendLeft+8)*unit, l.frame.Top+(l.line*legendLine+8)*unit)
	l.line++
	l.frame.Text(shortened(text, longest), picture.Pt(p.X+14*unit, p.Y+4*unit), picture.Start, false)
	return p
}

// title writes a line without a sign.
func (l *legend) title(text string) {
	const longest, unit = 22, picture.Unit
	l.frame.Text(shortened(text, longest), picture.Pt(l.frame.Right+legendLeft*unit, l.frame.Top+(l.line*legendLine+12)*unit), picture.Start, false)
	l.line++
}

// explainStars writes what stars are, if there are any.
func (d *Drawing) explainStars(l *legend) {
	if d.p.Model().Vectors.Len() > 0 {
		d.Stroke(picture.Black, d.starWidth(), d.star(l.next("vector")))
	}
}

// classLegend says which colours the classes have, and what the signs are.
func (d *Drawing) classLegend() {
	m, l := d.p.Model(), &legend{frame: &d.Frame}
	const half = 7 * picture.Unit
	most := drawingSide/legendLine - 2
	for k, label := range m.Labels {
		if rest := len(m.Labels) - k; l.line == most-1 && rest > 1 {
			l.next(fmt.Sprintf("and %d more", rest))
			break
		}
		p := l.next(d.label(label))
		d.Fill(ofClass(regionColours, k), [][]picture.Point{picture.Box(p.X-half, p.Y-half, p.X+half, p.Y+half)})
		d.Discs(ofClass(dotColours, k), dotRadius, []picture.Point{p})
	}
	if m.Vote == models.Ensemble {
		p := l.next("machine")
		d.Stroke(faded(picture.Black), picture.Unit, [][]picture.Point{{picture.Pt(p.X-half, p.Y+half/2), picture.Pt(p.X+half, p.Y-half/2)}})
	} else {
		d.explainStars(l)
	}
	if d.margin > 0 {
		d.Circles(picture.Black, ringRadius, []picture.Point{l.next("not beyond margin")})
	}
}
