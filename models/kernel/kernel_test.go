package kernel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// The formulas for dense vectors, with each operation rounded separately.

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		product := float64(a[i] * b[i])
		sum += product
	}
	return sum
}

func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := a[i] - b[i]
		square := float64(d * d)
		sum += square
	}
	return sum
}

// power multiplies in the order of repeated squaring: by the bits of n from the lowest on.
func power(x float64, n int) float64 {
	result := 1.0
	square := x
	for bit := 0; n>>bit != 0; bit++ {
		if n>>bit&1 != 0 {
			result = result * square
		}
		square = square * square
	}
	return result
}

// tanhOf returns the tanh of the sigmoid kernel, by a dot product of 1.
func tanhOf(x float64) float64 {
	var one vec.Matrix
	one.Append(vec.Vector{Index: []int32{0}, Value: []float64{1}})
	var dst [1]float64
	kernel.Sigmoid{Gamma: x}.RowTo(dst[:], one.Row(0), &one)
	return dst[0]
}

// formula returns the value of a kernel in training and in prediction.
func formula(k kernel.Kernel, x, z []float64) (training, prediction float64) {
	switch k := k.(type) {
	case kernel.Linear:
		training = dot(x, z)
	case kernel.Poly:
		scaled := float64(k.Gamma * dot(x, z))
		training = power(scaled+k.Coef0, k.Degree)
	case kernel.Sigmoid:
		scaled := float64(k.Gamma * dot(x, z))
		training = tanhOf(scaled + k.Coef0)
	case kernel.RBF:
		double := float64(2 * dot(x, z))
		norms := dot(x, x) + dot(z, z)
		return kernel.Exp(-k.Gamma * (norms - double)), kernel.Exp(-k.Gamma * squaredDistance(x, z))
	}
	return training, training
}

const dimensions = 9

func vectors() *rapid.Generator[vec.Vector] {
	number := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) }))
	return rapid.Custom(func(t *rapid.T) vec.Vector {
		index := rapid.SliceOfNDistinct(rapid.Int32Range(0, dimensions-1), 0, dimensions, rapid.ID[int32]).Draw(t, "index")
		slices.Sort(index)
		v := vec.Vector{Index: index, Value: make([]float64, len(index))}
		for k := range v.Value {
			v.Value[k] = number.Draw(t, "value")
		}
		return v
	})
}

func dense(v vec.Vector) []float64 {
	d := make([]float64, dimensions)
	for k, i := range v.Index {
		d[i] = v.Value[k]
	}
	return d
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var zs vec.Matrix
		for _, z := range rapid.SliceOfN(vectors(), 1, 9).Draw(t, "zs") {
			zs.Append(z)
		}
		x := vectors().Draw(t, "x")
		gamma := rapid.OneOf(rapid.Float64Range(0, 2), rapid.SampledFrom([]float64{0, 0.1, 1. / 3, -0.5, 1e-9, 1e9})).Draw(t, "gamma")
		coef0 := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.SampledFrom([]float64{0, 1, -0.1})).Draw(t, "coef0")
		degree := rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, math.MaxInt32)).Draw(t, "degree")
		for _, k := range []kernel.Kernel{
			kernel.Linear{},
			kernel.Poly{Degree: degree, Gamma: gamma, Coef0: coef0},
			kernel.RBF{Gamma: gamma},
			kernel.Sigmoid{Gamma: gamma, Coef0: coef0},
		} {
			n := rapid.IntRange(0, zs.Len()).Draw(t, "n") // results from n on do not change
			row, evaluated, diag := filled(zs.Len()), filled(zs.Len()), filled(zs.Len())
			k.RowTo(row[:n], x, &zs)
			k.EvaluateTo(evaluated[:n], x, &zs)
			k.DiagTo(diag[:n], &zs)
			for i := range zs.Len() {
				z := dense(zs.Row(i))
				training, prediction := formula(k, dense(x), z)
				own, _ := formula(k, z, z)
				if i >= n {
					training, prediction, own = untouched, untouched, untouched
				}
				if !same(row[i], training) || !same(evaluated[i], prediction) || !same(diag[i], own) {
					t.Errorf("%T%+v of %v and %v: training %v, want %v; prediction %v, want %v; diagonal %v, want %v",
						k, k, x, zs.Row(i), row[i], training, evaluated[i], prediction, diag[i], own)
				}
			}
		}
	})
}

