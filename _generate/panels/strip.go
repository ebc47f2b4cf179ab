package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A stripForm is a set of instructions for functions of 32 or 64 lanes of sparse rows: the
// operations that choose lanes. Indices are 64-bit integers there.
type stripForm struct {
	level   string
	lanes   int
	wide    int // registers for the lanes
	vector  func() VecVirtual
	chosen  func() Op                                  // makes a register for a choice
	below   func(index, than VecVirtual, to Op)        // index < than
	between func(index, least, than VecVirtual, to Op) // least < index < than
	above   func(index, least VecVirtual, to Op)       // least < index
	same    func(index, as VecVirtual, to Op)          // index == as
	add     func(choice Op, x, sum VecVirtual)         // sum += x in the chosen lanes; x is overwritten
	keep    func(choice Op, x, to VecVirtual)          // to = x in the chosen lanes, 0 in the others
	spread  func(index Register, to VecVirtual)        // to all lanes
}

var strip512 = stripForm{
	level: "AVX512", lanes: 32, wide: 4, vector: func() VecVirtual { return ZMM() }, chosen: func() Op { return K() },
	below: func(index, than VecVirtual, to Op) { VPCMPQ(U8(6), index, than, to) },
	between: func(index, least, than VecVirtual, to Op) {
		k := K()
		VPCMPQ(U8(1), index, least, k)
		VPCMPQ(U8(6), index, than, k, to)
	},
	above:  func(index, least VecVirtual, to Op) { VPCMPQ(U8(1), index, least, to) },
	same:   func(index, as VecVirtual, to Op) { VPCMPQ(U8(0), index, as, to) },
	add:    func(choice Op, x, sum VecVirtual) { VADDPD(x, sum, choice, sum) },
	keep:   func(choice Op, x, to VecVirtual) { VMOVAPD_Z(x, choice, to) },
	spread: func(index Register, to VecVirtual) { VPBROADCASTQ(index, to) },
}

var strip2 = stripForm{
	level: "AVX2", lanes: 32, wide: 8, vector: func() VecVirtual { return YMM() }, chosen: func() Op { return YMM() },
	below: func(index, than VecVirtual, to Op) { VPCMPGTQ(index, than, to) },
	between: func(index, least, than VecVirtual, to Op) {
		more := YMM()
		VPCMPGTQ(least, index, more)
		VPCMPGTQ(index, than, to)
		VPAND(more, to, to)
	},
	above: func(index, least VecVirtual, to Op) { VPCMPGTQ(least, index, to) },
	same:  func(index, as VecVirtual, to Op) { VPCMPEQQ(index, as, to) },
	add: func(choice Op, x, sum VecVirtual) {
		VANDPD(x, choice, x)
		VADDPD(x, sum, sum)
	},
	keep: func(choice Op, x, to VecVirtual) { VANDPD(x, choice, to) },
	spread: func(index Register, to VecVirtual) {
		VMOVQ(index, to.AsX())
		VPBROADCASTQ(to.AsX(), to)
	},
}

// twice returns the form with twice the lanes.
func (f stripForm) twice() stripForm {
	f.level, f.lanes, f.wide = f.level+"Twice", 2*f.lanes, 2*f.wide
	return f
}

// begin writes the head of the function with this name; doc is a sentence of its documentation.
func (f stripForm) begin(name, doc string) {
	TEXT(name+f.level, NOSPLIT, "func(sums, x *float64, index *int32, first, blocks int, places, entries *int32, values *float64, n int) int")
	Pragma("noescape")
	Doc(name + f.level + " adds " + fmt.Sprintf(doc, f.lanes) + fmt.Sprintf(", for the entries e in turn that have block k = places[e]/2-first < blocks, of which it returns the number. Blocks have %d lanes; places[n] is beyond all of them.", f.lanes))
}

// stripState has the registers that both functions of a form use.
type stripState struct {
	stripForm
	sums            []VecVirtual
	x, index        Register // of the blocks of the part
	first, end      Register // the first block of the part, and its length in lanes
	places          Register
	entries, values Register
	taken           Register   // number of entries that are done
	current, number VecVirtual // an entry's index and value
}

func (f stripForm) start() *stripState {
	s := &stripState{stripForm: f}
	dst := Load(Param("sums"), GP64())
	for i := range f.wide {
		s.sums = append(s.sums, f.vector())
		VMOVUPD(Mem{Base: dst, Disp: 8 * f.lanes / f.wide * i}, s.sums[i])
	}
	s.x, s.index, s.first = Load(Param("x"), GP64()), Load(Param("index"), GP64()), Load(Param("first"), GP64())
	s.end = Load(Param("blocks"), GP64())
	f.toLanes(s.end)
	s.places, s.entries, s.values = Load(Param("places"), GP64()), Load(Param("entries"), GP64()), Load(Param("values"), GP64())
	s.taken = GP64()
	XORQ(s.taken, s.taken)
	s.current, s.number = f.vector(), f.vector()
	return s
}

// toLanes turns a number of blocks into the number of their lanes.
func (f stripForm) toLanes(blocks Register) { SHLQ(U8(bits.TrailingZeros(uint(f.lanes))), blocks) }

func (s *stripState) each(f func(i int)) {
	for i := range s.wide {
		f(i)
	}
}

