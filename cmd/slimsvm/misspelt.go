package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/suggest"
)

// noCommand is the wrong usage of a word that is no command.
func noCommand(app *cli.App, word string) error {
	var names []string
	for _, c := range app.VisibleCommands() {
		names = append(names, c.Name)
	}
	err := usagef("no command %q", word)
	if isOfLIBSVM(word) {
		return hinted{err, word + " is a command of its own"}
	}
	if word == versionWord {
		return hinted{err, hintOfVersion}
	}
	return suggesting(err, word, names)
}

// hintOfVersion is the hint where versionWord is neither a command nor an option.
const (
	versionWord   = "version"
	hintOfVersion = "slimsvm --version, without other words, prints the version"
)

// calledHere are the names that options of svm-train have in the commands that train.
var calledHere = map[string]string{
	"s": "--method NAME", "t": "--kernel NAME", "d": "--degree", "g": "--gamma", "r": "--coef0",
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

// wordsKey is the key under which a context has the words of a command line.
type wordsKey struct{}

func withWords(ctx context.Context, args []string) context.Context {
	return context.WithValue(ctx, wordsKey{}, args)
}

// given returns the word of the command line that gives an option, its dashes included and a value behind = left out,
// and the word behind it; "" if there is none.
func given(ctx context.Context, option string) (word, next string) {
	args, _ := ctx.Value(wordsKey{}).([]string)
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if name != option && (name == "-"+option || name == "--"+option) {
			if i+1 < len(args) {
				next = args[i+1]
			}
			return name, next
		}
	}
	return manual.Dashed(option), ""
}

// onlyHelp returns a command line that asks for a command's help without its other words, which are no
// topics of help. LIBSVM's option -h, which has a number, does not ask for help.
func onlyHelp(app *cli.App, args []string) ([]string, error) {
	var command *cli.Command
	if len(args) > 0 {
		command = app.Command(args[0])
	}
	if command == nil {
		return args, nil
	}
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		switch word := args[i]; {
		case takesValue(command, word):
			i++
		case !slices.Contains([]string{"-h", "--h", "-help", "--help"}, word):
		case has(command, "kernel") && i+1 < len(args) && slices.Contains([]string{"0", "1"}, args[i+1]):
			here := "--no-shrinking"
			if args[i+1] == "1" {
				here = "the default"
			}
			return nil, hinted{usagef("%s asks for help, and takes no number", word), fmt.Sprintf("svm-train's -h %s is %s here; %s", args[i+1], here, asLIBSVM)}
		default:
			return []string{args[0], "--help"}, nil
		}
	}
	return args, nil
}

// asLIBSVM ends hints for options that are LIBSVM's.
const asLIBSVM = "the command svm-train takes LIBSVM's options as they are"

// dashHint adds a hint to an error of a command's words if one begins with a dash that is no hyphen, as text that
// was copied from a document may.
func dashHint(err error, words []string) error {
	for _, word := range words {
		for _, dash := range []string{"\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212"} {
			if strings.HasPrefix(word, dash) {
				return hinted{err, fmt.Sprintf("%s begins with a dash; options begin with hyphens, -", strconv.Quote(word))}
			}
		}
	}
	return err
}

