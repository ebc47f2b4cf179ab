//go:build amd64 && !purego

package scale

import (
	"math"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

//go:generate sh -c "cd ../../_generate && go run ./scale -out ../format/scale/scale_amd64.s -stubs ../format/scale/stubs_amd64.go -pkg scale"

// includeAll includes each value in the range of its place.
func includeAll(highest, lowest, value []float64) {
	n := len(value)
	switch {
	case n == 0:
	case simd.Text():
		includeAVX512(&highest[:n][0], &lowest[:n][0], &value[0], n)
	case simd.Current() >= simd.AVX2:
		includeAVX2(&highest[:n][0], &lowest[:n][0], &value[0], n)
	default:
		includePortable(highest, lowest, value)
	}
}

// formula is scale for values of plain rules that become finite ones by the formula.
func (p *Printer) formula(g *stage, at int, value []float64, all bool) (n int, ok bool) {
	if simd.Current() < simd.AVX2 || len(value) == 0 {
		return p.scaleEach(g, at, value, all)
	}
	l := p.s.ranges.X.Limits
	b, end := &p.piece, at+len(value)
	_, _, _, _, _ = g.min[at:end], g.span[at:end], g.slot[at:end], g.name[at:end], b.values[b.n+len(value)+7]
	form, mask := formulaAVX2, 15
	if simd.Text() {
		form, mask = formulaAVX512, 255
	}
	if !all {
		mask = 0
	}
	n = form(&b.values[b.n], &b.slots[b.n], (*uint64)(&b.names[b.n]), &value[0], &g.min[at], &g.span[at], &g.slot[at], (*uint64)(&g.name[at]),
		len(value), l.Lower, l.Upper-l.Lower, math.MaxFloat64, mask)
	return n, n >= 0
}

// The assembly knows these by their places.
var (
	_ = [1]int{}[unsafe.Sizeof(seen{})-32]
	_ = [1]int{}[unsafe.Offsetof(seen{}.Max)-unsafe.Offsetof(seen{}.Min)-8]
	_ = [1]int{}[unsafe.Offsetof(seen{}.rows)-unsafe.Offsetof(seen{}.Min)-16]
	_ = [1]int{}[unsafe.Sizeof(term{})-32]
	_ = [1]int{}[unsafe.Offsetof(term{}.kept)-24]
)

var (
	_ = [1]int{}[unsafe.Sizeof(listRanges{})-88]
	_ = [1]int{}[unsafe.Offsetof(listRanges{}.list)]
	_ = [1]int{}[unsafe.Offsetof(listRanges{}.rows)-8]
	_ = [1]int{}[unsafe.Offsetof(listRanges{}.max)-40]
	_ = [1]int{}[unsafe.Offsetof(listRanges{}.min)-64]
	_ = [1]int{}[manyLists-1<<6]
	_ = [1]int{}[longShared-256]
	_ = [1]int{}[unsafe.Sizeof(rowTexts{})-19*8]
	_ = [1]int{}[unsafe.Sizeof(column{})-16]
	_ = [1]int{}[unsafe.Offsetof(column{}.count)-4]
	_ = [1]int{}[unsafe.Offsetof(column{}.lowest)-8]
	_ = [1]int{}[unsafe.Sizeof(pairText{})-32]
	_ = [1]int{}[unsafe.Offsetof(pairText{}.text)-8]
	_ = [1]int{}[unsafe.Offsetof(pairText{}.size)-31]
	_ = [1]int{}[wordBits-4]
	_ = [1]int{}[tallsAtOnce-16]
	_ = [1]int{}[unsafe.Sizeof(labelText{})-64]
	_ = [1]int{}[unsafe.Offsetof(labelText{}.text)-8]
	_ = [1]int{}[unsafe.Offsetof(labelText{}.size)-63]
	_ = [1]int{}[unsafe.Offsetof(textscan.SixDigits{}.Hi)-8*128]
	_ = [1]int{}[unsafe.Offsetof(textscan.SixDigits{}.N)-16*128]
	_ = [1]int{}[unsafe.Sizeof(oneText{})-24]
	_ = [1]int{}[unsafe.Offsetof(oneText{}.size)-16]
	_ = [1]int{}[unsafe.Sizeof(valueText{})-32]
	_ = [1]int{}[unsafe.Offsetof(valueText{}.text)-16]
	_ = [1]int{}[unsafe.Sizeof(mark{})-40]
	_ = [1]int{}[unsafe.Offsetof(mark{}.spread)-8]
	_ = [1]int{}[unsafe.Offsetof(mark{}.before)-16]
	_ = [1]int{}[unsafe.Offsetof(mark{}.after)-20]
	_ = [1]int{}[unsafe.Offsetof(mark{}.min)-24]
	_ = [1]int{}[unsafe.Offsetof(mark{}.span)-32]
)

// copyOnes is copyOnesPortable.
func (p *Printer) copyOnes(room []byte, index []int32) (size, done, written int) {
	if simd.Current() < simd.AVX2 || len(index) == 0 || len(p.ones.texts) == 0 {
		return p.copyOnesPortable(room, index)
	}
	return onesAVX2(&room[:(len(index)+1)*oneBytes][0], &p.ones.texts[0].text[0], len(p.ones.texts), &index[0], len(index))
}

// allOneFast returns how many of the first values are 1 for sure, or less than 0 if one is not.
func allOneFast(values []float64) int {
	n := len(values) &^ 15
	if n == 0 || simd.Current() < simd.AVX2 {
		return 0
	}
	if !allOneAVX2(&values[0], n) {
		return -1
	}
	return n
}

// noneIsMinusZero reports of how many of the first values none is -0 for sure, or less than 0 if
// one is.
func noneIsMinusZero(values []float64) int {
	n := len(values) &^ 15
	if n == 0 || simd.Current() < simd.AVX2 {
		return 0
	}
	if !noneIsAVX2(&values[0], n, 1<<63) {
		return -1
	}
	return n
}

// copyTo is copyToPortable.
func (t *texts) copyTo(room, zeros []byte, zero int, index []int32, value []float64) (done, size, more, next int) {
	n := len(index)
	if simd.Current() < simd.AVX2 || n == 0 || len(t.marks) == 0 {
		return t.copyToPortable(room, zeros, zero, index, value)
	}
	_ = room[:len(zeros)-zero+n*(markBytes+textBytes)+textSlack]
	return textsAVX2(&room[0], unsafe.SliceData(zeros[:len(zeros)+zerosSlack]), zero, (*uint64)(&t.marks[0].name), len(t.marks),
		&t.list[0].bits, &t.places[0], t.shift(), len(t.places)-1, &index[0], &value[:n][0], n, spreadBits)
}

// formulaOfMarks is formulaOfMarksPortable.
func (p *Printer) formulaOfMarks(y []float64, index []int32, value []float64) {
	n := len(index)
	if simd.Current() < simd.AVX2 || n == 0 {
		p.formulaOfMarksPortable(y, index, value)
		return
	}
	l := p.s.ranges.X.Limits
	formulaOfMarksAVX2(&y[:n][0], (*uint64)(&p.marks[0].name), len(p.marks)-1, &index[0], &value[:n][0], n, l.Lower, l.Upper-l.Lower)
}

// formulaOfRun sets y to what the formula makes of values of a plain stage.
func (g *stage) formulaOfRun(l Limits, y, value []float64) {
	n := len(value) &^ 3
	if n > 0 {
		formulaOfRunAVX2(&y[:n][0], &value[0], &g.min[:n][0], &g.span[:n][0], n, l.Lower, l.Upper-l.Lower)
	}
	for k := n; k < len(value); k++ {
		y[k] = l.Lower + float64((l.Upper-l.Lower)*(value[k]-g.min[k]))/g.span[k]
	}
}

// numberRows puts rows together of numbers that are ready.
func numberRows(room []byte, w *rowTexts, from, to int) (row, bytes, more int) {
	by := numberRowsAVX2
	if w.zerosEnd == 0 {
		by = numberRowsOnlyAVX2
	}
	return by(unsafe.SliceData(room), (*uint64)(unsafe.Pointer(w)), from, to)
}

// numberRun puts rows together that all have the same features, whose names stand behind each other
// as their numbers do, with nothing between.
func numberRun(room []byte, w *rowTexts, names *textscan.Name, each, from, to int) (row, bytes, written int) {
	return numberRunAVX2(unsafe.SliceData(room), (*uint64)(unsafe.Pointer(w)), (*uint64)(w.numbers), (*uint64)(names), w.y, each, from, to)
}

// textRows puts rows together of texts of values.
func textRows(room []byte, w *rowTexts, from, to int) (row, bytes, more int) {
	by := textRowsAVX2
	if w.zerosEnd == 0 {
		by = textRowsOnlyAVX2
	}
	return by(unsafe.SliceData(room), (*uint64)(unsafe.Pointer(w)), from, to)
}

// pairRows puts rows together of texts of pairs.
func pairRows(room []byte, w *rowTexts, from, to int) (row, bytes, more int) {
	by := pairRowsAVX2
	if w.zerosEnd == 0 {
		by = pairRowsOnlyAVX2
	}
	return by(unsafe.SliceData(room), (*uint64)(unsafe.Pointer(w)), from, to)
}

// place is placePortable.
func (p *Printer) place(room []byte, zero int, index []int32, at int) (done, size, more, next int) {
	n := len(index)
	if simd.Current() < simd.AVX2 || n == 0 || len(p.marks) == 0 {
		return p.placePortable(room, zero, index, at)
	}
	s := &p.piece.sixes
	_, _ = room[:len(p.zeros)-zero+n*numberRoom+placeSlack], s.Lo[at:at+n]
	return placeAVX2(&room[0], unsafe.SliceData(p.zeros[:len(p.zeros)+zerosSlack]), zero, (*uint64)(&p.marks[0].name), len(p.marks),
		&index[0], n, &s.Lo[at], &s.Hi[at], &s.N[at], &p.piece.values[at])
}

// hasRows reports whether there are includeRows and shareRows.
func hasRows() bool { return simd.Text() }

// includeRows includes rows from one on to before another in the ranges of their lists and returns
// where it stopped: at the end, or at the first whose list has none.
func (m *Measure) includeRows(rows *Rows, from, to int) (stop int) {
	_, _ = rows.Starts[:to+1], rows.Lists[:to]
	return includeRowsAVX512(&m.lists[0].list.from, &rows.Starts[0], &rows.Lists[0], &rows.Value[0], from, to)
}

// shareRows is Intern for rows up to one with a long list.
func (s *Interner) shareRows(index []int32, at, to int, starts, lists []int32) (done, end, hits int) {
	return shareAVX512(&s.table[0], unsafe.SliceData(index), at, to, &starts[0], &lists[0], len(lists))
}

// widenRows is widenRowsPortable.
func (m *Measure) widenRows(rows *Rows, from, to int) (row, done int) {
	direct := m.index.direct
	if simd.Current() < simd.AVX2 || len(rows.Value) == 0 || len(m.features) == 0 || len(direct) == 0 {
		return m.widenRowsPortable(rows, from, to)
	}
	_, _ = rows.Starts[:to+1], rows.Lists[:to]
	return widenRowsAVX2(&m.features[0].Min, &direct[0], len(direct), &rows.Index[0], &rows.Lists[0], &rows.Starts[0], &rows.Value[0], from, to)
}

// lookUp is lookUpPortable.
func (g *stage) lookUp(p *Printer, index []int32, at, kept int) (stop, more int) {
	direct, n := p.s.index.direct, len(index)
	if simd.Current() < simd.AVX2 || at >= n || len(p.terms) == 0 || len(direct) == 0 {
		return g.lookUpPortable(p, index, at, kept)
	}
	return lookUpAVX2(&g.slot[:n][0], &g.place[:n][0], &g.min[:n][0], &g.span[:n][0], (*uint64)(&g.name[:n][0]),
		&p.terms[0].min, &direct[0], len(direct), &index[0], at, n, kept)
}

// hasWords reports whether numbers are to be packed as words.
func hasWords() bool { return simd.Current() >= simd.AVX512 }

// wordsOfReals sets dst to words of x as far as there are such, and returns how many these are.
func wordsOfReals(dst []int32, x []float64) (done int) {
	if n := len(x) &^ 7; n > 0 {
		if done = wordsOfRealsAVX512(&dst[:n][0], &x[0], n, &powers16[0]); done < n {
			return done
		}
	}
	for ok := true; done < len(x); done++ {
		if dst[done], ok = wordOfReal(x[done]); !ok {
			break
		}
	}
	return done
}

// realsOfWords sets dst to what words stand for.
func realsOfWords(dst []float64, words []int32) {
	n := len(words) &^ 7
	if n > 0 {
		realsOfWordsAVX512(&dst[:n][0], &words[0], n, &powers16[0])
	}
	for k, word := range words[n:] {
		dst[n+k] = realOfWord(word)
	}
}

// wholesOfReals is wholesOfRealsPortable.
func wholesOfReals(dst []int32, x []float64, scale float64) (done int) {
	if n := len(x) &^ 7; n > 0 && simd.Current() >= simd.AVX2 {
		done = wholesOfRealsAVX2(&dst[:n][0], &x[0], n, scale)
	}
	return done + wholesOfRealsPortable(dst[done:], x[done:], scale)
}

// realsOfWholes is realsOfWholesPortable.
func realsOfWholes(dst []float64, x []int32, scale float64) {
	n := len(dst) &^ 7
	if n > 0 && simd.Current() >= simd.AVX2 {
		realsOfWholesAVX2(&dst[0], &x[:n][0], n, scale)
		dst, x = dst[n:], x[n:]
	}
	realsOfWholesPortable(dst, x, scale)
}

// halvesOfWholes is narrowed.
func halvesOfWholes(dst []uint16, x []int32, base int32) (done int) {
	if n := len(x) &^ 15; n > 0 && simd.Current() >= simd.AVX2 {
		done = halvesOfWholesAVX2(&dst[:n][0], &x[0], n, base)
	}
	return done + narrowed(dst[done:], x[done:], base)
}

// wholesOfHalves is widened.
func wholesOfHalves(dst []int32, x []uint16, base int32) {
	n := len(dst) &^ 15
	if n > 0 && simd.Current() >= simd.AVX2 {
		wholesOfHalvesAVX2(&dst[0], &x[:n][0], n, base)
		dst, x = dst[n:], x[n:]
	}
	widened(dst, x, base)
}

// bytesOfWholes is narrowed.
func bytesOfWholes(dst []uint8, x []int32, base int32) (done int) {
	if n := len(x) &^ 31; n > 0 && simd.Current() >= simd.AVX2 {
		done = bytesOfWholesAVX2(&dst[:n][0], &x[0], n, base)
	}
	return done + narrowed(dst[done:], x[done:], base)
}

// wholesOfBytes is widened.
func wholesOfBytes(dst []int32, x []uint8, base int32) {
	n := len(dst) &^ 15
	if n > 0 && simd.Current() >= simd.AVX2 {
		wholesOfBytesAVX2(&dst[0], &x[:n][0], n, base)
		dst, x = dst[n:], x[n:]
	}
	widened(dst, x, base)
}

// hasTalls reports whether numbers that are packed may be tall, or three bytes.
func hasTalls() bool { return simd.Current() >= simd.AVX512 }

// tallsOfWholes is tallsOfWholesPortable. Upper has room for tallsAtOnce more than there are numbers.
func tallsOfWholes(dst, tall, upper []uint16, x []int32, base int32) (count int) {
	n := len(x) &^ (tallsAtOnce - 1)
	if n > 0 && hasTalls() {
		count = tallsOfWholesAVX512(&dst[:n][0], &tall[:n/tallsAtOnce][0], &upper[:n+tallsAtOnce][0], &x[0], n, base)
		dst, tall, upper, x = dst[n:], tall[n/tallsAtOnce:], upper[count:], x[n:]
	}
	return count + tallsOfWholesPortable(dst, tall, upper, x, base)
}

// wholesOfTalls is wholesOfTallsPortable. Upper has tallsAtOnce more than there are.
func wholesOfTalls(dst []int32, half, tall, upper []uint16, base int32) (used int) {
	n := len(dst) &^ (tallsAtOnce - 1)
	if n > 0 && hasTalls() {
		used = wholesOfTallsAVX512(&dst[0], &half[:n][0], &tall[:n/tallsAtOnce][0], &upper[0], n, base)
		dst, half, tall, upper = dst[n:], half[n:], tall[n/tallsAtOnce:], upper[used:]
	}
	return used + wholesOfTallsPortable(dst, half, tall, upper, base)
}

// threesOfWholes is threesOfWholesPortable.
func threesOfWholes(dst []uint16, third []uint8, x []int32, base int32) (done int) {
	if n := len(x) &^ 15; n > 0 && hasTalls() {
		done = threesOfWholesAVX512(&dst[:n][0], &third[:n][0], &x[0], n, base)
	}
	return done + threesOfWholesPortable(dst[done:], third[done:], x[done:], base)
}

// wholesOfThrees is wholesOfThreesPortable.
func wholesOfThrees(dst []int32, half []uint16, third []uint8, base int32) {
	n := len(dst) &^ 15
	if n > 0 && hasTalls() {
		wholesOfThreesAVX512(&dst[0], &half[:n][0], &third[:n][0], n, base)
		dst, half, third = dst[n:], half[n:], third[n:]
	}
	wholesOfThreesPortable(dst, half, third, base)
}

// vectors reports whether several numbers are worked on at a time.
func vectors() bool { return simd.Current() >= simd.AVX2 }

// fill sets the values of so many rows, for each feature, to those that are listed, as their masks
// say, and zeros.
func (f *filled) fill(value []float64, rows int) {
	fillAVX512(&f.value[0], unsafe.SliceData(value), &f.mask[0], rows, len(f.list))
}
