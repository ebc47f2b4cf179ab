package textscan_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A tokens source makes texts that are, nearly are, or begin with numbers,
// dense where reading them can go wrong. Exponents have at most 4 digits.
type tokens struct{ *rand.Rand }

func newTokens(seed uint64) tokens { return tokens{rand.New(rand.NewPCG(seed, 0))} }

func (t tokens) next() string {
	s := t.number()
	switch t.IntN(10) {
	case 0:
		s = t.pick("", " ", "\t", "\n\v\f\r ") + t.pick("+", "-", "+-", "- ") + s
	case 1:
		s += t.pick(" ", ":", ",5", "e", "e+", "p", "p-", ".", "x", "\x00", "\x001", "f", "L", "\xff")
	case 2:
		s = t.mutate(s)
	}
	return s
}

func (t tokens) number() string {
	switch t.IntN(14) {
	case 0:
		return t.short()
	case 1:
		return strconv.FormatFloat(t.double(), "efgG"[t.IntN(4)], t.IntN(20)-1, 64)
	case 2:
		return t.short() + t.pick("e", "E") + t.pick("", "+", "-") + t.digits(1+t.IntN(4))
	case 3, 4:
		return t.half(t.double())
	case 5:
		return t.half(t.subnormal())
	case 6:
		return t.half(t.landmark())
	case 7:
		return t.shallowHalf()
	case 8:
		return t.shifted()
	case 9:
		return t.digits(1+t.IntN(25)) + "e" + strconv.Itoa(t.IntN(70)-35)
	case 10:
		return t.hex()
	case 11:
		return t.hexHalf()
	case 12:
		return t.pick("inf", "infinity", "nan", "INF", "iNfInItY", "NaN", "infinit", "in", "na",
			"nan()", "nan(1)", "nan(_zZ9)", "nan(", "nan(1", "nan(-1)", "nan(é)", "0x", "0x.", "0x.p1", ".", "e5", ".e5", "")
	}
	return t.junk()
}

func (t tokens) pick(s ...string) string { return s[t.IntN(len(s))] }

func (t tokens) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + t.IntN(10))
	}
	return string(b)
}

// short is a decimal as data files hold it.
func (t tokens) short() string {
	s := t.digits(1 + t.IntN(9))
	if t.IntN(3) > 0 {
		i := t.IntN(len(s) + 1)
		s = s[:i] + "." + s[i:]
	}
	return s
}

// double is a finite number with random bits, often of middling size.
func (t tokens) double() float64 {
	v := math.Float64frombits(t.Uint64() &^ (1 << 63))
	if t.IntN(2) == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		v = math.Ldexp(1+t.Float64(), t.IntN(160)-80)
	}
	return v
}

func (t tokens) subnormal() float64 {
	return math.Float64frombits(t.Uint64N(1<<52) >> t.IntN(52))
}

// landmark is a number at the edge of a range.
func (t tokens) landmark() float64 {
	v := []float64{0, 0x1p-1074, 0x1p-1022, 0x1p-1021, 1, 0x1p53, 0x1p63, 0x1p64, math.MaxFloat64}[t.IntN(9)]
	for range t.IntN(3) {
		v = math.Nextafter(v, []float64{0, math.MaxFloat64}[t.IntN(2)])
	}
	return v
}

// half is v, or the number a half or a quarter of its last place above or
// below it, with all digits, cut, or with one more unit far behind.
func (t tokens) half(v float64) string {
	ulp := math.Nextafter(v, math.Inf(1)) - v
	if math.IsInf(ulp, 0) {
		ulp = 0x1p971
	}
	x := new(big.Float).SetPrec(2200).SetFloat64(v)
	d := new(big.Float).SetPrec(2200).SetFloat64(ulp)
	d.SetMantExp(d, -1-t.IntN(3))
	switch t.IntN(3) {
	case 0:
		x.Add(x, d)
	case 1:
		x.Sub(x, d)
	}
	s := strings.TrimPrefix(x.Text('e', 1100), "-")
	mant, exp, _ := strings.Cut(s, "e")
	mant = strings.TrimRight(mant, "0")
	switch t.IntN(6) {
	case 0:
		mant += strings.Repeat("0", t.IntN(900)) + "1"
	case 1:
		mant = mant[:min(len(mant), 2+t.IntN(len(mant)))]
	case 2:
		mant = mant[:len(mant)-1] + string(mant[len(mant)-1]-1+byte(t.IntN(2))*2)
	case 3:
		mant = mant[:min(len(mant), 17+t.IntN(5))]
	}
	return mant + "e" + exp
}

