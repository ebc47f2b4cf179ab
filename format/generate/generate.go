// Package generate makes small data sets of known shape for examples, tests and the command slimsvm
// generate. [Lookup] returns a [Set] by its name, and [Set.Generate] makes a sample of it.
//
// A set is a distribution with a name. A number of rows and a seed give a sample: the same bytes in
// every version of this package, on every processor. The seed selects the sample, never the
// distribution, so one seed may be for training and another for testing. A sample with fewer rows
// is the beginning of one with more rows of the same seed. (Neither statement holds for spirals,
// whose points are given by a formula.)
//
// Three things keep the bytes the same. The bits come from a PCG-DXSM generator (math/rand/v2,
// whose streams Go keeps). They are processed only by operations that IEEE 754 rounds exactly (+ -
// * / and the square root), with products rounded before they are added, so neither library
// functions nor fused multiply-add can change a bit. Inputs and targets are rounded to six
// decimals, so that the text is short.
package generate

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Set is a data set that can be generated.
type Set struct {
	Name    string
	Doc     string // description with formula and source; plain text, several lines
	Rows    int    // rows in the source, or a number that suits an example
	Inputs  int    // number of features, which are numbered from 1
	Classes int    // 0: the labels are real targets; 2: +1 and -1; else 1 to Classes
	Seeded  bool   // false: the seed has no effect

	// start returns a function that makes the rows one after the other, each in
	// an Instance of weight 1 without entries and with room for all inputs.
	start func(r *random, rows int) func(in *format.Instance)
}

// Generate returns a sample with the given number of rows. It panics if rows is negative.
func (s Set) Generate(rows int, seed uint64) *format.Dataset {
	src := s.Reader(rows, seed)
	h, _ := src.Header()
	d := &format.Dataset{Header: h}
	for {
		in, err := src.Read()
		if err == io.EOF {
			return d
		}
		d.Append(in)
	}
}

// Reader returns the rows of [Set.Generate] one by one, in constant memory. Its only error is
// io.EOF. It panics if rows is negative.
func (s Set) Reader(rows int, seed uint64) format.Reader {
	if rows < 0 {
		panic(fmt.Sprintf("generate: %d rows asked for", rows))
	}
	return &reader{
		header: &format.Header{Relation: s.Name, Class: -1},
		left:   rows,
		next:   s.start(newRandom(seed, s.Name), rows),
		index:  make([]int32, 0, s.Inputs),
		value:  make([]float64, 0, s.Inputs),
	}
}

type reader struct {
	header *format.Header
	left   int
	next   func(in *format.Instance)
	index  []int32
	value  []float64
}

func (r *reader) Header() (*format.Header, error) { return r.header, nil }

func (r *reader) Read() (format.Instance, error) {
	if r.left == 0 {
		return format.Instance{}, io.EOF
	}
	r.left--
	in := format.Instance{X: vec.Vector{Index: r.index[:0], Value: r.value[:0]}, Weight: 1}
	r.next(&in)
	return in, nil
}

// All returns the sets in alphabetical order.
func All() []Set {
	return slices.Clone(all)
}

// Lookup returns the set with the given name.
func Lookup(name string) (Set, bool) {
	for _, s := range all {
		if s.Name == name {
			return s, true
		}
	}
	return Set{}, false
}

var all = []Set{
	checkerboard,
	friedman,
	Gaussians(2, 2, 2),
	Gaussians(5, 5, 4),
	isolated,
	moons,
	ndc,
	ringnorm,
	sinc,
	spirals,
	striated,
	text,
	twonorm,
	waveform,
}

// dense appends one input, numbered after the last, rounded to six decimals,
// and returns what it appended.
func dense(in *format.Instance, x float64) float64 {
	x = round(x, 1e6)
	in.X.Index = append(in.X.Index, int32(len(in.X.Index)+1))
	in.X.Value = append(in.X.Value, x)
	return x
}

// round returns the float64 nearest to x rounded to a decimal grid of 1/scale,
// and no negative zero. Numbers too large to have such decimals stay as they are.
func round(x, scale float64) float64 {
	if math.Abs(x) >= 0x1p53/scale {
		return x
	}
	x = math.Round(x*scale) / scale
	if x == 0 {
		return 0
	}
	return x
}

// sign returns the label of class 0 or 1 of a two-class set.
func sign(class int) float64 { return float64(1 - 2*class) }
