//go:build !amd64 || purego

package scale

func includeAll(highest, lowest, value []float64) { includePortable(highest, lowest, value) }

func (p *Printer) formula(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	return p.scaleEach(g, at, value, all)
}
