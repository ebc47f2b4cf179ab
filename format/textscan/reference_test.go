package textscan_test

import (
	"bytes"
	"math"
	"math/big"
	"regexp"
	"strconv"
)

// strtodGrammar is strtod's grammar, C11 7.22.1.3, in the notation of package
// regexp, which takes the first alternative that matches.
var strtodGrammar = regexp.MustCompile(`^[ \t\n\v\f\r]*([+-]?)(?:` +
	`(0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)|` +
	`((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|` +
	`((?i)infinity|inf)|` +
	`((?i)nan(?:\([0-9a-z_]*\))?))`)

// strtolGrammar is strtol's in base 10.
var strtolGrammar = regexp.MustCompile(`^[ \t\n\v\f\r]*([+-]?[0-9]+)`)

// referenceFloat is strtod by rational arithmetic: slow, and sharing no code
// with the package. Exponents must have at most 4 digits.
func referenceFloat(b []byte) (v float64, n int, erange bool) {
	m := strtodGrammar.FindSubmatch(b)
	if m == nil {
		return 0, 0, false
	}
	sign := 1.0
	if string(m[1]) == "-" {
		sign = -1
	}
	n = len(m[0])
	switch {
	case m[4] != nil:
		return math.Inf(int(sign)), n, false
	case m[5] != nil:
		return math.Copysign(math.Float64frombits(0x7ff8<<48), sign), n, false
	}
	x, ok := new(big.Rat).SetString(string(m[2]) + string(m[3]))
	if !ok {
		panic("reference cannot read " + strconv.Quote(string(m[0])))
	}
	v, _ = x.Float64()
	if math.IsInf(v, 0) {
		return math.Copysign(v, sign), n, true
	}
	rounded := new(big.Float).SetPrec(53).SetRat(x)
	tiny := rounded.Cmp(big.NewFloat(0x1p-1022)) < 0
	return math.Copysign(v, sign), n, tiny && x.Cmp(new(big.Rat).SetFloat64(v)) != 0
}

// referenceInt is strtol by integers of any length.
func referenceInt(b []byte) (v int64, n int, erange bool) {
	m := strtolGrammar.FindSubmatch(b)
	if m == nil {
		return 0, 0, false
	}
	x, _ := new(big.Int).SetString(string(bytes.TrimPrefix(m[1], []byte("+"))), 10)
	switch {
	case x.IsInt64():
		return x.Int64(), len(m[0]), false
	case x.Sign() < 0:
		return math.MinInt64, len(m[0]), true
	}
	return math.MaxInt64, len(m[0]), true
}

// exactDecimal returns m·2^-k with all its digits, as 0.ddd.
func exactDecimal(m, k int64) string {
	p := new(big.Int).Exp(big.NewInt(5), big.NewInt(k), nil)
	s := p.Mul(p, big.NewInt(m)).String()
	for len(s) < int(k) {
		s = "0" + s
	}
	return "0." + s
}

// bump adds d to the last digit of s.
func bump(s string, d int) string {
	return s[:len(s)-1] + string(rune(int(s[len(s)-1])+d))
}

// exactHalf returns m·2^e with all its digits, in the notation d.ddde+dd.
func exactHalf(m uint64, e int) string {
	x := new(big.Float).SetUint64(m)
	return x.SetMantExp(x, e).Text('e', 1100)
}
