package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// trainFlags are the options of training.
func trainFlags() []cli.Flag {
	all := append(slices.Concat(columnFlags(), weightFlags(), encodeFlags()),
		&cli.StringFlag{Name: "method", Usage: "training method `NAME`, one of those under Methods", DefaultText: "csvc; epsilon-svr if the label's column is numeric"},
		&cli.StringFlag{Name: "kernel", Value: "rbf", Usage: "kernel `NAME`: linear, poly, rbf, sigmoid or precomputed"},
		flags.Gamma{StringFlag: &cli.StringFlag{Name: "gamma", Usage: "γ of the poly, rbf and sigmoid kernels: a number, or as in scikit-learn auto (1 / features) or scale (1 / (features * variance of all values))", DefaultText: "1 / highest feature number"}},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "coef0", Usage: "constant r of the poly and sigmoid kernels"}},
		flags.Int{IntFlag: &cli.IntFlag{Name: "degree", Value: 3, Usage: "degree d of the poly kernel"}},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "cost", Value: 1, Usage: usage("cost"), DefaultText: costs()}},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "nu", Value: 0.5, Usage: usage("nu")}},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "epsilon", Value: 0.1, Usage: usage("epsilon")}},
		flags.NewTexts(cli.StringSliceFlag{Name: "weight", Aliases: []string{"weights"}, Usage: usage("weight"), DefaultText: "1 for each"}),
		&cli.BoolFlag{Name: "probability", Usage: usage("probability")},
		&cli.StringFlag{Name: "multiclass", Value: "ovo", Usage: usage("multiclass")},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "tolerance", Value: 0.001, Usage: usage("tolerance")}},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "cache-mb", Value: 100, Usage: usage("cache-mb")}},
		&cli.BoolFlag{Name: "no-shrinking", Usage: usage("no-shrinking")},
	)
	for _, o := range catalog.Options() {
		all = append(all, methodFlag(o))
	}
	return append(append(all,
		flags.NewSeed(mostRandSeed, "seed of folds, shuffles and all random choices; 1 gives LIBSVM's folds, and so does 0"),
		threadsFlag("number of threads, given to machines or folds first; results do not depend on it"),
	), talkFlags()...)
}

// costs returns the costs when none is given, in words.
func costs() string {
	text, before := "1", 0.0
	for _, m := range catalog.Methods {
		switch {
		case m.Cost == 0:
		case m.Cost == before:
			text += ", " + m.Name
		default:
			text += fmt.Sprintf("; %g for %s", m.Cost, m.Name)
		}
		before = m.Cost
	}
	return text
}

// costOf returns the cost for a method.
func costOf(c *cli.Context, m catalog.Method) float64 {
	if m.Cost != 0 && !isSet(c, "cost") {
		return m.Cost
	}
	return c.Float64("cost")
}

// methodFlag returns the flag of an option that methods bring with them.
func methodFlag(o catalog.Option) cli.Flag {
	text := usage(o.Name)
	switch d := o.Default.(type) {
	case int:
		return flags.Int{IntFlag: &cli.IntFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}}
	case float64:
		return flags.Float{Float64Flag: &cli.Float64Flag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}}
	case bool:
		return &cli.BoolFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}
	case string:
		f := &cli.StringFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}
		if o.List {
			return flags.List{StringFlag: f}
		}
		return f
	}
	panic(fmt.Sprintf("slimsvm: option %s is %T", o.Name, o.Default))
}

// methodValues returns the options of methods that were given.
func methodValues(c *cli.Context) catalog.Values {
	values := catalog.Values{}
	for _, o := range catalog.Options() {
		if !isSet(c, o.Name) {
			continue
		}
		switch o.Default.(type) {
		case int:
			values[o.Name] = c.Int(o.Name)
		case float64:
			values[o.Name] = c.Float64(o.Name)
		case bool:
			values[o.Name] = c.Bool(o.Name)
		case string:
			values[o.Name] = c.String(o.Name)
		}
	}
	return values
}

