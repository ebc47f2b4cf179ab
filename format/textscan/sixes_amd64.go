//go:build amd64 && !purego

package textscan

import "github.com/slimsvm/slimsvm/format/vec/simd"

//go:generate sh -c "cd ../../_generate && go run ./sixes -out ../format/textscan/sixes_amd64.s -stubs ../format/textscan/sixes_stubs_amd64.go -pkg textscan"

// setVector is Set by vector instructions, if there are any.
func (s *Sixes) setVector(x *[SixesAtOnce]float64, n int) bool {
	if !simd.Text() {
		return false
	}
	if n > 0 {
		sixesAVX512(&s.Lo[0], &s.Hi[0], &s.N[0], &x[0], (n+7)/8, &sixes.power[0])
	}
	return true
}
