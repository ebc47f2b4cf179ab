package models

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: features of many data sets have few different values, since they were counted,
// measured or rounded. To copy a text takes a fraction of the time of making it.

// texts are those of values that were written. The zero value is ready; nil has none.
type texts struct {
	places [textPlaces]struct {
		bits uint64
		text [longestFeature]byte
		size uint8 // of the text; 0: there is none
	}
	debt int // from textDebt on texts are too rarely there to look for them
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

// spread is a factor that spreads what is in bits in the highest ones.
const spread = 0x9e3779b97f4a7c15

// pay reports whether texts are to be looked for.
func (t *texts) pay() bool { return t != nil && t.debt < textDebt }

// append appends a feature's value as C's printf("%.8g") writes it.
func (t *texts) append(b []byte, x float64) []byte {
	bits := math.Float64bits(x)
	p, n := &t.places[bits*spread/(1<<64/textPlaces)], len(b)
	if p.bits == bits && p.size > 0 {
		t.debt--
		b = slices.Grow(b, longestFeature)
		*(*[longestFeature]byte)(b[n : n+longestFeature]) = p.text
		return b[:n+int(p.size)]
	}
	t.debt += textLoss
	b = textscan.AppendG(b, x, featureDigits)
	p.bits, p.size = bits, uint8(copy(p.text[:], b[n:]))
	return b
}
