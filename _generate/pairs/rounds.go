package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes are the rows that rounds work on side by side.
const lanes = 8

// parts runs body for each part of the lanes that a register holds, with the part's place
// in bytes.
func (f form) parts(body func(offset int)) {
	for offset := 0; offset < 8*lanes; offset += f.width {
		body(offset)
	}
}

// label is a label of a part's own.
func label(name string, offset int) string { return name + strconv.Itoa(offset) }

// products are those of pairs.Coupling.One: Q p, p'Qp, and by how much the first is at most
// apart from the second.
func (f form) products() {
	f.text("products", "func(q, p, qp, pqp, worst *float64, k int)",
		"sets qp to Q p, pqp to p'Qp and worst to the largest |(Qp)_t - p'Qp| of 8 rows side by side, with k classes.")
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	width := Load(Param("k"), GP64()) // of a row of Q
	SHLQ(U8(6), width)
	f.parts(func(offset int) {
		const together = 4
		sum := f.zero()
		t := GP64()
		XORQ(t, t)
		row := GP64()
		Load(Param("q"), row)
		rows := func(name string, count int) {
			from := []GPVirtual{row}
			for n := 1; n < count; n++ {
				r := GP64()
				LEAQ(Mem{Base: from[n-1], Index: width, Scale: 1}, r)
				from = append(from, r)
			}
			into := []VecVirtual{}
			for range count {
				into = append(into, f.zero())
			}
			j := GP64()
			XORQ(j, j)
			Label(label(name+"terms", offset))
			v := f.vector()
			VMOVUPD(Mem{Base: p, Index: j, Scale: 1, Disp: offset}, v)
			for n, r := range from {
				VADDPD(f.mul(Mem{Base: r, Index: j, Scale: 1, Disp: offset}, v), into[n], into[n])
			}
			ADDQ(U8(64), j)
			CMPQ(j, width)
			JLT(LabelRef(label(name+"terms", offset)))
			for n, v := range into {
				VMOVUPD(v, Mem{Base: qp, Index: t, Scale: 1, Disp: 64*n + offset})
				VADDPD(f.mul(Mem{Base: p, Index: t, Scale: 1, Disp: 64*n + offset}, v), sum, sum)
			}
			LEAQ(Mem{Base: from[count-1], Index: width, Scale: 1}, row)
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
		VMAXPD(worst, v, worst) // worst where v is no number
		ADDQ(U8(64), t)
		CMPQ(t, width)
		JLT(LabelRef(label("apart", offset)))
		to := Load(Param("worst"), GP64())
		VMOVUPD(worst, Mem{Base: to, Disp: offset})
	})
	VZEROUPPER()
	RET()
}

// sweep is the second half of a round of pairs.Coupling.One.
func (f form) sweep() {
	f.text("sweep", "func(q, p, qp, pqp *float64, k int)",
		"updates the k probabilities of 8 rows side by side, one after the other, and Q p and p'Qp with each.")
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	width := Load(Param("k"), GP64())
	SHLQ(U8(6), width)
	f.parts(func(offset int) {
		row := Load(Param("q"), GP64())
		from := Load(Param("pqp"), GP64())
		pqp := f.copyOf(Mem{Base: from, Disp: offset})
		t := GP64()
		XORQ(t, t)
		Label(label("class", offset))
		own := func(base Register) Mem { return Mem{Base: base, Index: t, Scale: 1, Disp: offset} }
		diagonal, slope := f.copyOf(own(row)), f.copyOf(own(qp))
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
		VDIVPD(sum, pqp, pqp)
		VDIVPD(sum, pqp, pqp)
		j := GP64()
		XORQ(j, j)
		Label(label("others", offset))
		other := func(base Register) Mem { return Mem{Base: base, Index: j, Scale: 1, Disp: offset} }
		v := f.mul(other(row), step)
		VADDPD(other(qp), v, v)
		VDIVPD(sum, v, v)
		VMOVUPD(v, other(qp))
		v = f.copyOf(other(p))
		VDIVPD(sum, v, v)
		VMOVUPD(v, other(p))
		ADDQ(U8(64), j)
		CMPQ(j, width)
		JLT(LabelRef(label("others", offset)))
		ADDQ(width, row)
		ADDQ(U8(64), t)
		CMPQ(t, width)
		JLT(LabelRef(label("class", offset)))
		VMOVUPD(pqp, Mem{Base: from, Disp: offset})
	})
	VZEROUPPER()
	RET()
}

// product is Q p of one row: a lane is a class, and Q, which is symmetric, is gone through by its rows.
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

// turn is what an update of one class does to the others.
func (f form) turn() {
	f.text("turn", "func(row, p, qp *float64, step, sum float64, n int)",
		"sets qp to (qp + step row) / sum and p to p / sum, n numbers each, a positive multiple of 8.")
	row := Load(Param("row"), GP64())
	p := Load(Param("p"), GP64())
	qp := Load(Param("qp"), GP64())
	step, sum := f.everywhere("step"), f.everywhere("sum")
	f.loop(func(at GPVirtual) {
		v := f.mul(Mem{Base: row, Index: at, Scale: 1}, step)
		VADDPD(Mem{Base: qp, Index: at, Scale: 1}, v, v)
		VDIVPD(sum, v, v)
		VMOVUPD(v, Mem{Base: qp, Index: at, Scale: 1})
		v = f.copyOf(Mem{Base: p, Index: at, Scale: 1})
		VDIVPD(sum, v, v)
		VMOVUPD(v, Mem{Base: p, Index: at, Scale: 1})
	})
}
