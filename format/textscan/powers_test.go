package textscan

import (
	"math"
	"math/big"
	"testing"
)

// The table against integers of any length.
func TestPowers(t *testing.T) {
	for q := minPower10; q <= maxPower10; q++ {
		e := log2Pow10(q) - 127
		// 10^q / 2^e, as a quotient of integers
		num := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(q, 0))), nil)
		den := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(-q, 0))), nil)
		num.Lsh(num, uint(max(-e, 0)))
		den.Lsh(den, uint(max(e, 0)))
		want, rest := new(big.Int).QuoRem(num, den, new(big.Int))
		p := powers[q-minPower10]
		got := new(big.Int).SetUint64(p.hi)
		got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(p.lo))
		if got.Cmp(want) != 0 || got.BitLen() != 128 {
			t.Errorf("10^%d: %x·2^%d, want %x", q, got, e, want)
		}
		if exact := uint(q) <= maxExact10; exact != (rest.Sign() == 0) {
			t.Errorf("10^%d: exact %t, rest %d", q, exact, rest)
		}
	}
	for e := -1074; e <= 1023; e++ {
		x := new(big.Float).SetMantExp(big.NewFloat(1), e)
		exp := log10Pow2(e)
		if x.Cmp(tenTo(exp)) < 0 || x.Cmp(tenTo(exp+1)) >= 0 {
			t.Errorf("log10(2^%d) is not between %d and %d", e, exp, exp+1)
		}
	}
}

// tenTo returns 10^q, of which a power of two does not lie nearer than 5000 bits can
// tell but for 1.
func tenTo(q int) *big.Float {
	x := new(big.Float).SetPrec(5000).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(q, -q))), nil))
	if q < 0 {
		x.Quo(big.NewFloat(1).SetPrec(5000), x)
	}
	return x
}

// Eight digits at a time, of every length and with any byte behind them.
func TestDigits(t *testing.T) {
	for n := range 9 {
		for c := range 256 {
			b := []byte("98765432\xff\x00")[:n]
			want := uint64(0)
			for _, d := range b {
				want = want*10 + uint64(d-'0')
			}
			digit := '0' <= c && c <= '9'
			b = append(b, byte(c), '0', 0xff, '9', ':', 0xba, '/', 0x80, 0)[:8]
			w := load8(b, 0)
			width := leadingDigits(w)
			switch {
			case n < 8 && digit:
				if width <= uint(8*n) {
					t.Errorf("%q: %d bits of digits", b, width)
				}
			case width != uint(8*n):
				t.Errorf("%q: %d bits of digits, want %d", b, width, 8*n)
			case n > 0 && digitsValue(w, width) != want:
				t.Errorf("%q: %d, want %d", b, digitsValue(w, width), want)
			}
		}
	}
	text := []byte("0123456789abc")
	for n := range len(text) + 1 {
		for i := range n + 1 {
			want := uint64(0)
			for k, c := range text[i:min(i+8, n)] {
				want |= uint64(c) << (8 * k)
			}
			if got := load8(text[:n:n], i); got != want {
				t.Errorf("%q from %d: %#x, want %#x", text[:n], i, got, want)
			}
		}
	}
	for _, x := range []uint64{0, 1, 9, 10, 99, 100, 9999, 10_000, 99_999_999, 12_345_678, 90_000_009} {
		checkEight(t, x)
	}
	for x := range uint64(10_000) {
		checkEight(t, x)
		checkEight(t, x*10_000+(9_999-x))
		if y := x*97 + 29_999; sixDigits(y) != eightDigits(100*y) {
			t.Errorf("%d is written as %#x", y, sixDigits(y))
		}
	}
}

func checkEight(t *testing.T, x uint64) {
	t.Helper()
	if got := digitsValue(eightDigits(x)|everyZero, 64); got != x {
		t.Errorf("%d is written as %#x", x, eightDigits(x))
	}
}

// Where the short ways decide, they say what the exact one does, at the edges of
// their ranges too.
func TestScale(t *testing.T) {
	decided := 0
	for _, mant := range []uint64{1, 2, 5, 7, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<54 + 3, 1e18 + 1, 1e19 - 1, 1<<63 + 1<<10 + 1, 1<<63 + 1<<10 + 2, 1<<63 + 3<<10 - 2, math.MaxUint64} {
		for exp := int64(-400); exp <= 400; exp++ {
			v, ok := scaleProduct(mant, exp)
			if !ok {
				continue
			}
			decided++
			want, err := longFloat(new(big.Int).SetUint64(mant).Append(nil, 10), exp)
			if v != want || err != nil {
				t.Errorf("%de%d is %x, want %x, %v", mant, exp, v, want, err)
			}
			if -maxPow5 <= exp && exp <= maxPow5 && scaleExact(mant, int(exp)) != want {
				t.Errorf("%de%d is exactly %x, want %x", mant, exp, scaleExact(mant, int(exp)), want)
			}
		}
	}
	if decided < 6000 {
		t.Errorf("only %d products decide", decided)
	}
}
