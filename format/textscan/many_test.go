package textscan_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// TestMany reads and writes numbers of all kinds as the C library does, where there
// is one, and the first of them as strconv does. The long form takes some
// processor-minutes for 10^8:
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
	defer simd.Use(simd.Best())
	for l := min(simd.AVX2, simd.Best()); l <= simd.Best(); l++ {
		simd.Use(l)
		t.Run(fmt.Sprintf("read with %v", l), func(t *testing.T) { many(t, c, total, 11, readMany) })
	}
	t.Run("write", func(t *testing.T) { many(t, c, total, 12, writeMany) })
}

const (
	// batch is how many numbers are made and asked about at a time.
	batch = 1 << 15
	// byStrconv is how many numbers are compared with strconv although there is a
	// C library.
	byStrconv = 1 << 20
)

// many runs a check of a batch until so many numbers were checked, on all
// processors. The check returns how often the C library slips.
func many(t *testing.T, c *clib, total int, seed uint64, check func(t *testing.T, c *clib, source tokens, strict bool) int) {
	var team sync.WaitGroup
	var begun, done, slips atomic.Int64
	for w := range runtime.GOMAXPROCS(0) {
		team.Go(func() {
			source := newTokens(seed + 100*uint64(w))
			for !t.Failed() {
				from := begun.Add(batch) - batch
				if from >= int64(total) {
					return
				}
				slips.Add(int64(check(t, c, source, c == nil || from < byStrconv)))
				done.Add(batch)
			}
		})
	}
	team.Wait()
	t.Logf("%d numbers, of which the C library has %d in another way", done.Load(), slips.Load())
}

// readMany reads a batch of numbers, by themselves and in rows with room, where the
// way is another.
func readMany(t *testing.T, c *clib, source tokens, strict bool) (slips int) {
	texts := make([]string, batch)
	values := make([]float64, batch)
	ranged := make([]byte, batch) // '1' where Float says so
	questions := make([]byte, 0, 40*batch)
	line := make([]byte, 0, 8192) // with Slack
	var plain []number
	index, value := make([]int32, 4), make([]float64, 4)
	for i := range texts {
		text := source.common()
		texts[i] = text
		questions = append(append(append(questions, "r "...), text...), '\n')
		v, n, err := textscan.Float([]byte(text))
		values[i], ranged[i] = v, '0'
		if err != nil {
			ranged[i] = '1'
		}
		if n != len(text) {
			t.Errorf("Float(%s) ends behind %d bytes", text, n)
		}
		if strict {
			if want, err := strconv.ParseFloat(text, 64); !same(v, want) {
				t.Errorf("Float(%s) is %x, strconv has %x, %v", text, v, want, err)
			}
		}
		copies := 3
		if math.Abs(v) < 0x1p-1000 { // slowly, and in one way only
			if copies = 1; source.IntN(8) > 0 {
				continue
			}
		}
		line = line[:0]
		for k := range copies {
			line = append(append(append(line, ' ', byte('7'+k), ':'), text...), ' ')
		}
		line = line[:len(line)-1]
		if !strings.ContainsRune(text, 'e') {
			plain = append(plain, number{text, v})
		}
		_, row, fault := textscan.Pairs(line, 0, true, index[:0], value[:0])
		if math.IsInf(v, 0) && fault != nil {
			continue
		}
		if fault != nil || len(row) != copies {
			t.Errorf("Pairs(%s) is %x, %v", line, row, fault)
		}
		for _, got := range row {
			if !same(got, v) {
				t.Errorf("Pairs(%s) is %x, Float has %x", line, row, v)
			}
		}
	}
	checkPlainRows(t, plain)
	if c == nil {
		return 0
	}
	answers, err := c.bulk(questions)
	if err != nil {
		t.Error(err)
		return 0
	}
	want := make([]byte, 0, 64)
	for i, text := range texts {
		var answer []byte
		answer, answers, _ = bytes.Cut(answers, []byte{'\n'})
		want = strconv.AppendUint(want[:0], math.Float64bits(values[i]), 16)
		want = append(strconv.AppendInt(append(want, ' '), int64(len(text)), 10), ' ', ranged[i])
		if !bytes.Equal(answer, want) {
			if c.slips(text) {
				slips++
				continue
			}
			t.Errorf("Float(%s) is %s, C has %s", text, want, answer)
		}
	}
	return slips
}

