package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// include2 is include with AVX2.
func include2() {
	TEXT("includeAVX2", NOSPLIT, "func(max, min, value *float64, n int)")
	Pragma("noescape")
	Doc("includeAVX2 includes n > 0 values in as many ranges.")
	most, least, value := Load(Param("max"), GP64()), Load(Param("min"), GP64()), Load(Param("value"), GP64())
	n := Load(Param("n"), GP64())
	SUBQ(U8(4), n)
	JL(LabelRef("rest"))
	Label("four")
	v, r := YMM(), YMM()
	VMOVUPD(Mem{Base: value}, v)
	VMOVUPD(Mem{Base: most}, r)
	VMAXPD(v, r, r)
	VMOVUPD(r, Mem{Base: most})
	VMOVUPD(Mem{Base: least}, r)
	VMINPD(v, r, r)
	VMOVUPD(r, Mem{Base: least})
	for _, p := range []Register{most, least, value} {
		ADDQ(U8(32), p)
	}
	SUBQ(U8(4), n)
	JGE(LabelRef("four"))
	Label("rest")
	ADDQ(U8(4), n)
	JZ(LabelRef("return"))
	Label("one")
	v, r = XMM(), XMM()
	VMOVSD(Mem{Base: value}, v)
	VMOVSD(Mem{Base: most}, r)
	VMAXSD(v, r, r)
	VMOVSD(r, Mem{Base: most})
	VMOVSD(Mem{Base: least}, r)
	VMINSD(v, r, r)
	VMOVSD(r, Mem{Base: least})
	for _, p := range []Register{most, least, value} {
		ADDQ(U8(8), p)
	}
	DECQ(n)
	JNZ(LabelRef("one"))
	Label("return")
	VZEROUPPER()
	RET()
}

// packs returns a table that has for each set of four lanes the 32-bit indices with which a
// permutation moves the lanes of the set to the front; a lane has width bits.
func packs(name string, width int) Mem {
	data := GLOBL(name, RODATA|NOPTR)
	for set := range 16 {
		to := 0
		for lane := range 4 {
			if set>>lane&1 == 0 {
				continue
			}
			for part := range width / 32 {
				DATA((set*4+to)*width/8+4*part, U32(uint32(lane*width/32+part)))
			}
			to++
		}
		for ; to < 4; to++ {
			for part := range width / 32 {
				DATA((set*4+to)*width/8+4*part, U32(0))
			}
		}
	}
	return data
}

