package columns

import (
	"math"
	"testing"
)

func TestSums(t *testing.T) {
	for k := range 120 {
		n := k
		if k >= 40 { // of long ones vector instructions take what is a multiple of some number
			n = longRow - 80 + k
		}
		x, y := make([]float64, n), make([]float64, n)
		want := 0.0
		for i := range x {
			x[i], y[i] = float64(i+1), 1/float64(i+2)
			want += x[i] * y[i]
		}
		if got := Dot(x, y); !(math.Abs(got-want) <= 1e-13*want) {
			t.Errorf("%d: dot product %v, want %v", n, got, want)
		}
		Axpy(y, -2, x)
		for i := range y {
			if want := 1/float64(i+2) - 2*float64(i+1); y[i] != want {
				t.Fatalf("%d: element %d is %v, want %v", n, i, y[i], want)
			}
		}
	}
	sum := make([]float64, Padded(33))
	values := make([]float64, 2*len(sum))
	for i := range values {
		values[i] = float64(i)
	}
	AddOneTo(sum, []float64{1, 10}, values)
	for r := range sum {
		if want := float64(r) + 10*float64(len(sum)+r); sum[r] != want {
			t.Fatalf("row %d: %v, want %v", r, sum[r], want)
		}
	}
	if len(sum) != 64 || Padded(64) != 64 || Padded(0) != 0 {
		t.Errorf("%d lanes for 33 rows", len(sum))
	}
}