// shallowHalf is a middle between two doubles, or its neighbour, with few
// enough digits for 64 bits.
func (t tokens) shallowHalf() string {
	k := t.IntN(5)
	h := uint64(1)<<53 | t.Uint64N(1<<53) | 1
	for range k {
		h *= 5
	}
	h += uint64(t.IntN(3)) - 1
	s := strconv.FormatUint(h, 10)
	if t.IntN(2) == 0 {
		return s[:len(s)-k] + "." + s[len(s)-k:]
	}
	return s + "e-" + strconv.Itoa(k)
}

// shifted is a number with many zeros that an exponent takes back.
func (t tokens) shifted() string {
	zeros := t.IntN(1200)
	shift := zeros + t.IntN(700) - 350
	if t.IntN(2) == 0 {
		return "0." + strings.Repeat("0", zeros) + t.digits(1+t.IntN(30)) + "e+" + strconv.Itoa(max(shift, 0))
	}
	return t.digits(1+t.IntN(30)) + strings.Repeat("0", zeros) + t.pick("", ".", ".00") + "e-000" + strconv.Itoa(max(shift, 0))
}

func (t tokens) hex() string {
	var b strings.Builder
	b.WriteString(t.pick("0x", "0X"))
	b.WriteString(strings.Repeat("0", t.IntN(3)*t.IntN(20)))
	n := t.IntN(30)
	point := t.IntN(30)
	for i := range n {
		if i == point {
			b.WriteByte('.')
		}
		b.WriteByte("0123456789abcdefABCDEF00000000ff"[t.IntN(32)])
	}
	if t.IntN(3) > 0 {
		fmt.Fprintf(&b, "%s%d", t.pick("p", "P"), t.IntN(2400)-1250)
	}
	return b.String()
}

// hexHalf is a hexadecimal number at or beside a middle of two doubles.
func (t tokens) hexHalf() string {
	drop := 1 + t.IntN(60)
	exp := []int{-1074, -1023, -1022, 971, t.IntN(2200) - 1150}[t.IntN(5)] - drop + t.IntN(3) - 1
	x := new(big.Int).SetUint64(t.Uint64N(1<<53) >> (t.IntN(2) * t.IntN(53)))
	x.Lsh(x, uint(drop))
	x.Add(x, new(big.Int).Lsh(big.NewInt(1), uint(drop-1)))
	x.Add(x, big.NewInt(int64(t.IntN(3)-1)))
	return fmt.Sprintf("0x%s%sp%+d", x.Text(16), t.pick("", ".", ".00", ".0000000000001"), exp)
}

const numberBytes = " \t\n\v\f\r+-..00123456789eEpPxXaAfFnNiItTyY()_,:#\x00\x80\xff"

func (t tokens) junk() string {
	b := make([]byte, t.IntN(9))
	for i := range b {
		b[i] = numberBytes[t.IntN(len(numberBytes))]
	}
	return limitExponent(string(b))
}

func (t tokens) mutate(s string) string {
	i := t.IntN(len(s) + 1)
	c := string(numberBytes[t.IntN(len(numberBytes))])
	switch {
	case t.IntN(3) == 0 || i == len(s):
		s = s[:i] + c + s[i:]
	case t.IntN(2) == 0:
		s = s[:i] + s[i+1:]
	default:
		s = s[:i] + c + s[i+1:]
	}
	return limitExponent(s)
}

// limitExponent cuts s so that no run of more than 4 digits follows an e or p.
func limitExponent(s string) string {
	run := -1
	for i, c := range []byte(s) {
		switch {
		case c|0x20 == 'e' || c|0x20 == 'p':
			run = 0
		case run >= 0 && '0' <= c && c <= '9':
			if run++; run > 4 {
				return s[:i]
			}
		case c != '+' && c != '-':
			run = -1
		}
	}
	return s
}

// integer is a text for strtol.
func (t tokens) integer() string {
	s := t.digits(t.IntN(22))
	switch t.IntN(6) {
	case 0:
		x := new(big.Int).SetUint64(1 << 63)
		s = x.Add(x, big.NewInt(int64(t.IntN(21)-10))).String()
	case 1:
		s = strings.Repeat("0", t.IntN(40)) + s
	case 2:
		s = t.mutate(s)
	}
	return t.pick("", "", " ", "\v\f\r\n\t", "+ ") + t.pick("", "+", "-", "--") + s + t.pick("", " ", ":1", ".5", "e3", "x1", "\x00")
}
