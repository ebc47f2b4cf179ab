package scale

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// wordless are numbers that have no word.
var wordless = []float64{math.Copysign(0, -1), math.Pi, 1.0 / 3, 134217728, -134217728, 1e9, 1e15, 1e300, 0x1p31, -0x1p31, 0x1p63, math.MaxFloat64,
	1e-16, 1e-300, 5e-324, 0.30000000000000004, 123456789.5, math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(math.Float64bits(0.1) + 1)}

// shortDecimals returns numbers of up to eight digits, with the point before, in and behind them.
func shortDecimals(t *testing.T, rnd *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		whole := rnd.Int64N(int64(math.Pow10(1 + rnd.IntN(8))))
		var err error
		if x[i], err = strconv.ParseFloat(strconv.FormatInt(whole, 10)+"e-"+strconv.Itoa(rnd.IntN(16)), 64); err != nil {
			t.Fatal(err)
		}
		if x[i] != 0 && rnd.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	return x
}

// All numbers of up to eight digits with up to fifteen behind the point have words, of which they
// come back to the bit, from every length; others end them; nothing behind is written.
func TestWords(t *testing.T) {
	for _, v := range append(slices.Clone(wordless), 0) {
		if word, ok := wordOfReal(v); ok != (v == 0 && !math.Signbit(v)) {
			t.Errorf("%g: %#x, %v", v, word, ok)
		}
	}
	if !hasWords() {
		t.Skip("numbers are not packed as words")
	}
	rnd := rand.New(rand.NewPCG(29, 1))
	const guard = 77
	for n := range 200 {
		for round := range 200 {
			x := shortDecimals(t, rnd, n)
			at := -1
			if n > 0 && round%4 == 0 {
				at = rnd.IntN(n)
				x[at] = wordless[rnd.IntN(len(wordless))]
			}
			words := slices.Repeat([]int32{guard}, n+16)
			done := wordsOfReals(words[:n], x)
			if at < 0 && done != n || at >= 0 && (done > at || done < at&^7) {
				t.Fatalf("%d of %d have words, %d has none: %v", done, n, at, x)
			}
			reals := slices.Repeat([]float64{guard}, n+16)
			realsOfWords(reals[:done], words[:done])
			for k, v := range x[:done] {
				if !sameBits(reals[k], v) || !sameBits(realOfWord(words[k]), v) {
					t.Fatalf("%g comes back as %g and %g", v, reals[k], realOfWord(words[k]))
				}
			}
			if slices.ContainsFunc(words[n:], func(w int32) bool { return w != guard }) || slices.ContainsFunc(reals[done:], func(v float64) bool { return v != guard }) {
				t.Fatalf("%d numbers, %d done: what is behind is written", n, done)
			}
		}
	}
}

// Rows of such numbers take half of the memory, and come back.
func TestPackedWords(t *testing.T) {
	if !hasWords() {
		t.Skip("numbers are not packed as words")
	}
	rnd := rand.New(rand.NewPCG(29, 2))
	arena, packer := new(pages.Arena), new(Packer)
	defer arena.Release()
	for round := range 100 {
		n := 200 + rnd.IntN(400)
		r := &Rows{Labels: make([]float64, n), Lists: make([]int32, n), Starts: []int32{0}, Index: []int32{1, 2}, Value: shortDecimals(t, rnd, 2*n)}
		for i := range n {
			r.Starts = append(r.Starts, int32(2*i+2))
		}
		if round%3 == 0 {
			r.Value[rnd.IntN(2*n)] = math.Pi
		}
		p := packer.Pack(r, arena)
		if words := p.value.words != nil; words != (round%3 > 0) || words && p.Bytes() > 4*2*n+2*n {
			t.Fatalf("round %d: %d numbers take %d bytes, as words %v", round, 2*n, p.Bytes(), words)
		}
		got := new(Rows)
		if p.View(got) == (round%3 > 0) {
			t.Fatalf("round %d: words are not as they are", round)
		}
		if p.Rows(got); !slices.EqualFunc(got.Value, r.Value, sameBits) {
			t.Fatalf("round %d: %v, want %v", round, got.Value, r.Value)
		}
	}
}
