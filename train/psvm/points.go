package psvm

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// points are the rows D of one TRAIN, with their features numbered from 0 on.
type points struct {
	rows    []int   // their numbers in the data set, in order
	class   []int   // of each row
	columns []int32 // the features that occur
	x       []vec.Vector
	dense   [][]float64 // the same rows with every feature; nil: too many values are 0
	near    distances
}

// minFill is the share of nonzero values from which dense rows pay. fewColumns is the number of
// features up to which they always do.
const (
	minFill    = 0.2
	fewColumns = 32
)

func newPoints(x *vec.Matrix, rows []int, class []int) *points {
	p := &points{rows: rows, class: make([]int, len(rows)), x: make([]vec.Vector, len(rows))}
	entries := 0
	place := map[int32]int32{}
	for k, i := range rows {
		p.class[k] = class[i]
		for _, f := range x.Row(i).Index {
			place[f] = 0
		}
		entries += len(x.Row(i).Index)
	}
	for f := range place {
		p.columns = append(p.columns, f)
	}
	slices.Sort(p.columns)
	for k, f := range p.columns {
		place[f] = int32(k)
	}
	for k, i := range rows {
		v := x.Row(i)
		p.x[k] = vec.Vector{Index: make([]int32, len(v.Index)), Value: v.Value}
		for e, f := range v.Index {
			p.x[k].Index[e] = place[f]
		}
	}
	if d := len(p.columns); d <= fewColumns || float64(entries) >= minFill*float64(d)*float64(len(rows)) {
		p.dense = make([][]float64, len(rows))
		all := make([]float64, d*len(rows))
		for k, v := range p.x {
			p.dense[k], all = all[:d:d], all[d:]
			for e, f := range v.Index {
				p.dense[k][f] = v.Value[e]
			}
		}
	}
	return p
}

// withoutDistances returns the points as they are without distances, whose memory is then free when
// p is.
func (p *points) withoutDistances() *points {
	bare := *p
	bare.near = distances{}
	return &bare
}

func (p *points) len() int { return len(p.rows) }

// squaredDistance returns |d_i - d_j|^2.
func (p *points) squaredDistance(i, j int) float64 {
	if p.dense == nil {
		return vec.SquaredDistance(p.x[i], p.x[j])
	}
	b := p.dense[j]
	sum := 0.0
	for f, v := range p.dense[i] {
		d := v - b[f]
		sum += float64(d * d)
	}
	return sum
}

// towards returns (d_x - d_i).(d_j - d_i).
func (p *points) towards(i, x, j int) float64 {
	if p.dense == nil {
		a, b, c := p.x[i], p.x[x], p.x[j]
		return (vec.Dot(b, c) - vec.Dot(a, b)) - (vec.Dot(a, c) - vec.Dot(a, a))
	}
	b, c := p.dense[x], p.dense[j]
	sum := 0.0
	for f, v := range p.dense[i] {
		sum += float64((b[f] - v) * (c[f] - v))
	}
	return sum
}

// distances are the squared distances between all rows of each class. They are kept if there is
// room for them.
type distances struct {
	at    []int       // of each row, its place in its class
	below [][]float64 // of each row, the distances to rows of its class before it; nil: not kept
}

// mostDistances is the largest number of distances that are kept, 1 GB.
const mostDistances = 1 << 27

// measure computes the distances.
func (p *points) measure(ctx context.Context) {
	members := map[int][]int{}
	p.near.at = make([]int, p.len())
	for i, c := range p.class {
		p.near.at[i] = len(members[c])
		members[c] = append(members[c], i)
	}
	if pairsWithin(members) > mostDistances {
		return
	}
	p.near.below = make([][]float64, p.len())
	const chunk = 16
	team.Do(ctx, (p.len()+chunk-1)/chunk, func(ctx context.Context, c int) {
		if ctx.Err() != nil {
			return
		}
		for i := c * chunk; i < min((c+1)*chunk, p.len()); i++ {
			of := members[p.class[i]][:p.near.at[i]]
			p.near.below[i] = make([]float64, len(of))
			for k, j := range of {
				p.near.below[i][k] = p.squaredDistance(i, j)
			}
		}
	})
}

// pairsWithin returns the number of pairs of rows of the same class, which may overflow an int.
func pairsWithin(members map[int][]int) (n int64) {
	for _, list := range members {
		rows := int64(len(list))
		n += rows * (rows - 1) / 2
	}
	return n
}

// within returns the squared distance of two rows of a class.
func (p *points) within(i, j int) float64 {
	switch {
	case i == j:
		return 0
	case p.near.below == nil:
		return p.squaredDistance(max(i, j), min(i, j))
	}
	i, j = max(i, j), min(i, j)
	return p.near.below[i][p.near.at[j]]
}
