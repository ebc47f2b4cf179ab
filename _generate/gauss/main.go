// Command gauss writes the assembly of models/kernel. From this module:
//
//	go run ./gauss -out ../models/kernel/gauss_amd64.s -stubs ../models/kernel/gauss_stubs_amd64.go -pkg kernel
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, wide := range []bool{true, false} {
		short(wide)
		long(wide)
		far(wide)
		squares(wide)
	}
	for _, kept := range []bool{false, true} {
		for _, tabled := range []bool{false, true} {
			sums512(false, tabled, kept)
			sums512(true, tabled, kept)
			sums256(tabled, kept)
		}
	}
	for _, wide := range []bool{true, false} {
		tanh(wide)
		power(wide)
		round(wide)
		nearRound(wide)
		nearPower(wide)
	}
	for _, how := range arguments {
		quick512(how)
		quick2(how)
	}
	quickTanh()
	quickTanh2()
	lookup512(64)
	lookup512(128)
	lookup2(64)
	lookup2(128)
	Generate()
}

func f64(x float64) uint64 { return math.Float64bits(x) }

// Constants of models/kernel/exp.go.
const (
	invLn2N = 0x1.71547652b82fep0 * 128
	ln2Hi   = -0x1.62e42fefa0000p-8
	ln2Lo   = -0x1.cf79abc9e3b39p-47
	toInt   = 0x1.8p52

	c2 = 0x1.ffffffffffdbdp-2
	c3 = 0x1.555555555543cp-3
	c4 = 0x1.55555cf172b91p-5
	c5 = 0x1.1111167a4d017p-7
)

func broadcast(name string, v VecVirtual) VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(p.Addr, v)
	return v
}

// suffix returns how names of functions of a width end, and the condition on n that their
// documentation states.
func suffix(wide bool) (level, condition string) {
	if wide {
		return "AVX512", "n > 0"
	}
	return "AVX2", "n > 0 a multiple of 4"
}
