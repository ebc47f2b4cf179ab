package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// isSet reports whether an option was given. What cli has for it takes the names of all options apart each
// time, which for a command of a hundred options takes longer than to train on a hundred rows.
func isSet(c *cli.Context, name string) bool { return slices.Contains(c.LocalFlagNames(), name) }

// define gives an option a value by all its names.
func define(set *flag.FlagSet, f cli.DocGenerationFlag, v flag.Value) {
	for _, name := range f.Names() {
		set.Var(v, name, f.GetUsage())
	}
}

// An intFlag is an option that is a whole number, in decimal: 010 is ten.
type intFlag struct{ *cli.IntFlag }

// Apply implements cli.Flag.
func (f intFlag) Apply(set *flag.FlagSet) error {
	v := whole(f.Value)
	define(set, f, &v)
	return nil
}

// A whole is the value of an intFlag.
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

// A floatFlag is an option that is a number, in decimal: neither 0x10 nor 1_0 is one.
type floatFlag struct{ *cli.Float64Flag }

// Apply implements cli.Flag.
func (f floatFlag) Apply(set *flag.FlagSet) error {
	v := float{number: f.Value}
	define(set, f, &v)
	return nil
}

// A float is the value of a floatFlag.
type float struct {
	number float64
	text   string // as it was given; "": it was not
}

// Set implements flag.Value.
func (v *float) Set(text string) error {
	x, err := parseNumber(text)
	if err == nil {
		*v = float{x, text}
	}
	return err
}

func (v *float) String() string { return strconv.FormatFloat(v.number, 'g', -1, 64) }

// typed returns the value of an option as it was given.
func typed(c *cli.Context, name string) string {
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

// inRange returns wrong usage if an option has a number that is not in the range.
func inRange(c *cli.Context, name string, r *catalog.Range) error {
	v, err := strconv.ParseFloat(typed(c, name), 64)
	if err != nil {
		panic(fmt.Sprintf("slimsvm: option %s: %v", name, err))
	}
	if err := r.Check(name, typed(c, name), v); err != nil {
		return usageError{err}
	}
	return nil
}

// checkWord returns wrong usage, with the words that are meant where that is likely, if an option is none of
// the known words.
func checkWord(c *cli.Context, name string, known []string) error {
	return ofWords(catalog.CheckWord(name, c.String(name), known))
}

// ofWords makes an error of an option's value wrong usage.
func ofWords(err error) error {
	if err == nil {
		return nil
	}
	if w := (*catalog.WordError)(nil); errors.As(err, &w) {
		return suggesting(usageError{err}, w.Word, w.Known)
	}
	return usageError{err}
}

// parseNumber returns the number that a text of the command line is.
func parseNumber(text string) (float64, error) {
	x, err := textscan.Number(text)
	if errors.Is(err, textscan.ErrRange) {
		err = errors.New("expected a number below 1.8e308")
	}
	return x, err
}

// A seedFlag is the option of a seed, from 0 to most, in decimal.
type seedFlag struct {
	*cli.Uint64Flag
	most uint64
}

// mostRandSeed is the largest seed of a train.Rand.
const mostRandSeed = math.MaxUint32

// newSeedFlag returns the option --seed.
func newSeedFlag(most uint64, usage string) cli.Flag {
	return seedFlag{&cli.Uint64Flag{Name: "seed", Value: 1, Usage: usage}, most}
}

// Apply implements cli.Flag.
func (f seedFlag) Apply(set *flag.FlagSet) error {
	set.Var(&seed{f.Value, f.most}, f.Name, f.Usage)
	return nil
}

// A seed is the value of a seedFlag.
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

// newTextsFlag returns an option that may be given again. Each of its values is a text as
// it stands, blanks included; newApp sees to it that commas are too.
func newTextsFlag(f cli.StringSliceFlag) cli.Flag {
	f.KeepSpace = true
	return &f
}
