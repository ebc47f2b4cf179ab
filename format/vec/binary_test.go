package vec_test

import (
	"bytes"
	"encoding/gob"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestMatrixGob: rows come back from gob with every bit, both of a matrix in a struct and of a
// pointer to one.
func TestMatrixGob(t *testing.T) {
	var m vec.Matrix
	for _, x := range []vec.Vector{
		v(1, 0.1, 3, math.Copysign(0, -1)), {}, v(0, math.Inf(-1)), v(0, 1, math.MaxInt32, 5e-324), v(math.MaxInt32-1, math.NaN(), math.MaxInt32, 1),
	} {
		m.Append(x)
	}
	type table struct {
		X vec.Matrix
		Y []float64
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(table{m, []float64{1}}); err != nil {
		t.Fatal(err)
	}
	var got table
	if err := gob.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.X.Len() != m.Len() || got.X.MaxIndex() != m.MaxIndex() || got.X.String() != m.String() {
		t.Errorf("%v, want %v", got.X, m)
	}
	for i := range m.Len() {
		for k, value := range m.Row(i).Value {
			if again := got.X.Row(i).Value[k]; math.Float64bits(again) != math.Float64bits(value) {
				t.Errorf("row %d: %v, want %v", i, again, value)
			}
		}
	}
	for _, empty := range []vec.Matrix{{}, m.Slice(1, 1)} {
		text, err := empty.MarshalBinary()
		if back := m.Slice(0, 1); err != nil || back.UnmarshalBinary(text) != nil || back.Len() != 0 {
			t.Errorf("an empty matrix comes back with %d rows, %v", back.Len(), err)
		}
	}
	var wrong vec.Matrix
	wrong.Append(vec.Vector{Index: []int32{2, 1}, Value: []float64{1, 2}})
	if _, err := wrong.MarshalBinary(); err == nil || err.Error() != "row 1 of a matrix: index 1 follows index 2: indices must increase" {
		t.Errorf("indices that fall: %v", err)
	}
}

// FuzzMatrixBinary: bytes are either a matrix of rows in order, or an error. Truncated bytes are an
// error, and no memory is taken for numbers that the bytes claim.
func FuzzMatrixBinary(f *testing.F) {
	var m vec.Matrix
	m.Append(v(1, 0.1, 300, -2))
	m.Append(v(math.MaxInt32, 1))
	whole, err := m.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	for n := range whole {
		cut := m.Slice(0, 1)
		if cut.UnmarshalBinary(whole[:n]) == nil || cut.Len() != 1 {
			f.Errorf("%d of %d bytes are no error", n, len(whole))
		}
	}
	f.Add(whole)
	f.Add(append(whole, 0))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Add([]byte{1, 1, 0xff, 0xff, 0xff, 0xff, 0x7, 0, 0, 0, 0, 0, 0, 0, 0})                          // 2^31-1
	f.Add([]byte{1, 1, 0x80, 0x80, 0x80, 0x80, 0x8, 0, 0, 0, 0, 0, 0, 0, 0})                          // 2^31
	f.Add([]byte{1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 7, 0, 0, 0, 0, 0, 0, 0, 0}) // 2^31 behind 0
	f.Fuzz(func(t *testing.T, b []byte) {
		got := m.Slice(0, 1)
		if err := got.UnmarshalBinary(b); err != nil {
			if got.Len() != 1 {
				t.Errorf("%v leaves %d rows", err, got.Len())
			}
			return
		}
		for i := range got.Len() {
			if err := got.Row(i).CheckIndices(); err != nil {
				t.Errorf("row %d: %v", i, err)
			}
		}
		again, err := got.MarshalBinary()
		var back vec.Matrix
		if err != nil || back.UnmarshalBinary(again) != nil || back.String() != got.String() {
			t.Errorf("%v comes back as %v, %v", got, back, err)
		}
	})
}
