package textscan_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// TestMany reads and writes numbers of all kinds as strconv does, and as the C
// library does where there is one. The long form, a quarter of an hour for 10^8:
//
//	SLIMSVM_NUMBERS=100000000 go test -timeout 0 -v -run Many ./format/textscan
func TestMany(t *testing.T) {
	total := count(t, 100_000)
	if s := os.Getenv("SLIMSVM_NUMBERS"); s != "" {
		var err error
		if total, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	c, reason := buildClib(t)
	if c == nil {
		t.Run("C library", func(t *testing.T) { noClib(t, reason) })
	}
	t.Run("read", func(t *testing.T) { readMany(t, c, total) })
	t.Run("write", func(t *testing.T) { writeMany(t, c, total) })
}

// batch is how many numbers are made and asked about at a time.
const batch = 1 << 15

func readMany(t *testing.T, c *clib, total int) {
	source := newTokens(11)
	texts := make([]string, batch)
	line := make([]byte, 0, 4096) // with Slack
	index, value := make([]int32, 4), make([]float64, 4)
	unlike := 0
	for done := 0; done < total && !t.Failed(); done += batch {
		for i := range texts {
			texts[i] = source.common()
			want, err := strconv.ParseFloat(texts[i], 64)
			v, n, _ := textscan.Float([]byte(texts[i]))
			if !same(v, want) || n != len(texts[i]) {
				t.Errorf("Float(%s) is %x of %d bytes, strconv has %x, %v", texts[i], v, n, want, err)
			}
			// the same in a row with room, where the way is another
			line = fmt.Appendf(line[:0], " 7:%s 8:%s 9:%s", texts[i], texts[i], texts[i])
			_, row, fault := textscan.Pairs(line, 0, true, index[:0], value[:0])
			if math.IsInf(want, 0) && fault != nil {
				continue
			}
			if fault != nil || len(row) != 3 || !same(row[0], want) || !same(row[1], want) || !same(row[2], want) {
				t.Errorf("Pairs(%s) is %x, %v, strconv has %x", line, row, fault, want)
			}
		}
		if c != nil {
			unlike += askRead(t, c, texts)
		}
	}
	t.Logf("%d numbers, of which the C library reads %d in another way", total, unlike)
}

// askRead compares with the C library and returns how often it slips.
func askRead(t *testing.T, c *clib, texts []string) (unlike int) {
	questions := make([]string, len(texts))
	for i, text := range texts {
		questions[i] = fmt.Sprintf("d %x", text)
	}
	for i, answer := range c.ask(t, questions) {
		v, n, err := textscan.Float([]byte(texts[i]))
		erange := 0
		if err != nil {
			erange = 1
		}
		if got := fmt.Sprintf("%016x %d %d", math.Float64bits(v), n, erange); got != answer {
			if c.slips(texts[i]) {
				unlike++
				continue
			}
			t.Errorf("Float(%s) is %s, C has %s", texts[i], got, answer)
		}
	}
	return unlike
}

func writeMany(t *testing.T, c *clib, total int) {
	source := newTokens(12)
	type question struct {
		x    float64
		prec int
	}
	asked := make([]question, batch)
	questions := make([]string, batch)
	var b []byte
	for done := 0; done < total && !t.Failed(); done += batch {
		for i := range asked {
			q := question{source.value(), []int{6, 6, 8, 17, 17, source.IntN(20)}[source.IntN(6)]}
			asked[i] = q
			questions[i] = fmt.Sprintf("g %d %x", q.prec, math.Float64bits(q.x))
			b = textscan.AppendG(b[:0], q.x, q.prec)
			if want := strconv.FormatFloat(q.x, 'g', q.prec, 64); string(b) != want {
				t.Errorf("%%.%dg of %x is %s, strconv has %s", q.prec, q.x, b, want)
			}
			prec := source.IntN(10)
			b = textscan.AppendF(b[:0], q.x, prec)
			if want := strconv.FormatFloat(q.x, 'f', prec, 64); string(b) != want {
				t.Errorf("%%.%df of %x is %s, strconv has %s", prec, q.x, b, want)
			}
		}
		if c == nil {
			continue
		}
		for i, answer := range c.ask(t, questions) {
			if b = textscan.AppendG(b[:0], asked[i].x, asked[i].prec); string(b) != answer {
				t.Errorf("%%.%dg of %x is %s, C has %s", asked[i].prec, asked[i].x, b, answer)
			}
		}
	}
	t.Logf("%d numbers", total)
}

// common is a decimal number as data files and programs write them, or one that is
// hard to read.
func (t tokens) common() string {
	sign := t.pick("", "-")
	switch t.IntN(12) {
	case 0:
		return sign + t.short()
	case 1:
		return strconv.FormatFloat(2*t.Float64()-1, 'g', 6, 64)
	case 2:
		return strconv.FormatFloat(t.NormFloat64(), 'g', 17, 64)
	case 3:
		return strconv.FormatFloat(t.value(), 'g', 15+t.IntN(3), 64)
	case 4: // 19 digits and about
		return sign + t.digits(1+t.IntN(3)) + "." + t.digits(13+t.IntN(8))
	case 5:
		return sign + t.digits(15+t.IntN(10)) + "e" + strconv.Itoa(t.IntN(680)-350)
	case 6: // above and below the middle of two
		return sign + t.shallowHalf()
	case 7:
		return sign + "0." + strings.Repeat("0", t.IntN(12)) + t.digits(1+t.IntN(22))
	case 8: // a middle cut behind so many digits that it is near
		return sign + t.cutHalf(17+t.IntN(9))
	case 9:
		return strconv.FormatFloat(t.subnormal(), 'g', 1+t.IntN(18), 64)
	case 10:
		return sign + t.digits(1+t.IntN(12)) + "." + t.digits(t.IntN(12))
	}
	return sign + t.digits(1+t.IntN(25)) + t.pick("", ".", "."+t.digits(t.IntN(25)))
}

// cutHalf is the middle of two doubles to so many digits, or beside it.
func (t tokens) cutHalf(digits int) string {
	v := math.Ldexp(1+t.Float64(), t.IntN(120)-60)
	if t.IntN(8) == 0 {
		v = math.Float64frombits(t.Uint64N(0x7fe<<52) + 1)
	}
	// the exact difference of two doubles is one; in 1200 digits so is the sum
	m, e := math.Frexp(v)
	text := exactHalf(uint64(math.Ldexp(m, 53))<<1|1, e-54)
	mant, exp, _ := strings.Cut(text, "e")
	mant = mant[:min(len(mant), digits+1)]
	if t.IntN(2) == 0 {
		mant = mant[:len(mant)-1] + t.digits(1)
	}
	return mant + "e" + exp
}

// value is a finite number, often one of few digits or near such.
func (t tokens) value() float64 {
	var x float64
	switch t.IntN(9) {
	case 0:
		for {
			if x = math.Float64frombits(t.Uint64()); x-x == 0 {
				return x
			}
		}
	case 1:
		x = t.Float64()
	case 2:
		x = t.NormFloat64() * 1000
	case 3:
		x = t.subnormal()
	case 4: // an integer, or one and a half
		x = math.Floor(math.Ldexp(t.Float64(), t.IntN(64))) / 2
	case 5: // a five behind the last digit
		x = float64(t.Uint64N(1e8)*10+5) * []float64{1, 10, 1e3, 1e-1, 1e-3, 1e-5, 1e6, 1e-8}[t.IntN(8)]
	case 6:
		x = float64(t.IntN(100000)) / []float64{1, 2, 4, 8, 10, 16, 100, 1000, 1024, 1e6}[t.IntN(10)]
	case 7: // nines
		x, _ = strconv.ParseFloat(strings.Repeat("9", 1+t.IntN(18))+t.digits(t.IntN(2))+"e"+strconv.Itoa(t.IntN(50)-30), 64)
	case 8:
		x = t.landmark()
	}
	if t.IntN(2) == 0 {
		x = -x
	}
	return x
}