// wrongOption makes an error of reading a command's options wrong usage.
func wrongOption(c *cli.Context, err error, _ bool) error {
	if name, is := strings.CutPrefix(err.Error(), "flag needs an argument: -"); is {
		return hinted{usagef("option %s needs a value", manual.Dashed(name)), hintOfEmpty}
	}
	if m := invalidValue.FindStringSubmatch(err.Error()); m != nil {
		err := usagef("%s %s: %s", manual.Dashed(m[2]), m[1], strings.Replace(m[3], "parse error", "expected true or false", 1))
		return axisHint(err, c, m[2], m[1])
	}
	word, is := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !is {
		return usageError{err}
	}
	typed, value := given(c.Context, word)
	err = usagef("no option %s", typed)
	command := c.App.Command(c.Command.Name)
	if command == nil {
		return commandsHint(err, c.App, word, "options stand behind a command: ")
	}
	var names []string
	for _, f := range c.Command.VisibleFlags() {
		names = append(names, f.Names()...)
	}
	if here := ofGrids(c.Command.Name, strings.TrimPrefix(word, "-"), names); here != "" {
		return hinted{err, here}
	}
	if label, is := strings.CutPrefix(word, "w"); is && label != "" && strings.Trim(label, "-0123456789") == "" && slices.Contains(names, "weight") {
		return hinted{err, fmt.Sprintf("svm-train's -%s 5 is --weight %s=5 here; %s", word, label, asLIBSVM)}
	}
	if here, is := calledHere[word]; is && slices.Contains(names, "kernel") {
		what, here := numbered(word, value, here)
		return hinted{err, fmt.Sprintf("svm-train's %s is %s here; %s", what, here, asLIBSVM)}
	}
	if here, is := ofOthers[c.Command.Name][word]; is {
		return hinted{err, fmt.Sprintf("svm-%s's -%s is %s here", c.Command.Name, word, here)}
	}
	if word = strings.TrimPrefix(word, "-"); word == versionWord {
		return hinted{err, hintOfVersion}
	}
	meant := suggest.Likely(word, names)
	if lower := strings.ToLower(word); meant == nil && lower != word {
		meant = suggest.Likely(lower, names)
	}
	if here, _, _ := strings.Cut(ofPython[strings.ReplaceAll(word, "_", "-")], " "); here != "" && slices.Contains(names, here) {
		meant = []string{ofPython[strings.ReplaceAll(word, "_", "-")]}
	}
	for i := range meant {
		meant[i] = "--" + meant[i]
	}
	if meant == nil {
		return commandsHint(err, c.App, word, "")
	}
	return didYouMean(err, meant)
}

// axisHint adds to an error of a parameter of a search the option that says which values are tried, if there are several.
func axisHint(err error, c *cli.Context, option, value string) error {
	for axis, name := range ofAxis {
		if name == option && has(c.Command, axis) && strings.Contains(value, ",") {
			return hinted{err, fmt.Sprintf("--%s BEGIN,END,STEP searches powers of 2; cv scores a single point, in a loop any values", axis)}
		}
	}
	return err
}

// numbered returns an option of svm-train with its value, and what they are here, where the value is the number of
// a method or of a kernel; of other options what they are without one.
func numbered(letter, value, here string) (what, means string) {
	var names []string
	switch letter {
	case "s":
		names = methodNames()[:slices.IndexFunc(catalog.Methods, func(m catalog.Method) bool { return !m.Has("tolerance") })]
	case "t":
		names = kernelNames
	}
	if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < len(names) {
		option, _, _ := strings.Cut(here, " ")
		return fmt.Sprintf("-%s %d", letter, n), option + " " + names[n]
	}
	return "-" + letter, here
}

// commandsHint adds to an error of an option the commands that have it, if some have.
func commandsHint(err error, app *cli.App, option, before string) error {
	var commands []string
	for _, c := range app.VisibleCommands() {
		if has(c, option) {
			commands = append(commands, c.Name)
		}
	}
	if len(option) < 2 || len(commands) == 0 {
		return err
	}
	if before != "" && len(commands) > suggest.MaxSuggestions {
		return hinted{err, fmt.Sprintf("%s%s, for example, has --%s", before, commands[0], option)}
	}
	verb := "has"
	if len(commands) > 1 {
		verb = "have"
	}
	return hinted{err, fmt.Sprintf("%s%s %s --%s", before, strings.Join(commands, ", "), verb, option)}
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

// ofPython has options by what scikit-learn, pandas and other programs call them.
var ofPython = map[string]string{
	"C": "cost", "tol": "tolerance", "coef": "coef0", "class-weight": "weight", "sample-weight": weightColumn, "random-state": "seed", "n-jobs": "threads",
	"cv": "folds", "n-splits": "folds", "n-repeats": "repeat", "groups-column": groupColumn, "scoring": "score", "train-size": "size",
	"predict-proba": "probability", "decision-function": "decisions", "standardize": "scale standardize", "normalize": "scale normalize",
	"label": "class", "label-column": "class", "target": "class", "target-column": "class", "class-column": "class", "y": "class",
	"delimiter": "separator", "sep": "separator", "na": "missing", "na-values": "missing", "index-col": drop, "ignore": drop, "exclude": drop,
	"output": "out",
}
