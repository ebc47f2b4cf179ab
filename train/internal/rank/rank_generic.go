//go:build !amd64 || purego

package rank

import "github.com/slimsvm/slimsvm/format/vec/simd"

func addTo(_ simd.Level, h, z []float64, s, from, to int) { addPortable(h, z, s, from, to) }
