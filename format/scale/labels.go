package scale

import (
	"math"
	"math/bits"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// Problem: labels are written with 17 digits, which takes as long as several values with six. But
// labels of classes are few, and those of regressions are often rounded, or counts, and occur
// again.
//
// Method: the text of a label is kept in a table, at a place that the label's bits tell. The table
// is larger where many labels come again, as long as that finds some.

// A labelText is the text of a label that came before, and its blank.
type labelText struct {
	bits uint64
	text [55]byte // AppendG wants more room than it uses
	size uint8    // 0: there is none
}

// labelTexts are texts of labels that came before.
type labelTexts struct {
	kept           []labelText // a power of two
	shift          int         // of what bits are spread to, to the number of a place
	looked, missed int         // how often, with so many places
	due            int         // misses that the number of places is looked at after; 0: never
}

const (
	fewLabels  = 1 << 6  // places for classes
	mostLabels = 1 << 14 // a megabyte
	moreLabels = 1 << 4  // times as many
)

func newLabelTexts() (l labelTexts) {
	l.room(fewLabels)
	return l
}

// room makes it so many places, a power of two, without texts.
func (l *labelTexts) room(n int) {
	l.kept, l.shift = make([]labelText, n), 64-bits.Len(uint(n-1))
	l.looked, l.missed, l.due = 0, 0, 2*n
}

// change makes other places if texts that were wanted were not there too often. Those that text has
// returned stay as they are.
func (l *labelTexts) change() {
	looked, n := l.looked, len(l.kept)
	l.looked, l.missed = 0, 0
	switch {
	case n == mostLabels && 4*l.due > 3*looked:
		l.room(fewLabels)
		l.due = 0
	case n < mostLabels && 2*l.due > looked:
		l.room(n * moreLabels)
	}
}

// place returns where the text of a label of some bits is, if it is there.
func (t *labelTexts) place(x uint64) *labelText { return &t.kept[x*spreadBits>>(t.shift&63)] }

// text returns the text of a label as it is, and a blank, which is made if it is not there.
func (t *labelTexts) text(y float64) *labelText {
	x := math.Float64bits(y)
	l := t.place(x)
	t.looked++
	if l.bits != x || l.size == 0 {
		l.bits = x
		text := textscan.AppendG(l.text[:0], y, 17) // for which there is room
		l.text[len(text)] = ' '
		l.size = uint8(len(text) + 1)
		if t.missed++; t.missed == t.due {
			t.change()
		}
	}
	return l
}

// has reports whether the text of a label is there.
func (t *labelTexts) has(y float64) bool {
	x := math.Float64bits(y)
	l := t.place(x)
	return l.bits == x && l.size > 0
}

// usualLabel is how many bytes the texts have that are copied in one go.
const usualLabel = 24

// appendLabel appends a label as it is, and a blank.
func (p *Printer) appendLabel(dst []byte, y float64) []byte {
	l := p.labels.text(y)
	if n := len(dst); l.size <= usualLabel && cap(dst)-n >= usualLabel {
		*(*[usualLabel]byte)(dst[n : n+usualLabel]) = *(*[usualLabel]byte)(l.text[:usualLabel])
		return dst[:n+int(l.size)]
	}
	return append(dst, l.text[:l.size]...)
}
