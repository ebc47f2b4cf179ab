package csvfmt

import (
	"strconv"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// A Lossy describes a Numeric column in which some cell has digits that its number does not keep:
// 007, or a whole number beyond float64's precision. The text is often a code. [Reader.KeepTexts]
// keeps it.
type Lossy struct {
	Attribute    int // position of the column
	Line, Column int // of the first such cell
	Text         string
}

// Lossy returns the lossy columns. They are known after Header.
func (r *Reader) Lossy() []Lossy {
	var all []Lossy
	for k := range r.survey.columns {
		if c := &r.survey.columns[k]; c.lossy != "" && !r.isText(k) {
			all = append(all, Lossy{k, c.lossyAt.line, c.lossyAt.column, c.lossy})
		}
	}
	return all
}

// surelyKept is the number of decimal digits that always survive the way to float64 and
// back.
const surelyKept = 15

// mayLose reports whether a number, whose text is not empty, may have digits that get
// lost. It is asked of every cell.
func mayLose(b []byte) bool {
	if c := b[0]; c < '0' && (c == '-' || c == '+') && len(b) > 1 {
		b = b[1:]
	}
	return len(b) > surelyKept || b[0] == '0' && len(b) > 1 && b[1] != '.'
}

// noteLost keeps the cell b of column k, a number, as the first of its column whose
// digits get lost, if they do.
func (s *survey) noteLost(k int, b []byte, r *records, at int) {
	if c := &s.columns[k]; c.lossy == "" && losesDigits(b) {
		c.lossy, c.lossyAt = string(clip(b)), r.place(at)
	}
}

// losesDigits reports whether b is digits, perhaps with a sign, of which a float64 does
// not bring all back.
func losesDigits(b []byte) bool {
	if b[0] == '-' || b[0] == '+' {
		b = b[1:]
	}
	if !digitsOnly(b) || len(b) < 2 {
		return false
	}
	v, _, _ := textscan.Float(b)
	return b[0] == '0' || strconv.FormatFloat(v, 'f', 0, 64) != string(b)
}
