// Command textscan writes the assembly of format/textscan. From this module:
//
//	go run ./textscan -out ../format/textscan/textscan_amd64.s -stubs ../format/textscan/stubs_amd64.go -pkg textscan
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	sixes()
	pairs()
	Generate()
}

// constants makes registers that hold a word in every lane.
type constants struct{ word GPVirtual }

func newConstants() constants { return constants{GP64()} }

// of64 is a word of eight bytes.
func (c constants) of64(x uint64) VecVirtual {
	z := ZMM()
	MOVQ(U64(x), c.word)
	VPBROADCASTQ(c.word, z)
	return z
}

// of32 is a word of four bytes.
func (c constants) of32(x uint32) VecVirtual {
	z := ZMM()
	MOVL(U32(x), c.word.As32())
	VPBROADCASTD(c.word.As32(), z)
	return z
}
