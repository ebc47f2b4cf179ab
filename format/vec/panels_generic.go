package vec

// portable is the twin of the assembly: sums of four rows of a panel with two
// query rows side by side, and of the last of an odd number with one.
func (f sum) portable(dst []float64, stride int, panels []float64, count int, query []float64, columns, rows int) {
	for p := range count {
		panel := panels[p*columns*PanelRows : (p+1)*columns*PanelRows]
		r := 0
		for ; r+2 <= rows; r += 2 {
			a := dst[r*stride+p*PanelRows:][:PanelRows]
			b := dst[(r+1)*stride+p*PanelRows:][:PanelRows]
			for i := 0; i < PanelRows; i += 4 {
				if f == dots {
					dots2x4(a[i:], b[i:], panel, i, query, r, rows)
				} else {
					distances2x4(a[i:], b[i:], panel, i, query, r, rows)
				}
			}
		}
		if r < rows {
			a := dst[r*stride+p*PanelRows:][:PanelRows]
			for i := 0; i < PanelRows; i += 4 {
				if f == dots {
					dots1x4(a[i:], panel, i, query, r, rows)
				} else {
					distances1x4(a[i:], panel, i, query, r, rows)
				}
			}
		}
	}
}

func dots1x4(dst, panel []float64, i int, query []float64, r, rows int) {
	var s0, s1, s2, s3 float64
	for ; r < len(query); r += rows {
		x := query[r]
		z := (*[4]float64)(panel[i:])
		s0 += float64(x * z[0])
		s1 += float64(x * z[1])
		s2 += float64(x * z[2])
		s3 += float64(x * z[3])
		i += PanelRows
	}
	*(*[4]float64)(dst) = [4]float64{s0, s1, s2, s3}
}

func dots2x4(a, b, panel []float64, i int, query []float64, r, rows int) {
	var s0, s1, s2, s3, t0, t1, t2, t3 float64
	for ; r+1 < len(query); r += rows {
		x, y := query[r], query[r+1]
		z := (*[4]float64)(panel[i:])
		z0, z1, z2, z3 := z[0], z[1], z[2], z[3]
		s0 += float64(x * z0)
		s1 += float64(x * z1)
		s2 += float64(x * z2)
		s3 += float64(x * z3)
		t0 += float64(y * z0)
		t1 += float64(y * z1)
		t2 += float64(y * z2)
		t3 += float64(y * z3)
		i += PanelRows
	}
	*(*[4]float64)(a) = [4]float64{s0, s1, s2, s3}
	*(*[4]float64)(b) = [4]float64{t0, t1, t2, t3}
}

func distances1x4(dst, panel []float64, i int, query []float64, r, rows int) {
	var s0, s1, s2, s3 float64
	for ; r < len(query); r += rows {
		x := query[r]
		z := (*[4]float64)(panel[i:])
		d0, d1, d2, d3 := x-z[0], x-z[1], x-z[2], x-z[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		i += PanelRows
	}
	*(*[4]float64)(dst) = [4]float64{s0, s1, s2, s3}
}

func distances2x4(a, b, panel []float64, i int, query []float64, r, rows int) {
	var s0, s1, s2, s3, t0, t1, t2, t3 float64
	for ; r+1 < len(query); r += rows {
		x, y := query[r], query[r+1]
		z := (*[4]float64)(panel[i:])
		z0, z1, z2, z3 := z[0], z[1], z[2], z[3]
		d0, d1, d2, d3 := x-z0, x-z1, x-z2, x-z3
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		d0, d1, d2, d3 = y-z0, y-z1, y-z2, y-z3
		t0 += float64(d0 * d0)
		t1 += float64(d1 * d1)
		t2 += float64(d2 * d2)
		t3 += float64(d3 * d3)
		i += PanelRows
	}
	*(*[4]float64)(a) = [4]float64{s0, s1, s2, s3}
	*(*[4]float64)(b) = [4]float64{t0, t1, t2, t3}
}
