package models

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// Problem: write the many features of a model in little time.
//
// Method: features of many data sets have few different values, because they were counted, or few
// digits, because they were measured or rounded. Copying a text takes a fraction of the time of
// making it, so texts are kept. Making many texts of six digits at once is as fast as copying.

// texts keeps the texts of values and indices that were written. A nil texts keeps nothing. It
// writes to each page of its memory before it reads it: see pages.Touch.
type texts struct {
	names []textscan.Name // name of each index, including the colon; 0: not made yet

	pairs    []pairText // by index: the last value written and its text
	pairDebt int        // if it reaches pairsDebt, pairs are no longer used

	sixDebt int // if it reaches sixesDebt, values have too many digits to be written many at once
	sixes   textscan.SixDigits
	x       [textscan.SixDigitsLen]float64
	named   [textscan.SixDigitsLen]textscan.Name

	debt   int               // if it reaches textDebt, texts are found too rarely to look for them
	sizes  [textPlaces]uint8 // length of each text; 0: there is none, and its place is not read
	places [textPlaces]struct {
		bits uint64
		text [longestFeature]byte
	}
}

const (
	textPlaces     = 1 << 11
	manyFeatures   = 2 * textPlaces // number of features from which texts are kept
	longestFeature = len("-1.2345678e-308")

	// A text that is not found costs as much time as this many found texts save.
	textLoss = 2
	// With data sets in which most of the first thousands of values repeat, the debt stays below
	// half of this.
	textDebt = 1 << 10
)

// A pairText is the last text that was written for an index.
type pairText struct {
	bits uint64 // bits of the value
	text [pairBytes]byte
	size uint8 // length of the text; 0: there is none
}

const (
	pairBytes = 23
	mostPairs = 1 << 12 // number of indices whose texts are kept

	// A text that is found saves as much time as it costs to keep this many that are not found.
	pairGain  = 4
	pairsDebt = 1 << 12

	// If many texts are made at once, a text that is not found costs as much time as this many
	// found texts save.
	pairLoss = 5
)

const (
	mostNames = 1 << 14 // number of names that are kept

	// Writing a value by itself costs as much additional time as this many values save when they
	// are written together.
	sixLoss   = 2
	sixesDebt = 1 << 11
)

func newTexts() *texts {
	t := new(texts)
	pages.Touch(t.sizes[:])
	if simd.Current() < simd.AVX2 {
		t.sixDebt = sixesDebt
	}
	return t
}

// spread is a factor that makes the highest bits of a product depend on all bits.
const spread = 0x9e3779b97f4a7c15

// pay reports whether looking for texts pays.
func (t *texts) pay() bool { return t != nil && t.debt < textDebt }

// append appends a feature's value as C's printf("%.8g") writes it.
func (t *texts) append(b []byte, x float64) []byte {
	bits := math.Float64bits(x)
	k, n := bits*spread/(1<<64/textPlaces), len(b)
	p, size := &t.places[k], &t.sizes[k]
	if *size > 0 && p.bits == bits {
		t.debt--
		b = slices.Grow(b, longestFeature)
		*(*[longestFeature]byte)(b[n : n+longestFeature]) = p.text
		return b[:n+int(*size)]
	}
	t.debt += textLoss
	b = textscan.AppendG(b, x, featureDigits)
	p.bits, *size = bits, uint8(copy(p.text[:], b[n:]))
	return b
}

