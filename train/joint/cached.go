package joint

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// cachedValues are the kernel values of an objective whose vectors and width stay where they
// are: with them an evaluation is two thin products.
type cachedValues struct {
	chunks []values
	kzz    [][]float64 // as queries; nil for kernels that are no inner products
}

// mostCached is the number of kernel values up to which they are kept, in 512 MB.
const mostCached = 1 << 25

// cacheable reports whether the kernel values of so many rows and vectors are no more than that, which an int may
// not count.
func cacheable(rows, vectors int) bool { return float64(rows)*float64(vectors) <= mostCached }

// cacheValues computes the kernel values of vectors that stay, unless there are too many.
func (o *objective) cacheValues(ctx context.Context, p *point) {
	if !cacheable(len(o.chunks)*chunkRows, o.vectors) {
		return
	}
	q := o.queries(p)
	k := &cachedValues{chunks: make([]values, len(o.chunks))}
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
	o.cached = k
}
