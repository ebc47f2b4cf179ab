//go:build amd64 && !purego

package simd

//go:generate sh -c "cd ../../../_generate && go run ./cpuid -out ../format/vec/simd/cpuid_amd64.s -stubs ../format/vec/simd/cpuid_stubs_amd64.go -pkg simd"

import (
	"encoding/binary"
	"sync"

	"golang.org/x/sys/cpu"
)

// Best returns the highest level that the processor and the build support.
func Best() Level {
	x := &cpu.X86
	switch {
	case !(x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT && x.HasPCLMULQDQ): // PCLMULQDQ is used for text
		return Portable
	case !(x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VPOPCNTDQ && x.HasAVX512VNNI):
		return AVX2
	}
	return AVX512
}

func hasText() bool {
	x := &cpu.X86
	return x.HasAVX512CD && x.HasAVX512VBMI2
}

// fourUnits asks the processor, which takes microseconds in a virtual machine.
var fourUnits = sync.OnceValue(func() bool {
	const zen5 = 0x1a
	_, b, c, d := cpuid(0)
	a, _, _, _ := cpuid(1)
	family := a >> 8 & 0xf
	if family == 0xf {
		family += a >> 20 & 0xff
	}
	return vendor(b, d, c) == "AuthenticAMD" && family >= zen5
})

// vendor returns the text whose bytes are in three registers.
func vendor(registers ...uint32) string {
	var text []byte
	for _, r := range registers {
		text = binary.LittleEndian.AppendUint32(text, r)
	}
	return string(text)
}
