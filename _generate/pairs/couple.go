package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The formulas are those of pairs.Three and pairs.Four, in the same order.

func (f form) mul(a, b Op) VecVirtual {
	v := f.vector()
	VMULPD(a, b, v)
	return v
}

// add returns a + b and subtract a - b, in the register of b.
func add(a Op, b VecVirtual) VecVirtual {
	VADDPD(a, b, b)
	return b
}

func subtract(a, b VecVirtual) VecVirtual {
	VSUBPD(b, a, b)
	return b
}

// addProduct adds a b to c.
func (f form) addProduct(a, b Op, c VecVirtual) { VADDPD(f.mul(a, b), c, c) }

// divide returns a / b, in the register of b.
func divide(a, b VecVirtual) VecVirtual {
	VDIVPD(b, a, b)
	return b
}

// inverse returns 1 / a.
func (f form) inverse(a VecVirtual) VecVirtual {
	v := f.vector()
	VMOVUPD(one, v)
	VDIVPD(a, v, v)
	return v
}

func (f form) copyOf(a Op) VecVirtual {
	v := f.vector()
	VMOVUPD(a, v)
	return v
}

// coupled begins a function that works on the rows of one register after the other.
func (f form) coupled(name string, body func(r func(q int) Mem, store func(v VecVirtual))) {
	f.text(name, "func(dst, r *float64, stride, n int)",
		"couples for n rows, a positive multiple of 8; a pair's probabilities are stride bytes after those of the pair before.")
	dst := Load(Param("dst"), GP64())
	from := Load(Param("r"), GP64())
	stride := Load(Param("stride"), GP64())
	pairs := []GPVirtual{}
	count := map[string]int{"three": 3, "four": 6}[name]
	for q := range count {
		p := GP64()
		if q == 0 {
			MOVQ(from, p)
		} else {
			LEAQ(Mem{Base: pairs[q-1], Index: stride, Scale: 1}, p)
		}
		pairs = append(pairs, p)
	}
	f.loop(func(at GPVirtual) {
		body(func(q int) Mem { return Mem{Base: pairs[q], Index: at, Scale: 1} },
			func(v VecVirtual) { VMOVUPD(v, Mem{Base: dst, Index: at, Scale: 1}) })
	})
}

// sides returns the squares of a pair's probability and of that of its other class, and the product
// of the two probabilities.
func (f form) sides(r Mem) (first, second, product VecVirtual) {
	first = f.copyOf(r)
	second = f.vector()
	VMOVUPD(one, second)
	VSUBPD(first, second, second)
	product = f.mul(first, second)
	VMULPD(first, first, first)
	VMULPD(second, second, second)
	return first, second, product
}

func (f form) three() {
	f.coupled("three", func(r func(q int) Mem, store func(v VecVirtual)) {
		s01, s10, o01 := f.sides(r(0))
		s02, s20, o02 := f.sides(r(1))
		s12, s21, o12 := f.sides(r(2))
		t := add(s02, f.copyOf(s12))
		c00 := f.mul(s01, t)
		f.addProduct(s21, s02, c00)
		c01 := f.mul(o01, t)
		f.addProduct(o02, o12, c01)
		c11 := f.mul(s10, t)
		f.addProduct(s20, s12, c11)
		c02 := f.mul(o02, add(s01, f.copyOf(s21)))
		f.addProduct(o01, o12, c02)
		t = add(s10, f.copyOf(s20))
		c12 := f.mul(o12, t)
		f.addProduct(o01, o02, c12)
		c22 := f.mul(s21, t)
		f.addProduct(s20, s01, c22)
		p0 := add(add(c00, f.copyOf(c01)), f.copyOf(c02))
		// the second sum, in the place of c01
		VADDPD(c11, c01, c01)
		VADDPD(c12, c01, c01)
		VADDPD(c12, c02, c02)
		VADDPD(c22, c02, c02)
		VADDPD(c01, p0, c01)
		VADDPD(c02, c01, c01)
		store(divide(p0, c01))
	})
}

// less subtracts a b from c.
func (f form) less(a, b Op, c VecVirtual) { VSUBPD(f.mul(a, b), c, c) }

// pivot returns the larger of a and the error that rounding may leave of whole, in the register of
// a.
func (f form) pivot(a, whole VecVirtual) VecVirtual {
	VMAXPD(f.mul(rounding, whole), a, a)
	return a
}

func (f form) four() {
	f.coupled("four", func(r func(q int) Mem, store func(v VecVirtual)) {
		q1, q0, o01 := f.sides(r(0))
		q2, s20, o02 := f.sides(r(1))
		VADDPD(s20, q0, q0)
		q3, s30, o03 := f.sides(r(2))
		VADDPD(s30, q0, q0)
		s12, s21, o12 := f.sides(r(3))
		VADDPD(s12, q2, q2)
		VADDPD(s21, q1, q1)
		s13, s31, o13 := f.sides(r(4))
		VADDPD(s13, q3, q3)
		VADDPD(s31, q1, q1)
		s23, s32, o23 := f.sides(r(5))
		VADDPD(s23, q3, q3)
		VADDPD(s32, q2, q2)

		sum := f.inverse(q3)
		l0, l1, l2 := f.mul(o03, sum), f.mul(o13, sum), f.mul(o23, sum)
		d0 := f.copyOf(q0)
		f.less(o03, l0, d0)
		d1 := f.copyOf(q1)
		f.less(o13, l1, d1)
		d2 := f.copyOf(q2)
		f.less(o23, l2, d2)
		d2 = f.pivot(d2, q2)
		f.addProduct(o13, l0, o01)
		f.addProduct(o23, l0, o02)
		f.addProduct(o23, l1, o12)
		y0, y1, y2 := add(one, l0), add(one, l1), add(one, l2)

		inverse := f.inverse(d2)
		l0, l1 = f.mul(o02, inverse), f.mul(o12, inverse)
		f.less(o02, l0, d0)
		f.less(o12, l1, d1)
		d1 = f.pivot(d1, q1)
		f.addProduct(o12, l0, o01)
		f.addProduct(l0, y2, y0)
		f.addProduct(l1, y2, y1)
		VMULPD(y2, y2, y2)
		f.addProduct(y2, inverse, sum)

		inverse = f.inverse(d1)
		l0 = f.mul(o01, inverse)
		f.less(o01, l0, d0)
		d0 = f.pivot(d0, q0)
		f.addProduct(l0, y1, y0)
		VMULPD(y1, y1, y1)
		f.addProduct(y1, inverse, sum)
		VMULPD(d0, sum, sum)
		f.addProduct(y0, y0, sum)
		store(divide(y0, sum))
	})
}
