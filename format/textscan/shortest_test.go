package textscan

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// checkShortest compares with the fewest digits as strconv finds them.
func checkShortest(t interface {
	Helper()
	Errorf(string, ...any)
}, v float64) {
	t.Helper()
	want := strconv.FormatFloat(v, 'g', -1, 64)
	if got := string(appendShortest([]byte("x"), v)); got != "x"+want {
		t.Errorf("%b is written %q, want %q", v, got[1:], want)
	}
}

// Numbers of 1 to 17 digits and their neighbours, of all sizes around those that
// are written without exponent, and anything else.
func TestAppendShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for digits := 1; digits <= 17; digits++ {
		for exp := -24; exp <= 9; exp++ {
			for range 60 {
				v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", rng.Int64N(int64(math.Pow10(digits))), exp), 64)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range []float64{v, -v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1))} {
					checkShortest(t, v)
				}
			}
		}
	}
	for e := -1074; e <= 1023; e++ {
		v := math.Ldexp(1, e)
		for _, v := range []float64{v, -v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1))} {
			checkShortest(t, v)
		}
	}
	for e := -30; e <= 30; e++ {
		for _, m := range []float64{1, 5, 9, 9.5, 9.99999999999999, 9.999999999999998} {
			v := m * math.Pow10(e)
			for _, v := range []float64{v, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1))} {
				checkShortest(t, v)
			}
		}
	}
	for _, v := range []float64{0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1<<53 + 2, 1e15, 999999, 1e6, 999999.5} {
		checkShortest(t, v)
	}
}

func TestAppendRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkShortest(t, math.Float64frombits(rapid.Uint64Range(1, 0x7ff0<<48-1).Draw(t, "bits")))
		checkShortest(t, rapid.Float64Range(-2e6, 2e6).Draw(t, "number"))
		checkShortest(t, float64(rapid.Int64().Draw(t, "whole")))
	})
}

func TestSpecial(t *testing.T) {
	for v, want := range map[float64]string{math.Inf(1): "inf", math.Inf(-1): "-inf"} {
		if got := string(appendShortest(nil, v)); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
	if got := string(appendShortest(nil, math.NaN())); got != "nan" {
		t.Errorf("NaN is written %q", got)
	}
}

// The quick way is taken where it is meant to be.
func TestQuick(t *testing.T) {
	for e, s := range plainScales {
		e += plainLowExponent
		top := math.Nextafter(math.Ldexp(1, e+1), 0)
		if p := top * s.power; p > exactLimit || p*10 < exactLimit/10 || s.k > 22 {
			t.Errorf("numbers below 2^%d are scaled by 10^%d", e+1, s.k)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, digits := range []int{6, 10, 17} {
		var values []float64
		for range 1 << 12 {
			v, err := strconv.ParseFloat(strconv.FormatFloat(10*rng.NormFloat64(), 'g', digits, 64), 64)
			if err != nil {
				b.Fatal(err)
			}
			values = append(values, v)
		}
		b.Run(fmt.Sprint(digits, " digits"), func(b *testing.B) {
			var buf []byte
			n := 0
			for b.Loop() {
				buf = appendShortest(buf[:0], values[n&(len(values)-1)])
				n++
			}
			io.Discard.Write(buf)
		})
		b.Run(fmt.Sprint(digits, " digits, strconv"), func(b *testing.B) {
			var buf []byte
			n := 0
			for b.Loop() {
				buf = strconv.AppendFloat(buf[:0], values[n&(len(values)-1)], 'g', -1, 64)
				n++
			}
			io.Discard.Write(buf)
		})
	}
}
