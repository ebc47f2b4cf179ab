package columns

import (
	"math"
	"slices"
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

// TestLists compares sums of lists with those of a loop, and looks at what is refused.
func TestLists(t *testing.T) {
	var l Lists
	all := [][]int32{{}, {2}, {0, 3, 1}, {1, 1}}
	for k, index := range all {
		coef := make([]float64, len(index))
		for i := range coef {
			coef[i] = 1 / float64(3*k+i+1)
		}
		l.Append(index, coef)
	}
	if l.Len() != len(all) {
		t.Fatalf("%d lists, want %d", l.Len(), len(all))
	}
	for width := range 3*RowLanes + 2 {
		rows := make([]float64, 4*width)
		for i := range rows {
			rows[i] = 1 / float64(i+7)
		}
		for k, index := range all {
			sum, want := make([]float64, width), make([]float64, width)
			i := 0
			for row, c := range l.Entries(k) {
				if row != index[i] || c != 1/float64(3*k+i+1) {
					t.Fatalf("list %d, entry %d: row %d, coefficient %v", k, i, row, c)
				}
				for j := range want {
					want[j] += float64(c * rows[int(row)*width+j])
				}
				i++
			}
			if l.AddTo(sum, rows, k); i != len(index) || !slices.Equal(sum, want) {
				t.Errorf("width %d, list %d: %v, want %v", width, k, sum, want)
			}
		}
	}
	for range l.Entries(2) {
		break // without the others
	}
	rows := make([]float64, 4*RowLanes)
	for what, f := range map[string]func(){
		"a row before the first": func() { new(Lists).Append([]int32{0, -1}, make([]float64, 2)) },
		"a coefficient too few":  func() { new(Lists).Append([]int32{0, 1}, make([]float64, 1)) },
		"a row too few":          func() { l.AddTo(make([]float64, RowLanes), rows[1:], 0) },
		"a list too far":         func() { l.AddTo(make([]float64, RowLanes), rows, 4) },
		"AddRows, too far":       func() { AddRows(make([]float64, RowLanes), rows, []int32{0, 4}, make([]float64, 2)) },
		"AddRows, too early":     func() { AddRows(make([]float64, RowLanes), rows, []int32{0, -1}, make([]float64, 2)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}
