// Package formattest is the conformance suite of data formats: it tests what every format.Codec
// must do. A codec's package runs it in one test:
//
//	func TestConformance(t *testing.T) {
//		formattest.Run(t, Codec, formattest.Limits{NoWeight: true}, samples...)
//	}
//
// The suite writes data sets with the codec and reads them back in many ways, so it needs no
// knowledge of the format's text. Valid and faulty texts, which only the format's author can know,
// are given as samples.
//
// The rules are
//
//   - A row comes back as it was written, to the last bit, or writing or reading it is an error:
//     nothing is changed silently.
//   - It makes no difference whether the bytes arrive in pieces or all at once.
//   - A fault is a *format.Error whose position is in the text, and its message is one short
//     printable line.
//   - A failed device is not the end of a file.
//   - Rows come only from text that is there.
package formattest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// Run tests a codec, one subtest for each check.
func Run(t *testing.T, c format.Codec, l Limits, samples ...Sample) {
	s := newSuite(c, l, samples)
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			err := runCheck(c, s)
			var skip skipped
			switch {
			case errors.As(err, &skip):
				t.Skip(string(skip))
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// Limits says what a format cannot hold. The zero Limits is a format that holds every row. The
// suite also tries what is beyond a limit: writer or reader may refuse it but not change it.
type Limits struct {
	MinIndex    int32 // smallest feature index
	MaxIndex    int32 // largest feature index that the suite tries; 0: 2^31-1
	NoSubnormal bool  // no values of magnitude below 2^-1022, except 0
	NoNonFinite bool  // no infinities and NaN, as value or label
	NoWeight    bool  // no weights other than 1

	// DropsZeros says that the format does not distinguish a zero from an absent entry, as in a
	// table.
	DropsZeros bool

	// Concatenates says that two files, one after the other, are a file: there is no header.
	Concatenates bool

	// Header returns the header with which a data set is written and that must come back. nil: the
	// writer is given an empty header, and the reader's header is not tested.
	Header func(d *format.Dataset) *format.Header
}

// A Sample is a text with the expected result of reading it.
//
// Marks in Text show where a fault is: § stands before the byte that the fault's position names,
// and ¶ anywhere in the line if the fault is in the whole line. A faulty text without a mark has a
// fault without a line. Marks are removed before the text is read.
type Sample struct {
	Name  string
	Text  string
	Rows  []format.Instance // all rows, or those before the fault
	Fault string            // part of the fault's message; "": the text is valid
}

// Row returns a row with label y, weight 1 and the given index-value pairs.
func Row(y float64, pairs ...float64) format.Instance {
	if len(pairs)%2 != 0 {
		panic("formattest: index without value")
	}
	in := format.Instance{Y: y, Weight: 1}
	for k := 0; k < len(pairs); k += 2 {
		in.X.Index = append(in.X.Index, int32(pairs[k]))
		in.X.Value = append(in.X.Value, pairs[k+1])
	}
	return in
}

type suite struct {
	codec   format.Codec
	limits  Limits
	samples []Sample
	small   *format.Dataset // a few short rows, for checks at every byte

	bulkData *format.Dataset // what large returns, nil before the first call
	bulkText written
}

func newSuite(c format.Codec, l Limits, samples []Sample) *suite {
	if l.MaxIndex == 0 {
		l.MaxIndex = math.MaxInt32
	}
	i := float64(max(l.MinIndex, 1))
	return &suite{codec: c, limits: l, samples: samples, small: dataset(
		Row(1, i, 0.25, i+1, -12.5, i+2, 3e5),
		Row(-1, i, -4, i+1, 1e-7, i+2, 0.1),
		Row(12.75, i, 7, i+1, 2048, i+2, 33),
	)}
}

// A check looks at one side of a codec. The error says what is wrong.
type check struct {
	name string
	run  func(s *suite) error
}

var checks = []check{
	{"fields", (*suite).fields},
	{"round trip", (*suite).roundTrip},
	{"refusals", (*suite).refusals},
	{"no vectors", (*suite).noVectors},
	{"samples", (*suite).sampleOutcomes},
	{"pieces", (*suite).pieces},
	{"read errors", (*suite).readErrors},
	{"truncation", (*suite).truncation},
	{"line ends", (*suite).lineEnds},
	{"empty file", (*suite).emptyFile},
	{"long lines", (*suite).longLines},
	{"damage", (*suite).damage},
	{"bulk", (*suite).bulk},
	{"late faults", (*suite).lateFaults},
	{"cancelling", (*suite).cancelling},
	{"write errors", (*suite).writeErrors},
}

// skipped is the reason why a check could not be made.
type skipped string

func (s skipped) Error() string { return string(s) }

// runCheck runs a check. What the codec panics with is an error too.
func runCheck(c check, s *suite) (err error) {
	defer caught(c.name, &err)
	return c.run(s)
}

// fields checks that the Codec is filled in.
func (s *suite) fields() error {
	c := s.codec
	var errs []error
	if c.Name == "" {
		errs = append(errs, errors.New("no Name"))
	}
	for _, ext := range c.Extensions {
		if !isExtension(ext) {
			errs = append(errs, fmt.Errorf("extension %q is not a dot and lower-case letters", ext))
		}
	}
	if c.NewReader == nil || c.NewWriter == nil || c.Parse == nil {
		errs = append(errs, errors.New("NewReader, NewWriter or Parse is nil"))
	}
	return errors.Join(errs...)
}

func isExtension(ext string) bool {
	if len(ext) < 2 || ext[0] != '.' {
		return false
	}
	for _, c := range ext[1:] {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// dataset returns a data set of the given rows.
func dataset(rows ...format.Instance) *format.Dataset {
	d := &format.Dataset{Header: emptyHeader()}
	for _, in := range rows {
		d.Append(in)
	}
	return d
}

func emptyHeader() *format.Header { return &format.Header{Class: -1} }

// instance returns row i of d.
func instance(d *format.Dataset, i int) format.Instance {
	in := format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}
	if d.Weight != nil {
		in.Weight = d.Weight[i]
	}
	return in
}