// indices returns a register with part i of the indices of the block that begins at this lane.
func (s *stripState) indices(block Register, i int) VecVirtual {
	index := s.vector()
	VPMOVSXDQ(Mem{Base: s.index, Index: block, Scale: 4, Disp: 4 * s.lanes / s.wide * i}, index)
	return index
}

// load returns a register with part i of the values of the block that begins at this lane.
func (s *stripState) load(block Register, i int) VecVirtual {
	x := s.vector()
	VMOVUPD(Mem{Base: s.x, Index: block, Scale: 8, Disp: 8 * s.lanes / s.wide * i}, x)
	return x
}

// find sets place to that of the next entry, and block to the first lane of its block.
func (s *stripState) find(place, block Register) {
	MOVLQSX(Mem{Base: s.places, Index: s.taken, Scale: 4}, place)
	MOVQ(place, block)
	SARQ(U8(1), block)
	SUBQ(s.first, block)
	s.toLanes(block)
}

// take fills current and number with the index and the value of the next entry.
func (s *stripState) take() {
	entry := GP64()
	MOVLQSX(Mem{Base: s.entries, Index: s.taken, Scale: 4}, entry)
	s.spread(entry, s.current)
	VBROADCASTSD(Mem{Base: s.values, Index: s.taken, Scale: 8}, s.number)
}

func (s *stripState) finish() {
	dst := Load(Param("sums"), GP64())
	s.each(func(i int) { VMOVUPD(s.sums[i], Mem{Base: dst, Disp: 8 * s.lanes / s.wide * i}) })
	Store(s.taken, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// stripDots writes the function of dot products.
func stripDots(f stripForm) {
	f.begin("stripDots", "x[%[1]d k+i] values[e] to sums[i], for i < %[1]d, where index[%[1]d k+i] = entries[e] and places[e] is odd")
	s := f.start()
	place, b := GP64(), GP64()
	Label("entry")
	s.find(place, b)
	CMPQ(b, s.end)
	JGE(LabelRef("end"))
	TESTQ(U32(1), place)
	JZ(LabelRef("next"))
	s.take()
	s.each(func(i int) {
		choice, x := f.chosen(), s.load(b, i)
		f.same(s.indices(b, i), s.current, choice)
		VMULPD(x, s.number, x)
		f.add(choice, x, s.sums[i])
	})
	Label("next")
	INCQ(s.taken)
	JMP(LabelRef("entry"))
	Label("end")
	s.finish()
}

// stripDistances writes the function of squared distances.
func stripDistances(f stripForm) {
	f.begin("stripDistances", "x[%[1]d k+i]^2 to sums[i], for i < %[1]d and k < blocks, and values[e]^2, in the order of index[%[1]d k+i] and entries[e] in a block, but (x[%[1]d k+i]-values[e])^2 for both where these are equal")
	s := f.start()
	k := GP64() // lanes before the next block
	XORQ(k, k)
	place, b := GP64(), GP64()
	before := f.vector()
	// lane adds, in the lanes that choose selects, the terms of what comes before the entry, and
	// then the term of the entry itself.
	lane := func(i int, choose func(index VecVirtual, to Op)) {
		choice, x, index, t := f.chosen(), s.load(k, i), s.indices(k, i), f.vector()
		VMULPD(x, x, t)
		choose(index, choice)
		f.add(choice, t, s.sums[i])
		f.same(index, s.current, choice)
		f.keep(choice, x, x)
		VSUBPD(s.number, x, x)
		VMULPD(x, x, x)
		VADDPD(x, s.sums[i], s.sums[i])
	}
	s.find(place, b)
	Label("entry")
	CMPQ(b, s.end)
	JGE(LabelRef("rest"))
	CMPQ(k, b)
	JGE(LabelRef("there"))
	skip := func(to string, until Register) {
		Label(to)
		s.each(func(i int) {
			x := s.load(k, i)
			VMULPD(x, x, x)
			VADDPD(x, s.sums[i], s.sums[i])
		})
		ADDQ(U8(f.lanes), k)
		CMPQ(k, until)
		JLT(LabelRef(to))
	}
	skip("skip", b)
	Label("there")
	s.take()
	INCQ(s.taken)
	s.find(place, b)
	s.each(func(i int) {
		lane(i, func(index VecVirtual, to Op) { f.below(index, s.current, to) })
	})
	CMPQ(b, k)
	JNE(LabelRef("leave"))
	Label("more")
	VMOVAPD(s.current, before)
	s.take()
	INCQ(s.taken)
	s.find(place, b)
	s.each(func(i int) {
		lane(i, func(index VecVirtual, to Op) { f.between(index, before, s.current, to) })
	})
	CMPQ(b, k)
	JEQ(LabelRef("more"))
	Label("leave")
	s.each(func(i int) {
		choice, x := f.chosen(), s.load(k, i)
		f.above(s.indices(k, i), s.current, choice)
		VMULPD(x, x, x)
		f.add(choice, x, s.sums[i])
	})
	ADDQ(U8(f.lanes), k)
	JMP(LabelRef("entry"))
	Label("rest")
	CMPQ(k, s.end)
	JGE(LabelRef("end"))
	skip("last", s.end)
	Label("end")
	s.finish()
}
