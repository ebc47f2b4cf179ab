package vec_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
)

// TestMatrixJSON: rows come back from JSON, both of a matrix and of a pointer to one.
func TestMatrixJSON(t *testing.T) {
	var m, empty vec.Matrix
	for _, x := range []vec.Vector{v(1, 0.1, 3, -2), {}, v(0, math.MaxFloat64), v(math.MaxInt32, 5e-324)} {
		m.Append(x)
	}
	for _, c := range []struct {
		from any
		want vec.Matrix
	}{{m, m}, {&m, m}, {empty, empty}, {struct{ X vec.Matrix }{m}.X, m}} {
		text, err := json.Marshal(c.from)
		if err != nil {
			t.Fatal(err)
		}
		got := m.Slice(0, 1)
		if err := json.Unmarshal(text, &got); err != nil || got.String() != c.want.String() || got.MaxIndex() != c.want.MaxIndex() {
			t.Errorf("%s: %v, %v, want %v", text, got, err, c.want)
		}
	}
	m.Append(v(1, math.NaN()))
	if text, err := json.Marshal(m); err == nil {
		t.Errorf("NaN is %s", text)
	}
	for text, want := range map[string]string{
		`{}`:                                   "json: cannot unmarshal object into Go value of type []vec.Vector",
		`[{"Index":[1],"Value":[1,2]}]`:        "row 1 of a matrix: 1 indices but 2 values",
		`[{},{"Index":[2,1],"Value":[1,2]}]`:   "row 2 of a matrix: index 1 follows index 2: indices must increase",
		`[{"Index":[-1],"Value":[1]}]`:         "row 1 of a matrix: index -1 is negative",
		`[{"Index":[2147483648],"Value":[1]}]`: "json: cannot unmarshal number 2147483648 into Go struct field Vector.Index of type int32",
	} {
		got := m.Slice(0, 1)
		if err := json.Unmarshal([]byte(text), &got); err == nil || err.Error() != want || got.Len() != 1 {
			t.Errorf("%s: %v with %v, want %s", text, err, got, want)
		}
	}
}
