package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
)

// isSet reports whether an option was given. What cli has for it looks up the names of all options each
// time, which for a command of a hundred options takes longer than to train on a hundred rows.
func isSet(c *cli.Context, name string) bool { return slices.Contains(c.LocalFlagNames(), name) }

// inRange returns wrong usage if an option has a number that is not in the range.
func inRange(c *cli.Context, name string, r *catalog.Range) error {
	v, err := strconv.ParseFloat(flags.Typed(c, name), 64)
	if err != nil {
		panic(fmt.Sprintf("slimsvm: option %s: %v", name, err))
	}
	if err := r.Check(name, flags.Typed(c, name), v); err != nil {
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

// mostRandSeed is the largest seed of a train.Rand.
const mostRandSeed = math.MaxUint32
