//go:build !amd64 || purego

package simd

// Best returns the highest level that the processor and the build support.
func Best() Level { return Portable }

func hasText() bool { return false }

func fourUnits() bool { return false }
