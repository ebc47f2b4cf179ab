package scale

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// decimalText returns a random number as data files have it, of a kind.
func decimalText(rnd *rand.Rand, kind int) string {
	switch kind {
	case 0:
		return strconv.Itoa(rnd.IntN(256))
	case 1:
		return strconv.FormatFloat(rnd.NormFloat64(), 'g', 6, 64)
	case 2:
		return strconv.FormatFloat(100*rnd.NormFloat64(), 'f', rnd.IntN(5), 64)
	case 3:
		return strconv.FormatFloat(rnd.NormFloat64(), 'g', 17, 64)
	case 4:
		return []string{"2147483647", "-2147483648", "2147483648", "-2147483649", "1e300", "-1e300", "4e-9", "1e-10", "5e-324", "-0", "0", "4.5e15"}[rnd.IntN(12)]
	case 5:
		return []string{"-32768", "32767", "32768", "-32769"}[rnd.IntN(4)]
	case 6:
		return strconv.FormatFloat(float64(rnd.IntN(1<<(8+12*rnd.IntN(2))))/10, 'f', 1, 64)
	}
	return "1"
}

// Rows come back from where they are packed as they were, to the bit, whatever their numbers are, in
// the same memory for all. Those that are as most data take less.
func TestPacked(t *testing.T) {
	defer simd.Use(simd.Best())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		rnd, lengths := rand.New(rand.NewPCG(5, 1)), rand.New(rand.NewPCG(5, 2))
		arena := new(pages.Arena)
		defer arena.Release()
		var packer Packer
		var all []*Rows
		var packed []*Packed
		small, steps, bytes, tall := 0, 0, 0, 0
		for range 600 {
			// a few of another kind among many of one
			kind, other, odd := rnd.IntN(8), rnd.IntN(8), rnd.IntN(3)*rnd.IntN(20)
			number := func() float64 {
				k := kind
				if rnd.IntN(1000) < odd {
					k = other
				}
				v, err := strconv.ParseFloat(decimalText(rnd, k), 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			r := &Rows{Starts: []int32{0}}
			length, alike := lengths.IntN(60), lengths.IntN(3) == 0
			for range rnd.IntN(40) {
				r.Labels = append(r.Labels, float64(rnd.IntN(3)))
				if rnd.IntN(500) == 0 {
					r.Labels[len(r.Labels)-1] = rnd.NormFloat64()
				}
				if alike && len(r.Lists) > 0 {
					r.Lists = append(r.Lists, r.Lists[0])
					for range length {
						r.Value = append(r.Value, number())
					}
					r.Starts = append(r.Starts, int32(len(r.Value)))
					continue
				}
				r.Lists = append(r.Lists, int32(len(r.Index)))
				index := int32(0)
				if !alike {
					length = rnd.IntN(60)
				}
				for range length {
					index += int32(1 + rnd.IntN(3))
					if rnd.IntN(20000) == 0 {
						index = math.MaxInt32
					}
					r.Index, r.Value = append(r.Index, index), append(r.Value, number())
				}
				r.Starts = append(r.Starts, int32(len(r.Value)))
			}
			r.Ones = len(r.Value) > 0 && !slices.ContainsFunc(r.Value, func(v float64) bool { return v != 1 })
			p := packer.Pack(r, arena)
			if len(r.Value) > 100 && p.Bytes() < 8*len(r.Value) {
				small++
			}
			if p.starts.steps > 0 && p.lists.steps > 0 {
				steps++
			}
			if p.value.wholes.small != nil {
				bytes++
			}
			if p.value.wholes.tall != nil {
				tall++
			}
			all, packed = append(all, r), append(packed, p)
		}
		if l > simd.Portable && small < 100 {
			t.Errorf("%v: only %d of 600 take little memory", l, small)
		}
		if steps < 100 {
			t.Errorf("%v: only %d of 600 have rows of one list", l, steps)
		}
		if l > simd.Portable && bytes < 20 || hasTalls() && tall < 20 {
			t.Errorf("%v: only %d of 600 have values in bytes, %d tall ones", l, bytes, tall)
		}
		got, views := new(Rows), 0
		for i, want := range all {
			if packed[i].View(new(Rows)) {
				views++
			}
			packed[i].Rows(got)
			if !slices.EqualFunc(got.Labels, want.Labels, sameBits) || !slices.EqualFunc(got.Value, want.Value, sameBits) ||
				!slices.Equal(got.Lists, want.Lists) || !slices.Equal(got.Starts, want.Starts) || !slices.Equal(got.Index, want.Index) || got.Ones != want.Ones {
				t.Fatalf("%v: rows %d: got %v, want %v", l, i, got, want)
			}
			if view := new(Rows); packed[i].View(view) && (!slices.EqualFunc(view.Labels, want.Labels, sameBits) ||
				!slices.EqualFunc(view.Value, want.Value, sameBits) || !slices.Equal(view.Lists, want.Lists) ||
				!slices.Equal(view.Starts, want.Starts) || !slices.Equal(view.Index, want.Index) || view.Ones) {
				t.Fatalf("%v: rows %d as they are: got %v, want %v", l, i, view, want)
			}
		}
		if views < 100 {
			t.Errorf("%v: only %d of 600 are seen as they are", l, views)
		}
	}
}

// Where numbers of one data set are written with few digits and then with many, or the other way
// round, it is found out anew.
func TestDecimals(t *testing.T) {
	if !vectors() {
		t.Skip("numbers are not packed")
	}
	d := new(decimals)
	dst := make([]int32, 3)
	for _, c := range []struct {
		x     []float64
		scale float64 // 0: not packed
	}{
		{[]float64{1, 2, 3}, 1},
		{[]float64{1, 2.5, 3.25}, 100},
		{[]float64{7, 8, 9}, 100},
		{[]float64{1e8, 2, 3}, 1},       // beyond with two places
		{[]float64{1e8, 2.5, 3}, 10},    // one more than there were
		{[]float64{1e9, 2.5, 3}, 0},     // both are not possible
		{[]float64{0.1, 1e-9, 2}, 1e9},  // the most places
		{[]float64{0.1, 1e-10, 2}, 0},   // and one more
		{[]float64{math.Pi, 1, 2}, 0},   // many digits
		{[]float64{1, 2, 0.3}, 10},      // after all
		{[]float64{5, 6, 7, 8}[:0], 10}, // nothing
	} {
		scale, ok := d.wholes(dst[:len(c.x)], c.x)
		if ok != (c.scale > 0) || ok && scale != c.scale {
			t.Errorf("%v: %g, %v, want %g", c.x, scale, ok, c.scale)
		}
		for k, v := range c.x {
			if ok && float64(dst[k])/scale != v {
				t.Errorf("%v: %d/%g", v, dst[k], scale)
			}
		}
	}
	for range 3 * mostUnpacked {
		d.wholes(dst, []float64{1, math.Pi, 2})
	}
	if _, ok := d.wholes(dst, []float64{1, 2, 3}); ok {
		t.Error("it is still tried")
	}
}

// Steps of packing are alike with all instructions, from every length, and write nothing behind.
func TestPacking(t *testing.T) {
	defer simd.Use(simd.Best())
	rnd := rand.New(rand.NewPCG(5, 2))
	const guard = 77
	for n := range 130 {
		for range 20 {
			kind, scale, base := rnd.IntN(6), powers10[rnd.IntN(mostPlaces+1)], []int32{0, math.MinInt16}[rnd.IntN(2)]
			reals, wholes, halves := make([]float64, n), make([]int32, n), make([]uint16, n)
			for i := range n {
				k := kind
				if rnd.IntN(200) == 0 {
					k = 4
				}
				reals[i], _ = strconv.ParseFloat(decimalText(rnd, k), 64)
				wholes[i], halves[i] = base+int32(rnd.IntN(1<<16)), uint16(rnd.Uint32())
				if rnd.IntN(200) == 0 {
					wholes[i] = []int32{base - 1, base + 1<<16, math.MinInt32, math.MaxInt32}[rnd.IntN(4)]
				}
			}
			type outcome struct {
				wholes, back []int32
				halves       []uint16
				reals        []float64
				done, halved int
			}
			var want outcome
			for l := simd.Portable; l <= simd.Best(); l++ {
				simd.Use(l)
				got := outcome{slices.Repeat([]int32{guard}, n+16), slices.Repeat([]int32{guard}, n+16), slices.Repeat([]uint16{guard}, n+16), slices.Repeat([]float64{guard}, n+16), 0, 0}
				got.done = wholesOfReals(got.wholes[:n], reals, scale)
				got.halved = halvesOfWholes(got.halves[:n], wholes, base)
				wholesOfHalves(got.back[:n], halves, base)
				realsOfWholes(got.reals[:n], wholes, scale)
				if got.done < n { // what was not done may be anything
					clear(got.wholes[got.done:n])
				}
				if got.halved < n {
					clear(got.halves[got.halved:n])
				}
				if l == simd.Portable {
					want = got
				}
				if got.done != want.done || got.halved != want.halved || !slices.Equal(got.wholes, want.wholes) || !slices.Equal(got.back, want.back) ||
					!slices.Equal(got.halves, want.halves) || !slices.EqualFunc(got.reals, want.reals, sameBits) {
					t.Fatalf("%v, scale %g, base %d: of %v and %v\n got %v\nwant %v", l, scale, base, reals, wholes, got, want)
				}
				if got.wholes[n] != guard || got.back[n] != guard || got.halves[n] != guard || got.reals[n] != guard {
					t.Fatalf("%v, %d numbers: more is written", l, n)
				}
			}
			// the first numbers in place, as packing does
			same := lentTwice(wholes)
			if done := halvesOfWholes(same.halves, same.wholes, base); done != want.halved || !slices.Equal(same.halves[:done], want.halves[:done]) {
				t.Fatalf("in place: %d, %v, want %d, %v", done, same.halves, want.halved, want.halves[:n])
			}
		}
	}
}

type twice struct {
	wholes []int32
	halves []uint16
}

// lentTwice returns wholes and halves in the same memory.
func lentTwice(wholes []int32) twice {
	arena := new(pages.Arena)
	s := twice{scratch[int32](arena, len(wholes)), scratch[uint16](arena, len(wholes))}
	copy(s.wholes, wholes)
	return s
}

// Quotients of whole numbers and powers of ten are those of a division, to the bit. With
// SLIMSVM_ALL_WHOLES=1 of all that have 32 bits, which takes a minute or two.
func TestQuotients(t *testing.T) {
	const at = 1 << 12
	rnd := rand.New(rand.NewPCG(8, 8))
	wholes, reals := make([]int32, at), make([]float64, at)
	compare := func(scale float64) {
		realsOfWholes(reals, wholes, scale)
		for k, w := range wholes {
			if want := float64(w) / scale; !sameBits(reals[k], want) {
				t.Fatalf("%d/%g is %v, want %v", w, scale, reals[k], want)
			}
		}
	}
	all := os.Getenv("SLIMSVM_ALL_WHOLES") == "1"
	if !all {
		t.Log("not of all numbers: SLIMSVM_ALL_WHOLES is not 1")
	}
	for _, scale := range powers10 {
		for first := int64(math.MinInt32); first <= math.MaxInt32; first += at {
			if !all && rnd.IntN(1<<12) > 0 && first != math.MinInt32 && first != -at && first != 0 && first+at <= math.MaxInt32 {
				continue
			}
			for k := range wholes {
				wholes[k] = int32(first + int64(k))
			}
			compare(scale)
		}
		for range 20 {
			for k := range wholes {
				wholes[k] = int32(rnd.Uint32()) >> rnd.IntN(32)
			}
			compare(scale)
		}
	}
}
