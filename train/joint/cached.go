package joint

import (
	"context"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// cachedValues are the kernel values of an objective whose vectors and width are fixed. With them,
// an evaluation is two thin products.
type cachedValues struct {
	chunks []values
	kzz    [][]float64 // as queries; nil for kernels that are no inner products
}

// mostCached is the largest number of kernel values that are kept. In chunks, by row and by vector,
// they take 512 MB.
const mostCached = 1 << 25

// cacheable reports whether the kernel values of these numbers of rows and vectors are at most
// mostCached. Their number may overflow an int.
func cacheable(rows, vectors int) bool { return float64(rows)*float64(vectors) <= mostCached }

// cacheValues computes and keeps the kernel values of fixed vectors, unless there are too many.
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
