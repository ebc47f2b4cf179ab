//go:build !amd64 || purego

package scale

import "github.com/slimsvm/slimsvm/format/textscan"

func includeAll(highest, lowest, value []float64) { includePortable(highest, lowest, value) }

func (p *Printer) formula(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	return p.scaleEach(g, at, value, all)
}

func (m *Measure) widenRows(rows *Rows, from, to int) (row, done int) {
	return m.widenRowsPortable(rows, from, to)
}

func (g *stage) lookUp(p *Printer, index []int32, at, kept int) (stop, more int) {
	return g.lookUpPortable(p, index, at, kept)
}

func hasRows() bool { return false }

func (*Measure) includeRows(_ *Rows, from, _ int) (stop int) { return from }

func (*Interner) shareRows(_ []int32, _, to int, _, _ []int32) (done, end, hits int) { return 0, to, 0 }

func (p *Printer) copyOnes(room []byte, index []int32) (size, done, written int) {
	return p.copyOnesPortable(room, index)
}

func allOneFast([]float64) int { return 0 }

func noneIsMinusZero([]float64) int { return 0 }

func hasWords() bool { return false }

func wordsOfReals([]int32, []float64) (done int) { panic("scale: no assembly") }

func realsOfWords([]float64, []int32) { panic("scale: no assembly") }

func wholesOfReals(dst []int32, x []float64, scale float64) (done int) {
	return wholesOfRealsPortable(dst, x, scale)
}

func realsOfWholes(dst []float64, x []int32, scale float64) { realsOfWholesPortable(dst, x, scale) }

func halvesOfWholes(dst []uint16, x []int32, base int32) (done int) {
	return narrowed(dst, x, base)
}

func wholesOfHalves(dst []int32, x []uint16, base int32) { widened(dst, x, base) }

func bytesOfWholes(dst []uint8, x []int32, base int32) (done int) {
	return narrowed(dst, x, base)
}

func wholesOfBytes(dst []int32, x []uint8, base int32) { widened(dst, x, base) }

func hasTalls() bool { return false }

func tallsOfWholes(dst, tall, upper []uint16, x []int32, base int32) (count int) {
	return tallsOfWholesPortable(dst, tall, upper, x, base)
}

func wholesOfTalls(dst []int32, half, tall, upper []uint16, base int32) (used int) {
	return wholesOfTallsPortable(dst, half, tall, upper, base)
}

func threesOfWholes(dst []uint16, third []uint8, x []int32, base int32) (done int) {
	return threesOfWholesPortable(dst, third, x, base)
}

func wholesOfThrees(dst []int32, half []uint16, third []uint8, base int32) {
	wholesOfThreesPortable(dst, half, third, base)
}

func vectors() bool { return false }

func (t *texts) copyTo(room, zeros []byte, zero int, index []int32, value []float64) (done, size, more, next int) {
	return t.copyToPortable(room, zeros, zero, index, value)
}

func (p *Printer) formulaOfMarks(y []float64, index []int32, value []float64) {
	p.formulaOfMarksPortable(y, index, value)
}

func (p *Printer) place(room []byte, zero int, index []int32, at int) (done, size, more, next int) {
	return p.placePortable(room, zero, index, at)
}

func (*stage) formulaOfRun(Limits, []float64, []float64) { panic("scale: no assembly") }

func numberRun([]byte, *rowTexts, *textscan.Name, int, int, int) (row, bytes, written int) {
	panic("scale: no assembly")
}

func numberRows([]byte, *rowTexts, int, int) (row, bytes, more int) { panic("scale: no assembly") }

func textRows([]byte, *rowTexts, int, int) (row, bytes, more int) { panic("scale: no assembly") }

func pairRows([]byte, *rowTexts, int, int) (row, bytes, more int) { panic("scale: no assembly") }

func (*filled) fill([]float64, int) { panic("scale: no assembly") }
