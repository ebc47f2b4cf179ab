//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

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