type number struct {
	text  string
	value float64
}

// checkPlainRows reads rows of numbers, which one that is longer or has its point elsewhere may
// keep from being read: so those of one form stand together.
func checkPlainRows(t *testing.T, numbers []number) {
	point := func(n number) int { return strings.IndexByte(n.text, '.') }
	slices.SortStableFunc(numbers, func(a, b number) int {
		return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(point(a), point(b)))
	})
	text := []byte{'\n'}
	for _, n := range numbers {
		text = fmt.Appendf(text, "%s 1:%s 2:%s\n", n.text, n.text, n.text)
	}
	text = slices.Grow(text, textscan.Slack+1)
	var rows textscan.PlainRows
	read := 0
	for at := 1; at < len(text); {
		rows.Reset()
		at = rows.AppendText(text, at)
		for k := range rows.Len() {
			want := numbers[k]
			y, _, row := rows.Row(k)
			if len(row) != 2 || !same(y, want.value) || !same(row[0], y) || !same(row[1], y) {
				t.Errorf("PlainRows has %x and %x of %s, Float %x", y, row, want.text, want.value)
			}
		}
		read += rows.Len()
		numbers = numbers[rows.Len():]
		if at < len(text) { // a line that is not plain
			at += bytes.IndexByte(text[at:], '\n') + 1
			numbers = numbers[1:]
		}
	}
	if simd.Current() >= simd.AVX2 && read < batch/8 {
		t.Errorf("only %d rows of %d numbers are plain", read, batch)
	}
}

// writeMany writes a batch of numbers.
func writeMany(t *testing.T, c *clib, source tokens, strict bool) int {
	texts := make([]byte, 0, 24*batch)
	questions := make([]byte, 0, 32*batch)
	var b []byte
	for range batch {
		x, prec := source.value(), []int{6, 6, 8, 17, 17, source.IntN(20)}[source.IntN(6)]
		questions = strconv.AppendInt(append(questions, "g "...), int64(prec), 10)
		questions = append(strconv.AppendUint(append(questions, ' '), math.Float64bits(x), 16), '\n')
		from := len(texts)
		texts = textscan.AppendG(texts, x, prec)
		if strict {
			if want := strconv.FormatFloat(x, 'g', prec, 64); string(texts[from:]) != want {
				t.Errorf("%%.%dg of %x is %s, strconv has %s", prec, x, texts[from:], want)
			}
			prec := source.IntN(10)
			b = textscan.AppendF(b[:0], x, prec)
			if want := strconv.FormatFloat(x, 'f', prec, 64); string(b) != want {
				t.Errorf("%%.%df of %x is %s, strconv has %s", prec, x, b, want)
			}
		}
		texts = append(texts, '\n')
	}
	if c == nil {
		return 0
	}
	answers, err := c.bulk(questions)
	if err != nil {
		t.Error(err)
		return 0
	}
	for len(questions) > 0 && !bytes.Equal(texts, answers) {
		var question, text, answer []byte
		question, questions, _ = bytes.Cut(questions, []byte{'\n'})
		text, texts, _ = bytes.Cut(texts, []byte{'\n'})
		answer, answers, _ = bytes.Cut(answers, []byte{'\n'})
		if !bytes.Equal(text, answer) {
			t.Errorf("%s is %s, C has %s", question, text, answer)
		}
	}
	return 0
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
		if t.IntN(4) > 0 {
			return strconv.FormatFloat(t.double(), 'e', t.IntN(18), 64)
		}
		return strconv.FormatFloat(t.subnormal(), 'g', 1+t.IntN(18), 64)
	case 10:
		return sign + t.digits(1+t.IntN(12)) + "." + t.digits(t.IntN(12))
	}
	return sign + t.digits(1+t.IntN(25)) + t.pick("", ".", "."+t.digits(t.IntN(25)))
}

// cutHalf is the middle of two doubles to so many digits, or beside it.
func (t tokens) cutHalf(digits int) string {
	v := math.Ldexp(1+t.Float64(), t.IntN(120)-60)
	if t.IntN(32) == 0 {
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
