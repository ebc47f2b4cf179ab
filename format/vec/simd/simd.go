// Package simd says which vector instructions may be used. Results do not depend on them: every
// form of a function gives the same bits.
package simd

import (
	"fmt"
	"sync/atomic"
)

// A Level is a set of instructions. A higher level contains the lower ones.
type Level int32

// The levels.
const (
	Portable Level = iota // plain Go
	AVX2                  // AVX2, FMA, BMI1, BMI2, POPCNT and PCLMULQDQ
	AVX512                // F, BW, DQ, VL, VPOPCNTDQ and VNNI
)

var names = [...]string{"portable", "avx2", "avx512"}

// String returns the level's name.
func (l Level) String() string { return names[l] }

// Parse returns the level with the given name: portable, avx2 or avx512.
func Parse(name string) (Level, error) {
	for l, n := range names {
		if n == name {
			return Level(l), nil
		}
	}
	return 0, fmt.Errorf("unknown instructions %q, expected portable, avx2 or avx512", name)
}

var current atomic.Int32

func init() { current.Store(int32(Best())) }

// Current returns the level in use: [Best] unless [Use] has set another.
func Current() Level { return Level(current.Load()) }

// Text reports whether AVX512 is in use and the further instructions for text are available: AVX512
// CD and VBMI2. All processors with VBMI2 have both.
func Text() bool { return Current() == AVX512 && hasText() }

// FourUnits reports whether AVX512 is in use on a processor that has four units of 512 bits, two for
// additions and two for multiplications: AMD's from Zen 5 on. Zen 4 takes twice as long for each
// instruction, and Intel's processors have two units for everything. Where a table or a detour
// through memory saves arithmetic there, it may take longer than arithmetic does here. Of the mobile
// forms of Zen 5, some have smaller units and are not told apart.
func FourUnits() bool { return Current() == AVX512 && fourUnits() }

// Use sets the level in use, for tests and comparisons, and returns the one before. It panics if
// the processor or the build does not support the level. Data packed before remain usable.
func Use(l Level) (before Level) {
	if l > Best() || l < Portable {
		panic(fmt.Sprintf("simd: level %d of at most %v", l, Best()))
	}
	return Level(current.Swap(int32(l)))
}