const untouched = 77.0

func filled(n int) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = untouched
	}
	return f
}

// TestValues compares with values computed by hand, so that the formulas above are not only
// compared with themselves.
func TestValues(t *testing.T) {
	var zs vec.Matrix
	zs.Append(vec.Vector{Index: []int32{1, 3}, Value: []float64{2, 0.5}})
	zs.Append(vec.Vector{})
	x := vec.Vector{Index: []int32{1, 2, 3}, Value: []float64{3, 7, 4}}
	for _, c := range []struct {
		k         kernel.Kernel
		row, diag [2]float64
	}{
		{kernel.Linear{}, [2]float64{8, 0}, [2]float64{4.25, 0}},
		{kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: -1}, [2]float64{27, -1}, [2]float64{1.423828125, -1}},
		{kernel.Poly{Degree: 0, Gamma: 0.5, Coef0: -1}, [2]float64{1, 1}, [2]float64{1, 1}},
		{kernel.Poly{Degree: 2, Gamma: 0, Coef0: 0}, [2]float64{0, 0}, [2]float64{0, 0}},
		{kernel.Poly{Degree: 0, Gamma: 0, Coef0: 0}, [2]float64{1, 1}, [2]float64{1, 1}},
		{kernel.Poly{Degree: 2000000000, Gamma: 1, Coef0: 0}, [2]float64{math.Inf(1), 0}, [2]float64{math.Inf(1), 0}},
		{kernel.Poly{Degree: 2000000001, Gamma: -1, Coef0: 0}, [2]float64{math.Inf(-1), 0}, [2]float64{math.Inf(-1), 0}},
		{kernel.RBF{Gamma: 0}, [2]float64{1, 1}, [2]float64{1, 1}},
		{kernel.RBF{Gamma: 1}, [2]float64{math.Exp(-62.25), math.Exp(-74)}, [2]float64{1, 1}},
		{kernel.Sigmoid{Gamma: 0, Coef0: 0.25}, [2]float64{math.Tanh(0.25), math.Tanh(0.25)}, [2]float64{math.Tanh(0.25), math.Tanh(0.25)}},
		{kernel.Sigmoid{Gamma: 1, Coef0: -8}, [2]float64{0, math.Tanh(-8)}, [2]float64{math.Tanh(-3.75), math.Tanh(-8)}},
	} {
		var row, evaluated, diag [2]float64
		c.k.RowTo(row[:], x, &zs)
		c.k.EvaluateTo(evaluated[:], x, &zs)
		c.k.DiagTo(diag[:], &zs)
		for i := range row {
			if !near(row[i], c.row[i]) || !near(evaluated[i], c.row[i]) || !near(diag[i], c.diag[i]) {
				t.Errorf("%T%+v: row %v, evaluated %v, want %v; diagonal %v, want %v", c.k, c.k, row, evaluated, c.row, diag, c.diag)
				break
			}
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*math.Abs(b) }

// TestOverflow: squares that overflow. In training this makes the kernel of a row with itself NaN,
// but not in prediction.
func TestOverflow(t *testing.T) {
	for _, value := range []float64{1e200, 1.2e154} { // for the second, only twice the square overflows
		var zs vec.Matrix
		zs.Append(vec.Vector{Index: []int32{0}, Value: []float64{value}})
		var row, evaluated, diag [1]float64
		k := kernel.RBF{Gamma: 1}
		k.RowTo(row[:], zs.Row(0), &zs)
		k.EvaluateTo(evaluated[:], zs.Row(0), &zs)
		k.DiagTo(diag[:], &zs)
		if !math.IsNaN(row[0]) || !math.IsNaN(diag[0]) || evaluated[0] != 1 {
			t.Errorf("%v: training %v, diagonal %v, prediction %v, want NaN, NaN, 1", value, row, diag, evaluated)
		}
	}
}

func precomputed(serial float64, values ...float64) vec.Vector {
	v := vec.Vector{Index: []int32{0}, Value: []float64{serial}}
	for i, x := range values {
		v.Index = append(v.Index, int32(i+1))
		v.Value = append(v.Value, x)
	}
	return v
}

func TestPrecomputed(t *testing.T) {
	var zs vec.Matrix // rows 3, 1 and 2 of a matrix K(i, j) = 10 i + j
	zs.Append(precomputed(3, 31, 32, 33))
	zs.Append(precomputed(1.9, 11, 12, 13))
	zs.Append(precomputed(2, 21, 22, 23))
	x := precomputed(2, 21, 22, 23)
	row, evaluated, diag := filled(3), filled(3), filled(3)
	k := kernel.Precomputed{}
	k.RowTo(row, x, &zs)
	k.EvaluateTo(evaluated, x, &zs)
	k.DiagTo(diag, &zs)
	if want := []float64{23, 21, 22}; !slices.Equal(row, want) || !slices.Equal(evaluated, want) {
		t.Errorf("row %v, evaluated %v, want %v", row, evaluated, want)
	}
	if want := []float64{33, 11, 22}; !slices.Equal(diag, want) {
		t.Errorf("diagonal %v, want %v", diag, want)
	}
	for i := range row {
		row[i] = untouched
	}
	k.RowTo(row[:2], x, &zs)
	if want := []float64{23, 21, untouched}; !slices.Equal(row, want) {
		t.Errorf("two values: %v, want %v", row, want)
	}
}

func TestSerial(t *testing.T) {
	for _, c := range []struct {
		row    vec.Vector
		serial int
		err    string
	}{
		{precomputed(1), 1, ""},
		{precomputed(7, 1, 2), 7, ""},
		{precomputed(2.9), 2, ""},
		{precomputed(math.MaxInt32), math.MaxInt32, ""},
		{precomputed(0), 0, "sample_serial_number out of range: 0"},
		{precomputed(0.99), 0, "sample_serial_number out of range: 0.99"},
		{precomputed(-1), 0, "sample_serial_number out of range: -1"},
		{precomputed(math.MaxInt32 + 1), 0, "sample_serial_number out of range: 2.147483648e+09"},
		{precomputed(math.NaN()), 0, "sample_serial_number out of range: NaN"},
		{vec.Vector{}, 0, "first column must be 0:sample_serial_number"},
		{vec.Vector{Index: []int32{1}, Value: []float64{1}}, 0, "first column must be 0:sample_serial_number"},
	} {
		serial, err := kernel.Serial(c.row)
		if serial != c.serial || message(err) != c.err {
			t.Errorf("%v: %d, %q, want %d, %q", c.row, serial, message(err), c.serial, c.err)
		}
	}
}

func TestCheckColumns(t *testing.T) {
	gap := vec.Vector{Index: []int32{0, 1, 3}, Value: []float64{1, 5, 6}}
	for _, c := range []struct {
		row     vec.Vector
		serials int
		err     string
	}{
		{precomputed(1, 5, 6), 2, ""},
		{precomputed(1, 5, 6, 7, 8), 2, ""}, // more values than needed
		{precomputed(1), 0, ""},
		{precomputed(-9, 5), 1, ""}, // the serial number of a row to predict is not used
		{gap, 1, ""},                // the gap is behind the needed values
		{gap, 2, "kernel value 2 is missing: precomputed rows have no gaps"},
		{gap, 3, "kernel value 2 is missing: precomputed rows have no gaps"},
		{precomputed(1, 5, 6), 3, "kernel values end at 2, expected 3"},
		{precomputed(1), 1, "kernel values end at 0, expected 1"},
		{precomputed(1), math.MaxInt32, "kernel values end at 0, expected 2147483647"},
		{vec.Vector{}, 1, "first column must be 0:sample_serial_number"},
		{vec.Vector{Index: []int32{1, 2}, Value: []float64{1, 5}}, 1, "first column must be 0:sample_serial_number"},
	} {
		if err := kernel.CheckColumns(c.row, c.serials); message(err) != c.err {
			t.Errorf("%v for %d: %q, want %q", c.row, c.serials, message(err), c.err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprint(err)
}
