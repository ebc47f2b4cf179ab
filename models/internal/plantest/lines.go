package plantest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format/vec"
)

// The programs under test read lines of words: the model's number, the form of the row, and the
// row. Numbers are written as the 16 hexadecimal digits of their bits.
//
//	3 d v1 v2 ...         a row from the first feature on
//	3 s 1 v1 7 v7 ...     its features that are not 0
//	3 c nBITS tBYTES -    columns: a number, a text as its bytes in hexadecimal, a missing value
//
// They print a line for each row, with numbers as words, or texts in the form used for columns.

// Bits returns the word for a number. For 0 and NaN it does not depend on the sign.
func Bits(v float64) string {
	switch {
	case v == 0:
		v = 0
	case math.IsNaN(v):
		return "nan"
	}
	return fmt.Sprintf("%016x", math.Float64bits(v))
}

// Text returns the word for a text.
func Text(s string) string { return fmt.Sprintf("t%x", s) }

// Dense returns the words of a row from feature first on.
func Dense(x vec.Vector, first int32) string {
	b := new(strings.Builder)
	b.WriteString("d")
	if len(x.Index) > 0 {
		for j := first; j <= x.Index[len(x.Index)-1]; j++ {
			fmt.Fprintf(b, " %016x", math.Float64bits(x.At(j)))
		}
	}
	return b.String()
}

// Sparse returns the words of a row's features that are not 0.
func Sparse(x vec.Vector) string {
	b := new(strings.Builder)
	b.WriteString("s")
	for k, j := range x.Index {
		fmt.Fprintf(b, " %d %016x", j, math.Float64bits(x.Value[k]))
	}
	return b.String()
}

// Lines returns the lines that a program is given for the trials' rows, and what it must print.
// Each row is given in both forms, if that is possible and takes few words.
func Lines(trials []Trial) (in []string, want []string, err error) {
	for i, c := range trials {
		all, err := c.Want()
		if err != nil {
			return nil, nil, err
		}
		for r, x := range c.Rows {
			words := make([]string, 0, len(all[r]))
			for _, v := range all[r] {
				words = append(words, Bits(v))
			}
			if c.Ranges != nil {
				for j := range c.Features() {
					words = append(words, Bits(c.Scaled[r].At(int32(j+1))))
				}
			}
			forms := []string{Dense(x, c.First)}
			if !c.Precomputed() {
				forms = append(forms, Sparse(x))
			}
			for _, form := range forms {
				in = append(in, strconv.Itoa(i)+" "+form)
				want = append(want, strings.Join(words, " "))
			}
		}
	}
	return in, want, nil
}

// Features returns the last feature that ranges scale.
func (c Trial) Features() (last int) {
	for _, f := range c.Ranges.X.Ranges {
		if !f.Constant() {
			last = int(f.Index)
		}
	}
	return last
}

// Precomputed reports whether rows are kernel values.
func (c Trial) Precomputed() bool {
	return slices.ContainsFunc(c.Rows, func(x vec.Vector) bool { return len(x.Index) > 0 && x.Index[0] == 0 && c.First == 1 })
}
