package vec

import "sync"

// DotTo sets dst[i] to the dot product of v and row i, for the first len(dst) rows.
//
// v is scattered over a dense buffer, from which each row gathers. Four rows are summed side by side,
// so that the processor need not wait for one addition before the next; each sum keeps its order.
// If indices are too far apart for a dense buffer, index lists are merged instead.
func (m *Matrix) DotTo(dst []float64, v Vector) {
	rows := m.first(len(dst))
	if len(v.Index) == 0 {
		clear(dst)
		return
	}
	if !m.scatterable() {
		for i, r := range rows {
			dst[i] = Dot(v, r.vector())
		}
		return
	}
	buf := scatter(v, m.MaxIndex())
	dense := *buf
	list := headerOf(v) // has v's indices
	i := 0
	for ; i+4 <= len(rows); i += 4 {
		a, b, c, d := &rows[i], &rows[i+1], &rows[i+2], &rows[i+3]
		list.share(&v, a)
		out := dst[i : i+4 : i+4]
		if a.lists(&list) && b.lists(&list) && c.lists(&list) && d.lists(&list) {
			out[0], out[1], out[2], out[3] = dot4Aligned(v.Value, a.values(), b.values(), c.values(), d.values())
			continue
		}
		out[0], out[1], out[2], out[3] = dot4Scattered(dense, a, b, c, d)
	}
	for ; i < len(rows); i++ {
		dst[i] = dotScattered(dense, rows[i].vector(), 0, 0)
	}
	clearScattered(buf, v)
}

// scatterable reports whether a dense buffer up to the largest index would be in proportion to the
// stored entries. An index is a number from a file, which must not decide alone how much memory is
// used.
func (m *Matrix) scatterable() bool {
	return m.MaxIndex() < 1<<16 || m.MaxIndex() < m.nnz
}

var scatterPool = sync.Pool{New: func() any { return new([]float64) }}

// scatter returns a buffer for indices up to max that holds v and is otherwise zero. Entries of v
// beyond max meet no row's entries and are left out.
func scatter(v Vector, max int) *[]float64 {
	buf := scatterPool.Get().(*[]float64)
	if len(*buf) <= max {
		*buf = make([]float64, max+1)
	}
	dense := *buf
	for k, i := range v.Index {
		if int(i) > max {
			break
		}
		dense[i] = v.Value[k]
	}
	return buf
}

// clearScattered zeroes what scatter has written and returns the buffer to the pool.
func clearScattered(buf *[]float64, v Vector) {
	dense := *buf
	for _, i := range v.Index {
		if int(i) >= len(dense) {
			break
		}
		dense[i] = 0
	}
	scatterPool.Put(buf)
}

// dotScattered returns sum plus the products of r's entries from position k on.
func dotScattered(dense []float64, r Vector, k int, sum float64) float64 {
	index := r.Index
	value := r.Value[:len(index)]
	for ; k < len(index); k++ {
		sum += float64(dense[index[k]] * value[k])
	}
	return sum
}

func dot4Scattered(dense []float64, a, b, c, d *header) (s0, s1, s2, s3 float64) {
	n := min(a.n, b.n, c.n, d.n)
	ai, bi, ci, di := a.indices()[:n], b.indices()[:n], c.indices()[:n], d.indices()[:n]
	av, bv, cv, dv := a.values()[:n], b.values()[:n], c.values()[:n], d.values()[:n]
	for k := range n {
		s0 += float64(dense[ai[k]] * av[k])
		s1 += float64(dense[bi[k]] * bv[k])
		s2 += float64(dense[ci[k]] * cv[k])
		s3 += float64(dense[di[k]] * dv[k])
	}
	return dotScattered(dense, a.vector(), n, s0), dotScattered(dense, b.vector(), n, s1),
		dotScattered(dense, c.vector(), n, s2), dotScattered(dense, d.vector(), n, s3)
}

func dot4Aligned(x, a, b, c, d []float64) (s0, s1, s2, s3 float64) {
	n := len(x)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for k, v := range x {
		s0 += float64(v * a[k])
		s1 += float64(v * b[k])
		s2 += float64(v * c[k])
		s3 += float64(v * d[k])
	}
	return s0, s1, s2, s3
}
