package scale

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// ErrEmpty reports a range file without any range.
var ErrEmpty = errors.New(`no ranges: the file is empty, expected "x" or "y"`)

// Read reads a range file:
//
//	file     = [ labels ] [ features ]          not neither
//	labels   = "y" LF lower upper LF min max LF
//	features = "x" LF lower upper LF { index min max LF }
//
// Numbers are finite, lower < upper, min <= max; indices are not negative and ascend. White space
// around numbers, CR LF, blank lines and several features on one line are accepted. A fault is a
// *format.Error.
//
// LIBSVM takes anything that is not a feature as the end of the list, ignores a file that begins
// otherwise, and scales by the wrong ranges if indices do not ascend. All of that is an error here.
func Read(r io.Reader) (*Ranges, error) {
	f := &file{lines: textscan.NewLines(r)}
	ranges := new(Ranges)
	if err := f.next(); err == io.EOF {
		return nil, &textscan.Error{Line: 1, Err: ErrEmpty}
	} else if err != nil {
		return nil, err
	}
	if f.isWord('y') {
		y, err := f.labels()
		if err != nil {
			return nil, err
		}
		ranges.Y = y
		if err := f.next(); err == io.EOF {
			return ranges, nil
		} else if err != nil {
			return nil, err
		}
	}
	if !f.isWord('x') {
		expected, found := `"x"`, textscan.QuoteWord(f.line[f.at:])
		if ranges.Y == nil {
			expected, found = `"x" or "y"`, textscan.QuoteBegun(f.line[f.at:])
		}
		return nil, f.fault(f.at, fmt.Errorf("expected %s, found %s", expected, found))
	}
	x, err := f.features()
	if err != nil {
		return nil, err
	}
	ranges.X = x
	return ranges, nil
}

// file is a range file being read.
type file struct {
	lines *textscan.Lines
	line  []byte // the current line
	at    int    // what is read of it; a word follows, or nothing
}

// next goes to the next line that is not blank.
func (f *file) next() (err error) {
	for {
		if f.line, err = f.lines.Next(); err != nil {
			return err
		}
		if f.at = 0; !f.atEnd() {
			return nil
		}
	}
}

// atEnd skips white space and reports whether the line ends there.
func (f *file) atEnd() bool {
	for f.at < len(f.line) && textscan.IsSpace(f.line[f.at]) {
		f.at++
	}
	return f.at == len(f.line)
}

// isWord reports whether the line consists of the word w.
func (f *file) isWord(w byte) bool {
	return len(bytes.TrimFunc(f.line, isSpace)) == 1 && f.line[f.at] == w
}

func isSpace(r rune) bool { return r < 0x80 && textscan.IsSpace(byte(r)) }

func (f *file) fault(at int, err error) error {
	return (&textscan.Fault{At: at, Err: err}).Locate(f.lines.Number())
}

// labels reads what follows "y".
func (f *file) labels() (*Labels, error) {
	y := new(Labels)
	var err error
	if y.Lower, y.Upper, err = f.pair("the lower and upper limit of the labels"); err != nil {
		return nil, err
	}
	if err := y.Limits.Validate(); err != nil {
		return nil, f.fault(0, err)
	}
	if y.Min, y.Max, err = f.pair("the minimum and maximum of the labels"); err != nil {
		return nil, err
	}
	if err := y.Range.Validate(); err != nil {
		return nil, f.fault(0, err)
	}
	return y, nil
}

// features reads what follows "x".
func (f *file) features() (*Features, error) {
	x := new(Features)
	var err error
	if x.Lower, x.Upper, err = f.pair("the lower and upper limit of the features"); err != nil {
		return nil, err
	}
	if err := x.Limits.Validate(); err != nil {
		return nil, f.fault(0, err)
	}
	last := int32(-1)
	for {
		if err := f.next(); err == io.EOF {
			return x, nil
		} else if err != nil {
			return nil, err
		}
		for !f.atEnd() {
			r, err := f.feature(last)
			if err != nil {
				return nil, err
			}
			x.Ranges = append(x.Ranges, r)
			last = r.Index
		}
	}
}

// feature reads an index and its range.
func (f *file) feature(last int32) (r Feature, err error) {
	start := f.at
	i, n, e := textscan.Int(f.line[f.at:])
	end := f.at + n
	switch {
	case n == 0 || end < len(f.line) && !textscan.IsSpace(f.line[end]):
		return r, f.fault(start, fmt.Errorf("expected a feature index, found %s", textscan.QuoteWord(f.line[start:])))
	case e != nil || i > math.MaxInt32 || i < 0:
		return r, f.fault(start, fmt.Errorf("feature index %s is not in 0..%d", textscan.QuoteWord(f.line[start:]), math.MaxInt32))
	case i <= int64(last):
		return r, f.fault(start, fmt.Errorf("feature index %d does not follow %d: indices must increase", i, last))
	}
	r.Index, f.at = int32(i), end
	var fault *textscan.Fault
	if r.Min, r.Max, fault = f.numbers("the minimum and maximum"); fault == nil {
		if err := r.Range.Validate(); err != nil {
			fault = &textscan.Fault{At: start, Err: err}
		}
	}
	if fault != nil {
		return r, f.fault(fault.At, fmt.Errorf("feature %d: %w", i, fault.Err))
	}
	return r, nil
}

// pair reads a line of two numbers.
func (f *file) pair(what string) (lo, hi float64, err error) {
	if err := f.next(); err == io.EOF {
		return 0, 0, &textscan.Error{Line: f.lines.Number(), Err: fmt.Errorf("expected a line with %s, found the end of the file", what)}
	} else if err != nil {
		return 0, 0, err
	}
	lo, hi, fault := f.numbers(what)
	if fault != nil {
		return 0, 0, f.fault(fault.At, fault.Err)
	}
	if !f.atEnd() {
		return 0, 0, f.fault(f.at, fmt.Errorf("expected the end of the line after %s, found %s", what, textscan.QuoteWord(f.line[f.at:])))
	}
	return lo, hi, nil
}

// numbers reads two finite numbers. Decimals too small for a float64 are the
// nearest one, as in LIBSVM.
func (f *file) numbers(what string) (lo, hi float64, fault *textscan.Fault) {
	for _, x := range []*float64{&lo, &hi} {
		f.atEnd()
		v, n, _ := textscan.Float(f.line[f.at:])
		end := f.at + n
		if n == 0 || end < len(f.line) && !textscan.IsSpace(f.line[end]) || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, &textscan.Fault{At: f.at, Err: fmt.Errorf("expected two finite numbers, %s, found %s", what, textscan.QuoteWord(f.line[f.at:]))}
		}
		*x, f.at = v, end
	}
	return lo, hi, nil
}
