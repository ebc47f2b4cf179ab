package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is the number of rows that rounds work on side by side.
const lanes = 8

// parts runs body for each register's worth of the lanes, with its offset in bytes.
func (f form) parts(body func(offset int)) {
	for offset := 0; offset < 8*lanes; offset += f.width {
		body(offset)
	}
}

// label returns a label for one part.
func label(name string, offset int) string { return name + strconv.Itoa(offset) }

// A walk goes through row t of a symmetric matrix Q that is stored only from the diagonal on: down
// column t to the diagonal, and then along the row.
type walk struct{ place, step Register }

// column returns a walk that begins with element t of the first row, which has width bytes; t is in
// bytes.
func column(q, t, width Register) walk {
	w := walk{GP64(), GP64()}
	LEAQ(Mem{Base: q, Index: t, Scale: 1}, w.place)
	LEAQ(Mem{Base: width, Disp: -64}, w.step)
	return w
}

// down goes to the next row, which begins one element later, at its diagonal.
func (w walk) down() {
	ADDQ(w.step, w.place)
	SUBQ(U8(64), w.step)
}

// products writes the function of the products of pairs.Coupling.One: Q p, p'Qp, and the largest
// difference of an element of the first from the second.
func (f form) products() {
	f.text("products", "func(q, p, qp, pqp, worst *float64, k int)",
		"sets qp to Q p, pqp to p'Qp and worst to the largest |(Qp)_t - p'Qp| of 8 rows side by side, with k classes; of q there is what stands from the diagonal on.")
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	q := Load(Param("q"), GP64())
	width := Load(Param("k"), GP64()) // of the first row of Q
	SHLQ(U8(6), width)
	f.parts(func(offset int) {
		const together = 4
		sum := f.zero()
		t := GP64()
		XORQ(t, t)
		rows := func(name string, count int) {
			into := []VecVirtual{}
			for range count {
				into = append(into, f.zero())
			}
			term := func(n int, from Mem, v Op) { VADDPD(f.mul(from, v), into[n], into[n]) }
			// products with the classes before this group
			at, j := column(q, t, width), GP64()
			XORQ(j, j)
			JMP(LabelRef(label(name+"AnyBefore", offset)))
			Label(label(name+"Before", offset))
			v := f.copyOf(Mem{Base: p, Index: j, Scale: 1, Disp: offset})
			for n := range into {
				term(n, Mem{Base: at.place, Disp: 64*n + offset}, v)
			}
			at.down()
			ADDQ(U8(64), j)
			Label(label(name+"AnyBefore", offset))
			CMPQ(j, t)
			JLT(LabelRef(label(name+"Before", offset)))
			// with each other
			diagonals := []Register{at.place}
			for n := 1; n < count; n++ {
				d := GP64()
				LEAQ(Mem{Base: diagonals[n-1], Index: at.step, Scale: 1, Disp: 64 * (2 - n)}, d)
				diagonals = append(diagonals, d)
			}
			for m := range into {
				v := f.copyOf(Mem{Base: p, Index: j, Scale: 1, Disp: 64*m + offset})
				for n := range into {
					first, second := min(n, m), max(n, m)
					term(n, Mem{Base: diagonals[first], Disp: 64*(second-first) + offset}, v)
				}
			}
			ADDQ(U32(64*count), j)
			// with the classes behind the group
			behind := at.step
			XORQ(behind, behind)
			JMP(LabelRef(label(name+"AnyBehind", offset)))
			Label(label(name+"Behind", offset))
			v = f.copyOf(Mem{Base: p, Index: j, Scale: 1, Disp: offset})
			for n, d := range diagonals {
				term(n, Mem{Base: d, Index: behind, Scale: 1, Disp: 64*(count-n) + offset}, v)
			}
			ADDQ(U8(64), behind)
			ADDQ(U8(64), j)
			Label(label(name+"AnyBehind", offset))
			CMPQ(j, width)
			JLT(LabelRef(label(name+"Behind", offset)))
			for n, v := range into {
				VMOVUPD(v, Mem{Base: qp, Index: t, Scale: 1, Disp: 64*n + offset})
				VADDPD(f.mul(Mem{Base: p, Index: t, Scale: 1, Disp: 64*n + offset}, v), sum, sum)
			}
			ADDQ(U32(64*count), t)
		}
		end := GP64()
		Label(label("several", offset))
		LEAQ(Mem{Base: t, Disp: 64 * (together - 1)}, end)
		CMPQ(end, width)
		JGE(LabelRef(label("rest", offset)))
		rows("several", together)
		JMP(LabelRef(label("several", offset)))
		Label(label("rest", offset))
		CMPQ(t, width)
		JGE(LabelRef(label("done", offset)))
		rows("one", 1)
		JMP(LabelRef(label("rest", offset)))

		Label(label("done", offset))
		pqp := Load(Param("pqp"), GP64())
		VMOVUPD(sum, Mem{Base: pqp, Disp: offset})
		worst, size := f.zero(), f.vector()
		VMOVUPD(magnitude, size)
		XORQ(t, t)
		Label(label("apart", offset))
		v := f.vector()
		VMOVUPD(Mem{Base: qp, Index: t, Scale: 1, Disp: offset}, v)
		VSUBPD(sum, v, v)
		if f.width == 64 {
			VPANDQ(size, v, v)
		} else {
			VANDPD(size, v, v)
		}
		VMAXPD(worst, v, worst) // worst stays where v is NaN
		ADDQ(U8(64), t)
		CMPQ(t, width)
		JLT(LabelRef(label("apart", offset)))
		to := Load(Param("worst"), GP64())
		VMOVUPD(worst, Mem{Base: to, Disp: offset})
	})
	VZEROUPPER()
	RET()
}

