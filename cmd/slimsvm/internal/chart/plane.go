package chart

import (
	"context"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// setOthers sets the features that are not chosen to their means.
func (d *Drawing) setOthers(chosen []int32) {
	sums := map[int32]float64{}
	n := float64(max(1, d.rows.Len()))
	for i := range d.rows.Len() {
		x := d.rows.X.Row(i)
		for k, f := range x.Index {
			if !slices.Contains(chosen, f) {
				sums[f] += x.Value[k] / n
			}
		}
	}
	for f := range sums {
		d.others.Index = append(d.others.Index, f)
	}
	slices.Sort(d.others.Index)
	for _, f := range d.others.Index {
		d.others.Value = append(d.others.Value, sums[f])
	}
}

// with returns the vector of these values of the features, and the others' means.
func (d *Drawing) with(x, y float64) vec.Vector {
	v := d.others.Clone()
	for k, value := range []float64{x, y}[:len(d.features)] {
		at, _ := slices.BinarySearch(v.Index, d.features[k])
		v.Index, v.Value = slices.Insert(v.Index, at, d.features[k]), slices.Insert(v.Value, at, value)
	}
	return v
}

// answers returns the places of the classes that the model answers in the middles of the cells of the line at y, or
// if ctx ends some of them.
func (d *Drawing) answers(ctx context.Context, y int) []int {
	const middle = drawingStep / 2.0
	var cells [][2]float64
	for x := 0; x < drawingSide; x += drawingStep {
		cells = append(cells, [2]float64{float64(x) + middle, float64(y) + middle})
	}
	var places []int
	labels := d.p.Model().Labels
	for _, answer := range d.predictions(ctx, cells) {
		places = append(places, slices.Index(labels, int(answer)))
	}
	return places
}

// predictions returns the model's predictions at some places, or if ctx ends those of the first ones.
func (d *Drawing) predictions(ctx context.Context, places [][2]float64) (all []float64) {
	p := d.p
	if d.plane != nil {
		p = d.plane
	}
	b := p.NewBatch()
	for some := range slices.Chunk(places, cellsAtOnce) {
		if ctx.Err() != nil {
			break
		}
		var xs []vec.Vector
		for _, at := range some {
			if d.plane != nil {
				v, w := d.values(at[0], at[1])
				xs = append(xs, planar(v, w, d.third))
			} else {
				xs = append(xs, d.at(at[0], at[1]))
			}
		}
		b.Answer(xs)
		for r := range some {
			all = append(all, b.Predict(r))
		}
	}
	return all
}

// cellsAtOnce is the number of cells that are answered together, which takes less time. A picture can be given up
// between them.
const cellsAtOnce = 64

// setPlane sets d.plane, if the other features can be summed up: a cell of the picture then takes no longer the
// more of them there are. What they contribute to a product x.z or a distance |x-z| is the same for all
// points of the plane: for it vectors have a third feature, which of points is 1 or, for distances, 0.
func (d *Drawing) setPlane() {
	m := *d.p.Model()
	if len(d.others.Index) == 0 || len(d.features) < 2 || m.Vote == models.Ensemble {
		return
	}
	far := false
	switch m.Kernel.(type) {
	case kernel.RBF:
		far, d.third = true, 0
	case kernel.Linear, kernel.Poly, kernel.Sigmoid:
		d.third = 1
	default:
		return
	}
	zs := m.Vectors
	m.Vectors, m.Origin = vec.Matrix{}, nil
	for i := range zs.Len() {
		z, rest := zs.Row(i), vec.Vector{}
		for k, f := range z.Index {
			if !slices.Contains(d.features, f) {
				rest.Index, rest.Value = append(rest.Index, f), append(rest.Value, z.Value[k])
			}
		}
		third := vec.Dot(rest, d.others)
		if far {
			third = math.Sqrt(vec.SquaredDistance(rest, d.others))
		}
		m.Vectors.Append(planar(z.At(d.features[0]), z.At(d.features[1]), third))
	}
	if p, err := predict.New(&m); err == nil { // else what is summed up is no number
		d.plane = p
	}
}

// planar returns a vector of three features.
func planar(x, y, third float64) vec.Vector {
	return vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{x, y, third}}
}

// A segment is a machine's line in the picture.
type segment struct {
	class          int
	x0, y0, x1, y1 float64
}

// segments returns the lines of an ensemble's machines that meet the picture, of those
// with several hyperplanes the ones that are for the machine's own class.
func (d *Drawing) segments() []segment {
	m := d.p.Model()
	if m.Vote != models.Ensemble {
		return nil
	}
	var all []segment
	member, next, own := 0, 0, 0
	for i := range m.Machines {
		if i < next && m.Machines[i].Pos != own {
			continue
		}
		if i == next {
			planes, _ := m.Member(member)
			next, own = planes.To, m.Machines[i].Pos
			member++
		}
		w := m.Vectors.Row(i)
		// as places in the picture: a x + b y + c = 0
		a, b := w.At(d.features[0])/d.scale[0], -w.At(d.features[1])/d.scale[1]
		c := vec.Dot(w, d.with(d.low[0], d.low[1])) + w.At(d.features[1])*drawingSide/d.scale[1] - m.Machines[i].Rho
		var ends [][2]float64
		add := func(x, y float64) {
			if x >= 0 && x <= drawingSide && y >= 0 && y <= drawingSide {
				ends = append(ends, [2]float64{x, y})
			}
		}
		for _, edge := range []float64{0, drawingSide} {
			if math.Abs(b) >= math.Abs(a) && b != 0 {
				add(edge, -(c+float64(a*edge))/b)
			}
			if a != 0 {
				add(-(c+float64(b*edge))/a, edge)
			}
			if math.Abs(b) < math.Abs(a) && b != 0 {
				add(edge, -(c+float64(a*edge))/b)
			}
		}
		if len(ends) >= 2 {
			all = append(all, segment{m.Machines[i].Pos, ends[0][0], ends[0][1], ends[1][0], ends[1][1]})
		}
	}
	return all
}