// scaleValues2 is scaleValues with AVX2.
func scaleValues2() {
	pairs, singles := packs("packs64", 64), packs("packs32", 32)
	live := GLOBL("live", RODATA|NOPTR) // four lanes that exist, then four that do not
	for lane := range 8 {
		DATA(8*lane, I64(int64(lane/4)-1))
	}

	TEXT("formulaAVX2", NOSPLIT, "func(y *float64, slots *int32, names *uint64, value, min, span *float64, slot *int32, name *uint64, n int, lower, width, biggest float64, all int) (kept int)")
	Pragma("noescape")
	Doc("formulaAVX2 is formulaAVX512, with all 15 in the place of 255. Up to three elements more are written.")
	y, slots, names := Load(Param("y"), GP64()), Load(Param("slots"), GP64()), Load(Param("names"), GP64())
	value, low, span := Load(Param("value"), GP64()), Load(Param("min"), GP64()), Load(Param("span"), GP64())
	slot, name := Load(Param("slot"), GP64()), Load(Param("name"), GP64())
	n, all := Load(Param("n"), GP64()), Load(Param("all"), GP64())
	lower, width, biggest, zero, unsigned := YMM(), YMM(), YMM(), YMM(), YMM()
	VBROADCASTSD(NewParamAddr("lower", 72), lower)
	VBROADCASTSD(NewParamAddr("width", 80), width)
	VBROADCASTSD(NewParamAddr("biggest", 88), biggest)
	VXORPD(zero, zero, zero)
	VPCMPEQQ(unsigned, unsigned, unsigned)
	VPSRLQ(U8(1), unsigned, unsigned)
	pack, packSlots := GP64(), GP64()
	LEAQ(pairs, pack)
	LEAQ(singles, packSlots)
	from := GP64() // y at the beginning
	MOVQ(y, from)
	set := GP64()

	// four stores four scaled values; lanes are those that exist
	four := func(v, nameWords, slotWords Register, lanes Op) {
		t, some := YMM(), YMM()
		VANDPD(unsigned, v, t)
		VCMPPD(U8(lessEqual), biggest, t, t)
		VCMPPD(U8(notEqual), zero, v, some)
		finite := GP64()
		VMOVMSKPD(t, finite.As32())
		VMOVMSKPD(some, set.As32())
		if lanes != nil {
			ANDQ(lanes, finite)
		}
		ORQ(all, set)
		if lanes != nil {
			ANDQ(lanes, set)
			CMPQ(finite, lanes)
		} else {
			CMPQ(finite, U8(15))
		}
		JNE(LabelRef("beyond"))
		SHLQ(U8(4), set)
		VPERMILPS(Mem{Base: packSlots, Index: set, Scale: 1}, slotWords, slotWords)
		VMOVDQU(slotWords, Mem{Base: slots})
		VMOVDQU(Mem{Base: pack, Index: set, Scale: 2}, t)
		VPERMPS(v, t, v)
		VPERMD(nameWords, t, nameWords)
		VMOVUPD(v, Mem{Base: y})
		VMOVDQU(nameWords, Mem{Base: names})
		POPCNTQ(set, set)
		LEAQ(Mem{Base: y, Index: set, Scale: 8}, y)
		LEAQ(Mem{Base: names, Index: set, Scale: 8}, names)
		LEAQ(Mem{Base: slots, Index: set, Scale: 4}, slots)
	}
	formula := func(v, low, span Op) {
		VSUBPD(low, v.(Register), v.(Register))
		VMULPD(width, v.(Register), v.(Register))
		VDIVPD(span, v.(Register), v.(Register))
		VADDPD(lower, v.(Register), v.(Register))
	}
	SUBQ(U8(4), n)
	JL(LabelRef("rest"))
	Label("four")
	v, nameWords, slotWords := YMM(), YMM(), XMM()
	VMOVUPD(Mem{Base: value}, v)
	formula(v, Mem{Base: low}, Mem{Base: span})
	VMOVDQU(Mem{Base: name}, nameWords)
	VMOVDQU(Mem{Base: slot}, slotWords)
	four(v, nameWords, slotWords, nil)
	for _, p := range []Register{value, low, span, name} {
		ADDQ(U8(32), p)
	}
	ADDQ(U8(16), slot)
	SUBQ(U8(4), n)
	JGE(LabelRef("four"))

	Label("rest")
	ADDQ(U8(4), n)
	JZ(LabelRef("done"))
	mask, at, count := YMM(), GP64(), GP64()
	LEAQ(live.Offset(32), at)
	MOVQ(n, count)
	SHLQ(U8(3), count)
	SUBQ(count, at)
	VMOVDQU(Mem{Base: at}, mask)
	v, nameWords, slotWords = YMM(), YMM(), XMM()
	t, u := YMM(), YMM()
	VMASKMOVPD(Mem{Base: value}, mask, v)
	VMASKMOVPD(Mem{Base: low}, mask, t)
	VMASKMOVPD(Mem{Base: span}, mask, u)
	formula(v, t, u)
	VPMASKMOVQ(Mem{Base: name}, mask, nameWords)
	half := XMM() // of the mask, whose halves are equal
	VMOVMSKPD(mask, count.As32())
	VEXTRACTI128(U8(1), mask, half)
	VSHUFPS(U8(0x88), half, mask.AsX(), half)
	VPMASKMOVD(Mem{Base: slot}, half, slotWords)
	four(v, nameWords, slotWords, count)

	Label("done")
	SUBQ(from, y)
	SHRQ(U8(3), y)
	JMP(LabelRef("return"))
	Label("beyond")
	MOVQ(I32(-1), y)
	Label("return")
	VZEROUPPER()
	Store(y, ReturnIndex(0))
	RET()
}