// sweep writes the function of the second half of a round of pairs.Coupling.One.
func (f form) sweep() {
	f.text("sweep", "func(q, p, qp, pqp *float64, k int)",
		"updates the k probabilities of 8 rows side by side, one after the other, and Q p and p'Qp with each; of q there is what stands from the diagonal on.")
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	q := Load(Param("q"), GP64())
	width := Load(Param("k"), GP64())
	SHLQ(U8(6), width)
	f.parts(func(offset int) {
		from := Load(Param("pqp"), GP64())
		pqp := f.copyOf(Mem{Base: from, Disp: offset})
		t, diagonals, left := GP64(), GP64(), GP64()
		XORQ(t, t)
		MOVQ(q, diagonals)
		MOVQ(width, left) // bytes of a row from the diagonal on
		Label(label("class", offset))
		own := func(base Register) Mem { return Mem{Base: base, Index: t, Scale: 1, Disp: offset} }
		diagonal, slope := f.copyOf(Mem{Base: diagonals, Disp: offset}), f.copyOf(own(qp))
		step := f.vector()
		VSUBPD(slope, pqp, step)
		VDIVPD(diagonal, step, step)
		sum := f.vector()
		VADDPD(own(p), step, sum)
		VMOVUPD(sum, own(p))
		VADDPD(one, step, sum)
		VMULPD(step, diagonal, diagonal)
		VADDPD(slope, slope, slope)
		VADDPD(slope, diagonal, diagonal)
		VMULPD(step, diagonal, diagonal)
		VADDPD(diagonal, pqp, pqp)

		at, j, end := column(q, t, width), GP64(), GP64()
		turn := turned{
			row: Mem{Base: at.place, Disp: offset}, step: step, sum: sum,
			qp: Mem{Base: qp, Index: j, Scale: 1, Disp: offset}, p: Mem{Base: p, Index: j, Scale: 1, Disp: offset},
		}
		XORQ(j, j)
		// each writes body for the classes before t, and for t and those behind it
		each := func(name string, body func(name func(string) string)) {
			for _, part := range []string{"Before", "Behind"} {
				loop := label(name+part, offset)
				if part == "Before" {
					MOVQ(t, end)
					TESTQ(end, end)
					JZ(LabelRef(label(name+"First", offset)))
				} else {
					Label(label(name+"First", offset))
					MOVQ(width, end)
				}
				Label(loop)
				body(func(name string) string { return name + loop })
				if part == "Before" {
					at.down()
				} else {
					ADDQ(U8(64), at.place)
				}
				ADDQ(U8(64), j)
				CMPQ(j, end)
				JLT(LabelRef(loop))
			}
		}
		f.unless(pqp, f.dividend, sum, f.divisor, label("beyond", offset))
		d := f.over(sum)
		VMOVAPD(f.quotient(f.quotient(pqp, d), d), pqp) // the first quotient is from 2^-750 to 2^750, far from the limits
		each("others", func(name func(string) string) { f.quotients(turn, d, name) })
		JMP(LabelRef(label("next", offset)))
		Label(label("beyond", offset))
		VDIVPD(sum, pqp, pqp)
		VDIVPD(sum, pqp, pqp)
		each("each", func(func(string) string) { f.divisions(turn) })

		Label(label("next", offset))
		ADDQ(left, diagonals)
		SUBQ(U8(64), left)
		ADDQ(U8(64), t)
		CMPQ(t, width)
		JLT(LabelRef(label("class", offset)))
		VMOVUPD(pqp, Mem{Base: from, Disp: offset})
	})
	VZEROUPPER()
	RET()
}

