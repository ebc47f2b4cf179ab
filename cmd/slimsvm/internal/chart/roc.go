package chart

import (
	"fmt"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
)

// ROC returns a picture of ROC curves as a file of the kind.
func ROC(kind picture.Kind, curves []tally.Curve) []byte {
	const left, top, side, unit = picture.MarginLeft, 16, 420, picture.Unit
	f := picture.Frame{
		Canvas: picture.New(kind, left+side+legendLeft+legendWide, top+side+picture.MarginBottom),
		Left:   left * unit, Right: (left + side) * unit, Top: top * unit, Bottom: (top + side) * unit,
	}
	x := func(v float64) int { return picture.AxisPosition(f.Left, f.Right, v, 0, 1) }
	y := func(v float64) int { return picture.AxisPosition(f.Bottom, f.Top, v, 0, 1) }
	f.Stroke(grey, unit, [][]picture.Point{{picture.Pt(f.Left, f.Bottom), picture.Pt(f.Right, f.Top)}})
	for _, c := range curves {
		var line []picture.Point
		for _, p := range c.Points {
			line = withoutBends(line, picture.Pt(x(p.FalsePositiveRate), y(p.TruePositiveRate)))
		}
		f.Stroke(ofClass(dotColours, c.Place), 2*unit, [][]picture.Point{line})
	}
	f.Border()
	ticks := picture.Ticks(0, 1, 5)
	f.Axis(false, "false positive rate", ticks, x)
	f.Axis(true, "true positive rate", ticks, y)
	l := &legend{frame: &f}
	most := side/legendLine - 1
	l.title("label, ROC area")
	for k, c := range curves {
		if rest := len(curves) - k; l.line == most-1 && rest > 1 {
			l.next(fmt.Sprintf("and %d more", rest))
			break
		}
		const half, longest = 7 * unit, 13
		p := l.next(shortened(c.Label, longest) + " " + strconv.FormatFloat(c.Area, 'f', 4, 64))
		f.Stroke(ofClass(dotColours, c.Place), 2*unit, [][]picture.Point{{picture.Pt(p.X-half, p.Y), picture.Pt(p.X+half, p.Y)}})
	}
	return f.Bytes()
}

// withoutBends appends a point to a line that goes to the right or upward. It leaves out a point between two others
// where the line does not bend.
func withoutBends(line []picture.Point, p picture.Point) []picture.Point {
	n := len(line)
	if n > 0 && line[n-1] == p {
		return line
	}
	if n > 1 {
		if a, b := line[n-2], line[n-1]; a.X == b.X && b.X == p.X || a.Y == b.Y && b.Y == p.Y {
			line = line[:n-1]
		}
	}
	return append(line, p)
}
