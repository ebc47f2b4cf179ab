package vec

import "math"

// portableColumns is the number of columns processed at a time: a panel's share of them, 16 KB,
// stays in the first-level cache.
const portableColumns = 64

// portable does in plain Go what the assembly does.
func (f sum) portable(dst []float64, stride int, panels []float64, count int, query []float64, columns, rows int) {
	var x [portableColumns]float64
	for p := range count {
		panel := panels[p*columns*PanelRows : (p+1)*columns*PanelRows]
		for r := range rows {
			to := dst[r*stride+p*PanelRows:][:PanelRows]
			clear(to)
			for first := 0; first < columns; first += portableColumns {
				n := min(portableColumns, columns-first)
				part := query[first : first+n] // right if there is only one row
				if rows > 1 {
					part = x[:n]
					for k := range part {
						part[k] = query[(first+k)*rows+r]
					}
				}
				z := panel[first*PanelRows : (first+n)*PanelRows]
				for i := 0; i < PanelRows; i += 4 {
					switch sums := (*[4]float64)(to[i:]); f {
					case dots:
						dotsPortable(sums, part, z[i:])
					case distances:
						distancesPortable(sums, part, z[i:])
					default:
						nearsPortable(sums, part, z[i:])
					}
				}
			}
		}
	}
}

// dotsPortable adds x[k] z[PanelRows k+i] to to[i] for i < 4 and all k. More than four sums would
// not stay in registers.
func dotsPortable(to *[4]float64, x, z4 []float64) {
	s0, s1, s2, s3 := to[0], to[1], to[2], to[3]
	for len(x) >= 4 {
		z := (*[3*PanelRows + 4]float64)(z4)
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		s0 += float64(z[0] * x0)
		s1 += float64(z[1] * x0)
		s2 += float64(z[2] * x0)
		s3 += float64(z[3] * x0)
		s0 += float64(z[PanelRows] * x1)
		s1 += float64(z[PanelRows+1] * x1)
		s2 += float64(z[PanelRows+2] * x1)
		s3 += float64(z[PanelRows+3] * x1)
		s0 += float64(z[2*PanelRows] * x2)
		s1 += float64(z[2*PanelRows+1] * x2)
		s2 += float64(z[2*PanelRows+2] * x2)
		s3 += float64(z[2*PanelRows+3] * x2)
		s0 += float64(z[3*PanelRows] * x3)
		s1 += float64(z[3*PanelRows+1] * x3)
		s2 += float64(z[3*PanelRows+2] * x3)
		s3 += float64(z[3*PanelRows+3] * x3)
		x = x[4:]
		if len(x) == 0 {
			break
		}
		z4 = z4[4*PanelRows:]
	}
	for k, v := range x {
		z := (*[4]float64)(z4[k*PanelRows:])
		s0 += float64(z[0] * v)
		s1 += float64(z[1] * v)
		s2 += float64(z[2] * v)
		s3 += float64(z[3] * v)
	}
	*to = [4]float64{s0, s1, s2, s3}
}

// distancesPortable is dotsPortable for squares of differences.
func distancesPortable(to *[4]float64, x, z4 []float64) {
	s0, s1, s2, s3 := to[0], to[1], to[2], to[3]
	for len(x) >= 4 {
		z := (*[3*PanelRows + 4]float64)(z4)
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		d0 := z[0] - x0
		d1 := z[1] - x0
		d2 := z[2] - x0
		d3 := z[3] - x0
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		d0 = z[PanelRows] - x1
		d1 = z[PanelRows+1] - x1
		d2 = z[PanelRows+2] - x1
		d3 = z[PanelRows+3] - x1
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		d0 = z[2*PanelRows] - x2
		d1 = z[2*PanelRows+1] - x2
		d2 = z[2*PanelRows+2] - x2
		d3 = z[2*PanelRows+3] - x2
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		d0 = z[3*PanelRows] - x3
		d1 = z[3*PanelRows+1] - x3
		d2 = z[3*PanelRows+2] - x3
		d3 = z[3*PanelRows+3] - x3
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		x = x[4:]
		if len(x) == 0 {
			break
		}
		z4 = z4[4*PanelRows:]
	}
	for k, v := range x {
		z := (*[4]float64)(z4[k*PanelRows:])
		d0 := z[0] - v
		s0 += float64(d0 * d0)
		d1 := z[1] - v
		s1 += float64(d1 * d1)
		d2 := z[2] - v
		s2 += float64(d2 * d2)
		d3 := z[3] - v
		s3 += float64(d3 * d3)
	}
	*to = [4]float64{s0, s1, s2, s3}
}

// nearsPortable is dotsPortable with unrounded products.
func nearsPortable(to *[4]float64, x, z4 []float64) {
	for k, v := range x {
		z := z4[PanelRows*k:][:4]
		for i := range to {
			to[i] = math.FMA(v, z[i], to[i])
		}
	}
}