// appendPairs appends the features of a vector's line: for each the index, a colon, the value as
// append writes it, and a blank.
func (t *texts) appendPairs(b []byte, v vec.Vector) []byte {
	if t.pairDebt >= pairsDebt {
		for len(v.Index) > textscan.SixDigitsLen {
			b = t.appendMany(b, v.Index[:textscan.SixDigitsLen], v.Value)
			v.Index, v.Value = v.Index[textscan.SixDigitsLen:], v.Value[textscan.SixDigitsLen:]
		}
		return t.appendMany(b, v.Index, v.Value)
	}
	misses := 0
	for k, index := range v.Index {
		x := v.Value[k]
		if uint(index) < uint(len(t.pairs)) {
			if p := &t.pairs[index]; p.bits == math.Float64bits(x) && p.size > 0 {
				n := len(b)
				b = slices.Grow(b, pairBytes)
				*(*[pairBytes]byte)(b[n : n+pairBytes]) = p.text
				b = b[:n+int(p.size)]
				continue
			}
		}
		misses++
		n := len(b)
		b = t.appendPair(b, index, x)
		t.keepPair(b[n:], index, x)
	}
	hits := len(v.Index) - misses
	if t.sixDebt < sixesDebt {
		misses *= pairLoss
	} else {
		hits *= pairGain
	}
	if t.pairDebt += misses - hits; t.pairDebt >= pairsDebt {
		t.pairs = nil
	}
	return b
}

// keepPair keeps the text of an index and value.
func (t *texts) keepPair(text []byte, index int32, x float64) {
	if uint(index) >= mostPairs || len(text) > pairBytes {
		return
	}
	if have := len(t.pairs); int(index) >= have {
		t.pairs = slices.Grow(t.pairs, int(index)+1-have)
		t.pairs = t.pairs[:cap(t.pairs)]
		clear(t.pairs[have:]) // writes to all pages
	}
	p := &t.pairs[index]
	p.bits, p.size = math.Float64bits(x), uint8(copy(p.text[:], text))
}

// appendPair appends one feature in the form of appendPairs.
func (t *texts) appendPair(b []byte, index int32, x float64) []byte {
	if name := t.name(index); name == 0 {
		b = append(textscan.AppendInt(b, int64(index)), ':')
	} else {
		n := len(b)
		b = binary.LittleEndian.AppendUint64(b, uint64(name))[:n+int(name>>56)]
	}
	if t.pay() {
		b = t.append(b, x)
	} else {
		b = textscan.AppendG(b, x, featureDigits)
	}
	return append(b, ' ')
}

// name returns the name of an index, or 0 if the name is not kept.
func (t *texts) name(index int32) textscan.Name {
	if uint(index) >= uint(len(t.names)) {
		if uint(index) >= mostNames {
			return 0
		}
		have := len(t.names)
		t.names = slices.Grow(t.names, int(index)+1-have)
		t.names = t.names[:cap(t.names)]
		clear(t.names[have:]) // writes to all pages
	}
	name := &t.names[index]
	if *name == 0 {
		var room [8]byte
		*name = textscan.NewName(append(textscan.AppendInt(room[:0], int64(index)), ':'))
	}
	return *name
}

// appendMany is appendPairs for up to SixesAtOnce features. It writes values of six digits many at
// once.
func (t *texts) appendMany(b []byte, indices []int32, values []float64) []byte {
	n := len(indices)
	values = values[:n]
	if t.sixDebt >= sixesDebt {
		for k, index := range indices {
			b = t.appendPair(b, index, values[k])
		}
		return b
	}
	x, named := t.x[:n], t.named[:n]
	copy(x, values)
	for k, index := range indices {
		if uint(index) < uint(len(t.names)) && t.names[index] != 0 {
			named[k] = t.names[index]
		} else {
			named[k] = t.name(index)
		}
	}
	t.sixes.SetEightDigits(&t.x, n)
	apart := 0
	for k, end := 0, -1; ; k++ {
		// up to a number without text or name, or up to a 0, which AppendNamed would leave out
		if end < k {
			for end = k; end < n && values[end] != 0; end++ {
			}
		}
		b, k, _, _ = t.sixes.AppendNamed(b, &t.x, &t.named, k, end, nil, nil)
		if k == n {
			break
		}
		b = t.appendPair(b, indices[k], values[k])
		apart++
	}
	t.sixDebt = max(t.sixDebt+sixLoss*apart-(n-apart), -sixesDebt)
	return b
}