// product writes the function of Q p for one row of p: a lane is a class, and Q, which is
// symmetric, is read row by row.
func (f form) product() {
	f.text("product", "func(q, p, qp *float64, width, k int)",
		"sets qp to Q p of one row with k classes; rows of Q are width numbers apart, a positive multiple of 8 and no less than k.")
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	k := Load(Param("k"), GP64())
	width := Load(Param("width"), GP64())
	SHLQ(U8(3), width)
	column := Load(Param("q"), GP64())
	t := GP64()
	XORQ(t, t)
	sums := func(name string, count int) {
		into := []VecVirtual{}
		for range count {
			into = append(into, f.zero())
		}
		row, j := GP64(), GP64()
		MOVQ(column, row)
		XORQ(j, j)
		Label(name + "Terms")
		v := f.vector()
		VBROADCASTSD(Mem{Base: p, Index: j, Scale: 8}, v)
		for n, sum := range into {
			VADDPD(f.mul(Mem{Base: row, Disp: n * f.width}, v), sum, sum)
		}
		ADDQ(width, row)
		INCQ(j)
		CMPQ(j, k)
		JLT(LabelRef(name + "Terms"))
		for n, sum := range into {
			VMOVUPD(sum, Mem{Base: qp, Index: t, Scale: 1, Disp: n * f.width})
		}
		ADDQ(U32(count*f.width), column)
		ADDQ(U32(count*f.width), t)
	}
	const together = 6
	end := GP64()
	Label("several")
	LEAQ(Mem{Base: t, Disp: together * f.width}, end)
	CMPQ(end, width)
	JG(LabelRef("rest"))
	sums("several", together)
	JMP(LabelRef("several"))
	Label("rest")
	CMPQ(t, width)
	JGE(LabelRef("done"))
	sums("one", 1)
	JMP(LabelRef("rest"))
	Label("done")
	VZEROUPPER()
	RET()
}

// turn writes the function of what an update of one class does to the others.
func (f form) turn() {
	f.text("turn", "func(row, p, qp *float64, step, sum float64, n int)",
		"sets qp to (qp + step row) / sum and p to p / sum, n numbers each, a positive multiple of 8.")
	row := Load(Param("row"), GP64())
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	step, sum := f.everywhere("step"), f.everywhere("sum")
	n := Load(Param("n"), GP64())
	SHLQ(U8(3), n)
	at := GP64()
	XORQ(at, at)
	number := func(base Register) Mem { return Mem{Base: base, Index: at, Scale: 1} }
	turn := turned{row: number(row), qp: number(qp), p: number(p), step: step, sum: sum}
	each := func(name string, body func()) {
		Label(name)
		body()
		ADDQ(U8(f.width), at)
		CMPQ(at, n)
		JLT(LabelRef(name))
		VZEROUPPER()
		RET()
	}
	f.unless(sum, f.divisor, sum, f.divisor, "beyond")
	d := f.over(sum)
	each("others", func() { f.quotients(turn, d, func(name string) string { return name }) })
	Label("beyond")
	each("each", func() { f.divisions(turn) })
}

// turned holds what an update of one class changes: qp becomes (qp + step row) / sum, and p p /
// sum.
type turned struct {
	row, qp, p Mem
	step, sum  VecVirtual
}

// dividends returns the two numbers that are to be divided by the sum.
func (f form) dividends(t turned) (ofQp, ofP VecVirtual) {
	ofQp, ofP = f.mul(t.row, t.step), f.copyOf(t.p)
	VADDPD(t.qp, ofQp, ofQp)
	return ofQp, ofP
}

// divisions makes the changes by divisions.
func (f form) divisions(t turned) { t.divide(f.dividends(t)) }

func (t turned) divide(ofQp, ofP VecVirtual) {
	VDIVPD(t.sum, ofQp, ofQp)
	VDIVPD(t.sum, ofP, ofP)
	VMOVUPD(ofQp, t.qp)
	VMOVUPD(ofP, t.p)
}

// quotients makes the changes by products with 1/sum where that is exact, else by divisions; d is
// the sum.
func (f form) quotients(t turned, d divisor, name func(string) string) {
	ofQp, ofP := f.dividends(t)
	f.unless(ofQp, f.dividend, ofP, f.dividend, name("far"))
	VMOVUPD(f.quotient(ofQp, d), t.qp)
	VMOVUPD(f.quotient(ofP, d), t.p)
	JMP(LabelRef(name("near")))
	Label(name("far"))
	t.divide(ofQp, ofP)
	Label(name("near"))
}
