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

// Problem: features of many data sets have few different values, because they were counted, or few
// digits, because they were measured or rounded. Copying a text takes a fraction of the time of
// making it, and making many texts of six digits at once is as fast as copying.

// texts are those of values that were written, and of indices. nil has none. No page of memory is read before it
// is written to: see pages.Touch.
type texts struct {
	names []textscan.Name // by index, with the colon; 0: not made yet

	pairs    []pairText // by index
	pairDebt int        // from pairsDebt on there are none

	sixDebt int // from sixesDebt on values have too many digits to be written many at once
	sixes   textscan.Sixes
	x       [textscan.SixesAtOnce]float64
	named   [textscan.SixesAtOnce]textscan.Name

	debt   int               // from textDebt on texts are too rarely there to look for them
	sizes  [textPlaces]uint8 // of the texts; 0: there is none, and nothing to be read in its place
	places [textPlaces]struct {
		bits uint64
		text [longestFeature]byte
	}
}

const (
	textPlaces     = 1 << 11
	manyFeatures   = 2 * textPlaces // from as many on texts are kept
	longestFeature = len("-1.2345678e-308")

	// A text that is not there costs the time that so many save that are.
	textLoss = 2
	// With the first thousands of values of data sets in which most come again the debt
	// stays below half of this.
	textDebt = 1 << 10
)

// A pairText is what was written last of an index.
type pairText struct {
	bits uint64 // of the value
	text [pairBytes]byte
	size uint8 // of the text; 0: there is none
}

const (
	pairBytes = 23
	mostPairs = 1 << 12 // whose texts are kept

	// A text that is there saves as much time as it costs to keep so many that are not.
	pairGain  = 4
	pairsDebt = 1 << 12

	// Where many texts are made at once it saves a fifth of that.
	pairLoss = 5
)

const (
	mostNames = 1 << 14 // that are kept

	// A value that is written by itself takes as long as so many that are written at once take less.
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

// spread is a factor that spreads what is in bits in the highest ones.
const spread = 0x9e3779b97f4a7c15

// pay reports whether texts are to be looked for.
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

// appendPairs appends what lines of vectors list: each feature's index, a colon, its value as append
// writes it, and a blank.
func (t *texts) appendPairs(b []byte, v vec.Vector) []byte {
	if t.pairDebt >= pairsDebt {
		for len(v.Index) > textscan.SixesAtOnce {
			b = t.appendMany(b, v.Index[:textscan.SixesAtOnce], v.Value)
			v.Index, v.Value = v.Index[textscan.SixesAtOnce:], v.Value[textscan.SixesAtOnce:]
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

// keepPair keeps the text of a feature.
func (t *texts) keepPair(text []byte, index int32, x float64) {
	if uint(index) >= mostPairs || len(text) > pairBytes {
		return
	}
	if have := len(t.pairs); int(index) >= have {
		t.pairs = slices.Grow(t.pairs, int(index)+1-have)
		t.pairs = t.pairs[:cap(t.pairs)]
		clear(t.pairs[have:]) // which writes to all pages
	}
	p := &t.pairs[index]
	p.bits, p.size = math.Float64bits(x), uint8(copy(p.text[:], text))
}

// appendPair appends a feature as appendPairs does.
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

// name returns the name of a feature, or 0 if it has none that is kept.
func (t *texts) name(index int32) textscan.Name {
	if uint(index) >= uint(len(t.names)) {
		if uint(index) >= mostNames {
			return 0
		}
		have := len(t.names)
		t.names = slices.Grow(t.names, int(index)+1-have)
		t.names = t.names[:cap(t.names)]
		clear(t.names[have:]) // which writes to all pages
	}
	name := &t.names[index]
	if *name == 0 {
		var room [8]byte
		*name = textscan.NewName(append(textscan.AppendInt(room[:0], int64(index)), ':'))
	}
	return *name
}

// appendMany is appendPairs for up to SixesAtOnce indices and their values, of which those with six digits are
// written at once.
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
	t.sixes.SetEights(&t.x, n)
	apart := 0
	for k, end := 0, -1; ; k++ {
		// up to a number without text or name, or a 0, which AppendNamed would leave out
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
