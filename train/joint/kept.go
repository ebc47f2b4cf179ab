package joint

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// kept are the kernel values of an objective whose vectors and width stay where they
// are: with them an evaluation is two thin products.
type kept struct {
	chunks []values
	kzz    [][]float64 // as queries; nil for kernels that are no inner products
}

// mostKept is the number of kernel values up to which they are kept, in 512 MB.
const mostKept = 1 << 25

// keepable reports whether the kernel values of so many rows and vectors are no more than that, which an int may
// not count.
func keepable(rows, vectors int) bool { return float64(rows)*float64(vectors) <= mostKept }

// keep computes the kernel values of vectors that stay, unless there are too many.
func (o *objective) keep(ctx context.Context, p *point) {
	if !keepable(len(o.chunks)*chunkRows, o.vectors) {
		return
	}
	q := o.queries(p)
	k := &kept{chunks: make([]values, len(o.chunks))}
	team.Do(ctx, len(o.chunks), func(ctx context.Context, i int) {
		c, v := &o.chunks[i], &k.chunks[i]
		v.reset(o.vectors)
		derivative, dist := make([]float64, o.vectors*vec.PanelRows), make([]float64, o.vectors*vec.PanelRows)
		for p := range (c.rows + vec.PanelRows - 1) / vec.PanelRows {
			if ctx.Err() != nil {
				return
			}
			o.kernelValues(v, derivative, dist, q, c, p)
		}
	})
	if o.form.positive() {
		k.kzz, _, _ = o.products(ctx, q, p)
	}
	o.kept = k
}
