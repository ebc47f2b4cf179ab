package kernel

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A Basis holds the vectors of a model ready for prediction in batches. Values
// have the bits of EvaluateTo. It does not change and may be used by several
// goroutines at once.
type Basis struct {
	kernel Kernel
	zs     *vec.Matrix
}

// NewBasis returns a basis of the rows of zs, with which it shares memory.
func NewBasis(k Kernel, zs *vec.Matrix) *Basis { return &Basis{k, zs} }

// Len returns the number of vectors.
func (b *Basis) Len() int { return b.zs.Len() }

// BatchRows is the largest number of rows in a batch.
const BatchRows = 128

// A Batch holds rows to predict, ready for one basis. The zero Batch is empty and
// ready; a batch that is packed again uses its memory again.
type Batch struct {
	basis  *Basis
	lanes  int
	xs     []vec.Vector
	values []float64
}

// batchLanes is the multiple that the number of lanes is rounded up to.
const batchLanes = 32

// Pack makes the batch hold xs, at most BatchRows rows, in memory shared with
// them.
func (b *Batch) Pack(z *Basis, xs []vec.Vector) {
	if len(xs) > BatchRows {
		panic(fmt.Sprintf("kernel: %d rows in a batch", len(xs)))
	}
	b.basis, b.xs = z, xs
	b.lanes = (len(xs) + batchLanes - 1) / batchLanes * batchLanes
}

// Lanes returns the distance of values in EvaluateTo: the number of rows, rounded
// up.
func (b *Batch) Lanes() int { return b.lanes }

// EvaluateTo sets dst[(i-from)*Lanes()+r] = K(xs[r], zs[i]) for from <= i < to and
// each row r of the batch; what it writes for other r below Lanes() has no
// meaning. dst has length (to-from)*Lanes(). Values of one vector of the basis
// stand together, so that sums over vectors run side by side for all rows.
func (b *Batch) EvaluateTo(dst []float64, from, to int) {
	if len(dst) != (to-from)*b.lanes {
		panic(fmt.Sprintf("kernel: room for %d values, expected %d", len(dst), (to-from)*b.lanes))
	}
	if cap(b.values) < to-from {
		b.values = make([]float64, to-from)
	}
	values := b.values[:to-from]
	part := b.basis.zs.Slice(from, to)
	for r, x := range b.xs {
		b.basis.kernel.EvaluateTo(values, x, &part)
		for i, v := range values {
			dst[i*b.lanes+r] = v
		}
	}
}
