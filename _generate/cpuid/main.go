// Command cpuid writes the assembly of format/vec/simd. From this module:
//
//	go run ./cpuid -out ../format/vec/simd/cpuid_amd64.s -stubs ../format/vec/simd/cpuid_stubs_amd64.go -pkg simd
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	TEXT("cpuid", NOSPLIT, "func(leaf uint32) (a, b, c, d uint32)")
	Doc("cpuid returns what the instruction CPUID answers to a leaf without parts.")
	Load(Param("leaf"), EAX)
	XORL(ECX, ECX)
	CPUID()
	for i, r := range []Register{EAX, EBX, ECX, EDX} {
		Store(r, ReturnIndex(i))
	}
	RET()
	Generate()
}
