// Command textscan writes the assembly of format/textscan. From this module:
//
//	go run ./textscan -out ../format/textscan/textscan_amd64.s -stubs ../format/textscan/stubs_amd64.go -pkg textscan
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	words, fours := constants{}, wide{}
	sixes(words)
	sixes2(fours)
	named()
	pairs(words)
	rows(words)
	bits := bitsOfBytes()
	pairs2(fours, bits)
	rows2(fours, bits)
	Generate()
}

// constants has words in memory.
type constants map[uint64]Mem

func (c constants) at(x uint64) Mem {
	m, ok := c[x]
	if !ok {
		m = ConstData(fmt.Sprintf("word%x", x), U64(x))
		c[x] = m
	}
	return m
}

// of64 returns a register with a word of eight bytes in every lane.
func (c constants) of64(x uint64) VecVirtual {
	z := ZMM()
	VPBROADCASTQ(c.at(x), z)
	return z
}

// of32 returns a register with a word of four bytes in every lane.
func (c constants) of32(x uint32) VecVirtual { return c.of64(uint64(x)<<32 | uint64(x)) }
