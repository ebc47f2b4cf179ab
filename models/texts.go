package models

import (
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec/pages"
)

// Problem: features of many data sets have few different values, since they were counted,
// measured or rounded. To copy a text takes a fraction of the time of making it.

// texts are those of values that were written. nil has none. No page of memory is read before it
// is written to: see pages.Touch.
type texts struct {
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