// meanings say what the options mean that only some methods have.
var meanings = map[string]string{
	"cost":         "cost of margin errors, or in regression of errors outside the tube, above 0",
	"nu":           "upper bound on the share of margin errors and lower bound on the share of support vectors, above 0 and at most 1",
	"epsilon":      "half the width of the regression tube: smaller errors cost nothing",
	"weight":       "`LABEL=W`: multiply the cost of errors on class LABEL by W; or balanced: multiply it for every class by rows / (classes * rows of the class); can be repeated, factors then multiply",
	"probability":  "also estimate probabilities, by a cross-validation inside training; its folds ignore groups of rows",
	"multiclass":   "machines for more than two classes: ovo (one per pair of classes) or ovr (one per class against the rest)",
	"tolerance":    "stopping tolerance: how far from optimal the solution may be, above 0",
	"cache-mb":     "memory for cached kernel rows, in MB",
	"no-shrinking": "turn off the shrinking heuristic",
}

// meaningOf returns what an option means that only some methods have, "" for others.
func meaningOf(option string) string {
	for _, o := range catalog.Options() {
		if o.Name == option {
			return o.Usage
		}
	}
	return meanings[option]
}

// usage returns the meaning of an option and the methods that have it.
func usage(option string) string {
	switch methods, others := having(option, true), having(option, false); {
	case len(others) == 0:
		return meaningOf(option)
	case len(others) < len(methods):
		return meaningOf(option) + " (all methods but " + strings.Join(others, ", ") + ")"
	default:
		return meaningOf(option) + " (" + strings.Join(methods, ", ") + ")"
	}
}

// having returns the methods that have an option, or those that have not.
func having(option string, has bool) (methods []string) {
	for i := range catalog.Methods {
		if m := &catalog.Methods[i]; m.Has(option) == has {
			methods = append(methods, m.Name)
		}
	}
	return methods
}

// checkUses returns an error if an option is given that the method does not have, nor any
// of others that may be taken in its place.
func checkUses(c *cli.Context, m catalog.Method, others ...catalog.Method) error {
	names := slices.Sorted(maps.Keys(meanings))
	for _, o := range catalog.Options() {
		names = append(names, o.Name)
	}
	if m.Linear {
		names = append(names, ofKernels...)
	}
	for _, option := range names {
		has := func(m catalog.Method) bool { return m.Has(option) }
		if isSet(c, option) && !has(m) && !slices.ContainsFunc(others, has) {
			err := usagef("method %s has no option --%s; it has --%s", m.Name, option, strings.Join(m.OptionNames(), ", --"))
			if with := having(option, true); len(with) > 0 {
				err = hinted{err, fmt.Sprintf("--%s is for --method %s", option, phrase.Choice(with))}
			}
			return err
		}
	}
	if err := checkRanges(c, m); err != nil {
		return err
	}
	return checkBeside(c)
}

// checkRanges returns wrong usage if an option of the method has a value that it cannot have.
func checkRanges(c *cli.Context, m catalog.Method) error {
	cache := catalog.Above
	if !m.Has("tolerance") { // it can do without
		cache = catalog.FromZero
	}
	for _, o := range []struct {
		name string
		r    *catalog.Range
	}{
		{"cost", costsOf(m)}, {"nu", catalog.Share}, {"epsilon", catalog.Least}, {"tolerance", catalog.Above}, {"cache-mb", cache},
		{"coef0", finite}, {"degree", degrees},
	} {
		if isSet(c, o.name) {
			if err := inRange(c, o.name, o.r); err != nil {
				return err
			}
		}
	}
	values := methodValues(c)
	for _, o := range m.Options {
		if v, given := values[o.Name]; given {
			if err := o.Check(v, flags.Typed(c, o.Name)); err != nil {
				return ofWords(err)
			}
		}
	}
	return nil
}

// The numbers that parameters of kernels may be.
var (
	finite  = &catalog.Range{Expected: "a finite number", Has: func(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }}
	degrees = &catalog.Range{Expected: fmt.Sprintf("0 to %d", math.MaxInt32), Has: func(v float64) bool { return v >= 0 && v <= math.MaxInt32 }}
)
