package formattest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
)

// same returns nil when two ways of reading came to the same.
func same(want, got outcome) error {
	if err := sameRows(want.rows, got.rows); err != nil {
		return err
	}
	if message(want.err) != message(got.err) {
		return fmt.Errorf("ends with %s, want %s", message(got.err), message(want.err))
	}
	return nil
}

func message(err error) string {
	if err == nil {
		return "no error"
	}
	return fmt.Sprintf("error %q", err.Error())
}

// sameRows returns nil when two lists of rows are equal.
func sameRows(want, got []format.Instance) error {
	for i := range min(len(want), len(got)) {
		if err := sameRow(want[i], got[i]); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("%d rows, want %d", len(got), len(want))
	}
	return nil
}

// sameRow returns nil when two rows are equal, to the last bit.
func sameRow(want, got format.Instance) error {
	switch {
	case !sameFloat(want.Y, got.Y):
		return fmt.Errorf("label %v, want %v", got.Y, want.Y)
	case !sameFloat(want.Weight, got.Weight):
		return fmt.Errorf("weight %v, want %v", got.Weight, want.Weight)
	}
	for k := range min(len(want.X.Index), len(got.X.Index)) {
		if want.X.Index[k] != got.X.Index[k] || !sameFloat(want.X.Value[k], got.X.Value[k]) {
			return fmt.Errorf("entry %d is %d:%v, want %d:%v", k+1,
				got.X.Index[k], got.X.Value[k], want.X.Index[k], want.X.Value[k])
		}
	}
	if len(want.X.Index) != len(got.X.Index) {
		return fmt.Errorf("%d entries, want %d", len(got.X.Index), len(want.X.Index))
	}
	return nil
}

// sameFloat compares bits, so that -0 is not 0. All NaN are one.
func sameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// cutOf returns nil when got is what may become of a row whose text was cut:
// the entries from the first on, of which the last may have lost digits; the
// label may have lost some only if it is the last thing there is, and a weight
// may be lost.
func cutOf(full, got format.Instance) error {
	n := len(got.X.Index)
	if n > len(full.X.Index) {
		return fmt.Errorf("%d entries, but the whole row has %d", n, len(full.X.Index))
	}
	changed := 0
	for k := range n {
		if got.X.Index[k] != full.X.Index[k] {
			return fmt.Errorf("entry %d has index %d, in the whole row %d", k+1, got.X.Index[k], full.X.Index[k])
		}
		if !sameFloat(got.X.Value[k], full.X.Value[k]) {
			if changed++; k < n-1 {
				return fmt.Errorf("entry %d is %v, in the whole row %v", k+1, got.X.Value[k], full.X.Value[k])
			}
		}
	}
	if !sameFloat(got.Y, full.Y) && n > 0 && (n < len(full.X.Index) || changed > 0) {
		return fmt.Errorf("label %v, in the whole row %v", got.Y, full.Y)
	}
	if got.Weight != full.Weight && got.Weight != 1 {
		return fmt.Errorf("weight %v, in the whole row %v", got.Weight, full.Weight)
	}
	return nil
}

// messageLimit is the length of message that a terminal still shows well.
const messageLimit = 500

// properFault returns nil when err is a fault as faults in a text are to be: a
// *format.Error without path, its position in the text, its message one short
// line of printable characters.
func properFault(err error, text string) error {
	var e *format.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("error %q is not a *format.Error", err)
	}
	if e.Path != "" {
		return fmt.Errorf("error %q has a path, which only the caller knows", err)
	}
	lines := strings.SplitAfter(text, "\n")
	switch {
	case e.Line < 0 || e.Line > len(lines):
		return fmt.Errorf("error %q is in line %d of %d", err, e.Line, len(lines))
	case e.Column < 0 || e.Column > 0 && e.Line == 0:
		return fmt.Errorf("error %q has column %d of line %d", err, e.Column, e.Line)
	case e.Line > 0 && e.Column > len(lines[e.Line-1])+1:
		return fmt.Errorf("error %q is in column %d of a line of %d bytes", err, e.Column, len(lines[e.Line-1]))
	}
	return properMessage(err.Error())
}

func properMessage(m string) error {
	if len(m) > messageLimit {
		return fmt.Errorf("message of %d bytes: %q", len(m), clip(m))
	}
	if !utf8.ValidString(m) {
		return fmt.Errorf("message is not UTF-8: %q", m)
	}
	if k := strings.IndexFunc(m, func(r rune) bool { return !unicode.IsPrint(r) }); k >= 0 {
		return fmt.Errorf("message with an unprintable character: %q", m)
	}
	return nil
}

// clip shortens a text for a message.
func clip(text string) string {
	if len(text) > 300 {
		return text[:200] + "[...]" + text[len(text)-80:]
	}
	return text
}
