package lp_test

import (
	"bytes"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// TestMPS: the text of a programme with a column that costs on both sides, one that costs on one
// side, and a free one.
func TestMPS(t *testing.T) {
	rows := [][]float64{{1, 0, -1}, {0.5, 2, -1}}
	a, err := lp.NewDense(t.Context(), 2, 3, func(row func(i int) []float64) {
		for i := range rows {
			copy(row(i), rows[i])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &lp.Problem{A: a, B: []float64{1, 0}, Cost: []float64{10, 0.1}, Lower: []float64{-3, -1, 0}, Upper: []float64{2, 0, 0}}
	var b bytes.Buffer
	if err := p.WriteMPS(&b, "small"); err != nil {
		t.Fatal(err)
	}
	const want = `NAME small
ROWS
 N obj
 G r0
 G r1
COLUMNS
 p0 obj 2
 p0 r0 1
 p0 r1 0.5
 q0 obj 3
 q0 r0 -1
 q0 r1 -0.5
 p1 r1 2
 q1 obj 1
 q1 r1 -2
 x2 r0 -1
 x2 r1 -1
 y0 obj 10
 y0 r0 1
 y1 obj 0.10000000000000001
 y1 r1 1
RHS
 rhs0 r0 1
BOUNDS
 FR bnd       x2
ENDATA
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
