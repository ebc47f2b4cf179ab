// Package flags has kinds of options that read numbers in decimal and texts as they stand, which those of cli do not.
package flags

import (
	"errors"
	"flag"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// define gives an option a value by all its names.
func define(set *flag.FlagSet, f cli.DocGenerationFlag, v flag.Value) {
	for _, name := range f.Names() {
		set.Var(v, name, f.GetUsage())
	}
}

// An Int is an option that is a whole number, in decimal: 010 is ten.
type Int struct{ *cli.IntFlag }

// Apply implements cli.Flag.
func (f Int) Apply(set *flag.FlagSet) error {
	v := whole(f.Value)
	define(set, f, &v)
	return nil
}

// Kind returns what help calls a value that has no name.
func (f Int) Kind() string { return "N" }

// A whole is the value of an Int.
type whole int

// Set implements flag.Value.
func (v *whole) Set(text string) error {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("expected a whole number of %d bits", strconv.IntSize)
	}
	if err != nil {
		return errors.New("expected a whole number")
	}
	*v = whole(n)
	return nil
}

func (v *whole) String() string { return strconv.Itoa(int(*v)) }

// A Float is an option that is a number, in decimal: neither 0x10 nor 1_0 is one.
type Float struct{ *cli.Float64Flag }

// Apply implements cli.Flag.
func (f Float) Apply(set *flag.FlagSet) error {
	v := float{number: f.Value}
	define(set, f, &v)
	return nil
}

// Kind returns what help calls a value that has no name.
func (f Float) Kind() string { return "NUMBER" }

// A float is the value of a Float.
type float struct {
	number float64
	text   string // as it was given; "": it was not
}

// Set implements flag.Value.
func (v *float) Set(text string) error {
	x, err := Number(text)
	if err == nil {
		*v = float{x, text}
	}
	return err
}

func (v *float) String() string { return strconv.FormatFloat(v.number, 'g', -1, 64) }

// Typed returns the value of an option that is a number as it was given.
func Typed(c *cli.Context, name string) string {
	switch v := c.Generic(name).(type) {
	case *float:
		if v.text != "" {
			return v.text
		}
		return v.String()
	case fmt.Stringer:
		return v.String()
	}
	panic("slimsvm: no option " + name)
}

// Number returns the number that a text of the command line is, in decimal.
func Number(text string) (float64, error) {
	x, err := textscan.Number(text)
	if errors.Is(err, textscan.ErrRange) {
		err = errors.New("expected a number below 1.8e308")
	}
	return x, err
}

// A Seed is the option of a seed, from 0 to most, in decimal.
type Seed struct {
	*cli.Uint64Flag
	most uint64
}

// NewSeed returns the option --seed, for numbers from 0 to most.
func NewSeed(most uint64, usage string) cli.Flag {
	return Seed{&cli.Uint64Flag{Name: "seed", Value: 1, Usage: usage}, most}
}

// Apply implements cli.Flag.
func (f Seed) Apply(set *flag.FlagSet) error {
	set.Var(&seed{f.Value, f.most}, f.Name, f.Usage)
	return nil
}

// Kind returns what help calls a value that has no name.
func (f Seed) Kind() string { return "N" }

// A seed is the value of a Seed.
type seed struct{ n, most uint64 }

// Set implements flag.Value.
func (v *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > v.most {
		return fmt.Errorf("expected a whole number from 0 to %d", v.most)
	}
	v.n = n
	return nil
}

func (v *seed) String() string { return strconv.FormatUint(v.n, 10) }

// NewTexts returns an option that may be given again. Each of its values is a text as
// it stands, blanks included, and commas if the app has DisableSliceFlagSeparator.
func NewTexts(f cli.StringSliceFlag) cli.Flag {
	f.KeepSpace = true
	return &f
}

// A List is an option whose value lists several, separated by commas. To give it again is an error, where
// others take the last value: somebody may expect that each adds to the list.
type List struct{ *cli.StringFlag }

// Apply implements cli.Flag.
func (f List) Apply(set *flag.FlagSet) error {
	define(set, f, &list{text: f.Value})
	return nil
}

// A list is the value of a List.
type list struct {
	text  string
	given bool
}

// Set implements flag.Value.
func (v *list) Set(text string) error {
	if v.given {
		return fmt.Errorf("the option was given before, as %q: list all in one value, such as %q", v.text, v.text+","+text)
	}
	*v = list{text, true}
	return nil
}

func (v *list) String() string { return v.text }

// The words for gamma are scikit-learn's: by the variance of the features, and 1 / features. Both
// count a feature 0, and columns at the end that hold nothing but 0; the default, as LIBSVM's, is 1
// over the highest feature that some row has.
const (
	GammaScale = "scale"
	GammaAuto  = "auto"
)

// A Gamma is an option that is a number, or a word for gamma.
type Gamma struct{ *cli.StringFlag }

// Apply implements cli.Flag.
func (f Gamma) Apply(set *flag.FlagSet) error {
	v := gammaText(f.Value)
	define(set, f, &v)
	return nil
}

// A gammaText is the value of a Gamma.
type gammaText string

// Set implements flag.Value.
func (v *gammaText) Set(text string) error {
	if text != GammaScale && text != GammaAuto {
		if _, err := Number(text); err != nil {
			return fmt.Errorf("%w, %s or %s", err, GammaScale, GammaAuto)
		}
	}
	*v = gammaText(text)
	return nil
}

func (v *gammaText) String() string { return string(*v) }
