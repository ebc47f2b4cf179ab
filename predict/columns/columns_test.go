package columns

import (
	"math"
	"testing"
)

func TestSums(t *testing.T) {
	for k := range 120 {
		n := k
		if k >= 40 { // vector instructions take most of long ones, and leave a rest
			n = longRow - 80 + k
		}
		x, y := make([]float64, n), make([]float64, n)
		want, of := 0.0, [4]float64{} // the four sums; the rest is added to the first
		for i := range x {
			x[i], y[i] = float64(i+1), 1/float64(i+2)
			want += x[i] * y[i]
			if i < n/4*4 {
				of[i%4] += float64(x[i] * y[i])
			} else {
				of[0] += float64(x[i] * y[i])
			}
		}
		if got := Dot(x, y); !(math.Abs(got-want) <= 1e-13*want) || got != (of[0]+of[1])+(of[2]+of[3]) {
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
	AddTo([][]float64{sum}, [][]float64{{2, 20}}, values)
	AddRows(sum, values, []int32{1, 0}, []float64{30, 3})
	for r := range sum {
		if want := 6*float64(r) + 60*float64(len(sum)+r); sum[r] != want {
			t.Fatalf("row %d: %v, want %v", r, sum[r], want)
		}
	}
	if len(sum) != 64 || Padded(64) != 64 || Padded(0) != 0 {
		t.Errorf("%d lanes for 33 rows", len(sum))
	}
	for n := range 3*RowLanes + 1 {
		if got := PaddedRow(n); got%RowLanes != 0 || got < n || got >= n+RowLanes {
			t.Errorf("a row of %d is padded to %d", n, got)
		}
	}
}
