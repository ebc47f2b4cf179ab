// Command scan writes the assembly of train/internal/scan. From this module:
//
//	go run ./scan -out ../train/internal/scan/scan_amd64.s -stubs ../train/internal/scan/stubs_amd64.go -pkg scan
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, update := range []bool{true, false} {
		extremes512(update)
		extremes2(update)
	}
	for _, ones := range []bool{true, false} {
		second512(ones)
		second2(ones)
		above(ones, true)
		above(ones, false)
	}
	equals512()
	equals2()
	add512()
	add2()
	addBoth512()
	addBoth2()
	gather2()
	for _, wide := range []bool{true, false} {
		iterations(1, wide)
		iterations(2, wide)
		inverses(wide)
	}
	Generate()
}

// pick returns a if first is set, else b: most functions have two forms.
func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
