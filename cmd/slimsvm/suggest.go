package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

// unknown is the wrong usage of a word that is none of those that are known, such as
// no method "x".
func unknown(what, word string, known []string) error {
	return suggesting(usagef("no %s %q: there are %s", what, word, strings.Join(known, ", ")), word, known)
}

// suggesting adds to an error of a word the known words that may be meant.
func suggesting(err error, word string, known []string) error {
	return didYouMean(err, likely(word, known))
}

func didYouMean(err error, meant []string) error {
	if len(meant) == 0 {
		return err
	}
	return hinted{err, fmt.Sprintf("did you mean %s?", strings.Join(meant, " or "))}
}

// mostLikely is the number of suggestions that are of use.
const mostLikely = 3

// likely returns the known words that a word may be meant for, nil if there are none or
// too many: those that fewest slips make it of, of a third of its letters at most; or
// else those that it begins.
func likely(word string, known []string) []string {
	var meant []string
	least := max(1, len(word)/3)
	for _, k := range known {
		n := slips(word, k)
		if n > least || len(k) < 2 {
			continue
		}
		if n < least {
			meant, least = nil, n
		}
		meant = append(meant, k)
	}
	if meant == nil && len(word) > 1 {
		for _, k := range known {
			if strings.HasPrefix(k, word) {
				meant = append(meant, k)
			}
		}
	}
	if len(meant) > mostLikely {
		return nil
	}
	return meant
}

// slips returns how many letters have to be added, left out, replaced, or exchanged with
// the next one to make b of a: Damerau's distance, where no letter changes twice.
func slips(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1]+1, row[j]+1)
			switch {
			case a[i] == b[j]:
				row[j+1] = min(row[j+1], last[j])
			case i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j]:
				row[j+1] = min(row[j+1], before[j-1]+1)
			default:
				row[j+1] = min(row[j+1], last[j]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// noCommand is the wrong usage of a word that is no command.
func noCommand(app *cli.App, word string) error {
	var names []string
	for _, c := range app.VisibleCommands() {
		names = append(names, c.Name)
	}
	return suggesting(usagef("no command %q", word), word, names)
}

// calledHere are the names that options of svm-train have in the commands that train.
var calledHere = map[string]string{
	"s": "--method, with its name", "t": "--kernel, with its name", "d": "--degree", "g": "--gamma", "r": "--coef0",
	"c": "--cost", "n": "--nu", "p": "--epsilon", "m": "--cache-mb", "e": "--tolerance", "b": "--probability, without a number",
	"v": "slimsvm cv --folds",
}

// ofOthers are options of LIBSVM's other commands and what they are called in ours of that name.
var ofOthers = map[string]map[string]string{
	"predict": {"b": "--probability, without a number"},
	"scale": {
		"l": "--lower", "u": "--upper", "y": "--y-lower and --y-upper, one number each,",
		"s": "--save", "r": "--restore",
	},
}

// invalidValue is what package flag says of a value that an option does not take: the value in quotes, the option, and
// what was expected.
var invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value ("(?:[^"\\]|\\.)*") for (?:flag )?-([a-z0-9-]+): (.*)$`)

// dashed returns an option's name with its dashes.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// wrongOption makes an error of reading a command's options wrong usage.
func wrongOption(c *cli.Context, err error, _ bool) error {
	if name, is := strings.CutPrefix(err.Error(), "flag needs an argument: -"); is {
		return hinted{usagef("option %s needs a value", dashed(name)), hintOfEmpty}
	}
	if m := invalidValue.FindStringSubmatch(err.Error()); m != nil {
		return usagef("%s %s: %s", dashed(m[2]), m[1], strings.Replace(m[3], "parse error", "expected true or false", 1))
	}
	word, is := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !is {
		return usageError{err}
	}
	err = usagef("no option %s", dashed(word))
	if c.Command == nil {
		return err
	}
	var names []string
	for _, f := range c.Command.VisibleFlags() {
		names = append(names, f.Names()...)
	}
	if here := ofGrids(c.Command.Name, strings.TrimPrefix(word, "-"), names); here != "" {
		return hinted{err, here}
	}
	if label, is := strings.CutPrefix(word, "w"); is && label != "" && strings.Trim(label, "-0123456789") == "" && slices.Contains(names, "weight") {
		return hinted{err, fmt.Sprintf("svm-train's -%s 5 is --weight %s=5 here", word, label)}
	}
	if here, is := calledHere[word]; is && slices.Contains(names, "kernel") {
		return hinted{err, fmt.Sprintf("svm-train's -%s is %s here", word, here)}
	}
	if here, is := ofOthers[c.Command.Name][word]; is {
		return hinted{err, fmt.Sprintf("svm-%s's -%s is %s here", c.Command.Name, word, here)}
	}
	meant := likely(strings.TrimPrefix(word, "-"), names)
	for i := range meant {
		meant[i] = "--" + meant[i]
	}
	return didYouMean(err, meant)
}

// ofGrids is the hint of an option of searches and of folds elsewhere, in LIBSVM's grid.py for one, given to a command
// that has options by these names; "": it is none.
func ofGrids(command, word string, names []string) string {
	has := func(name string) bool { return slices.Contains(names, name) }
	switch {
	case strings.HasPrefix(word, "log2") && has("kernel") && command != "grid" && slices.Contains([]string{"c", "g", "p"}, word[len("log2"):]):
		return fmt.Sprintf("slimsvm grid --%s searches, and trains with the best that it finds", word)
	case (word == "png" || word == "gnuplot") && command == "grid":
		return "--plot FILE draws here, PNG or SVG by the file's name, without gnuplot"
	case word == "v" && has("kernel") && has("folds"):
		return "svm-train's -v is --folds here"
	case word == "groups" && has(groupColumn):
		return fmt.Sprintf("groups of rows are named with --%s or --%s", groupColumn, groupFile)
	}
	return ""
}

// likelyColumns is the hint of a name that no column has: the names that may be meant, "" for none. Those
// that are the same but for capitals and white space go before those that slips make.
func likelyColumns(e *format.NoColumnError) string {
	var meant []string
	for _, name := range e.Names {
		if format.SameName(name, e.Column) {
			meant = append(meant, name)
		}
	}
	if meant == nil {
		meant = likely(e.Column, e.Names)
	}
	for i := range meant {
		meant[i] = strconv.Quote(meant[i])
	}
	if len(meant) == 0 || len(meant) > mostLikely {
		return ""
	}
	return fmt.Sprintf("did you mean %s?", strings.Join(meant, " or "))
}
