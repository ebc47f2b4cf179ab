package models

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: features of many data sets have few different values, since they were counted,
// measured or rounded. To copy a text takes a fraction of the time of making it.

// texts are those of values that were written. nil has none. No page of memory is read before it
// is written to: see pages.Touch.
type texts struct {
	pairs    []pairText // by index
	pairDebt int        // from pairsDebt on there are none

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
)

func newTexts() *texts {
	t := new(texts)
	pages.Touch(t.sizes[:])
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
		b = t.appendPair(b, index, x)
	}
	if t.pairDebt < pairsDebt {
		t.pairDebt += misses - pairGain*(len(v.Index)-misses)
		if t.pairDebt >= pairsDebt {
			t.pairs = nil
		}
	}
	return b
}

// appendPair appends a feature as appendPairs does, and keeps the text.
func (t *texts) appendPair(b []byte, index int32, x float64) []byte {
	n := len(b)
	b = append(textscan.AppendInt(b, int64(index)), ':')
	if t.pay() {
		b = t.append(b, x)
	} else {
		b = textscan.AppendG(b, x, featureDigits)
	}
	b = append(b, ' ')
	if t.pairDebt >= pairsDebt || uint(index) >= mostPairs || len(b)-n > pairBytes {
		return b
	}
	if have := len(t.pairs); int(index) >= have {
		t.pairs = slices.Grow(t.pairs, int(index)+1-have)
		t.pairs = t.pairs[:cap(t.pairs)]
		clear(t.pairs[have:]) // which writes to all pages
	}
	p := &t.pairs[index]
	p.bits, p.size = math.Float64bits(x), uint8(copy(p.text[:], b[n:]))
	return b
}
