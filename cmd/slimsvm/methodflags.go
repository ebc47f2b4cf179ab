package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
)

// trainFlags are the options of training.
func trainFlags() []cli.Flag {
	flags := append(slices.Concat(columnFlags(), weightFlags(), encodeFlags()),
		&cli.StringFlag{Name: "method", Usage: "training method: " + strings.Join(methodNames(), ", "), DefaultText: "csvc; epsilon-svr if the label's column is numeric"},
		&cli.StringFlag{Name: "kernel", Value: "rbf", Usage: "linear, poly, rbf, sigmoid or precomputed"},
		gammaFlag{&cli.StringFlag{Name: "gamma", Usage: "γ of the kernels poly, rbf and sigmoid: a number; auto, 1 / features; or scale, 1 / (features * variance of all values), as scikit-learn has them", DefaultText: "1 / highest feature"}},
		floatFlag{&cli.Float64Flag{Name: "coef0", Usage: "r of the kernels poly and sigmoid"}},
		intFlag{&cli.IntFlag{Name: "degree", Value: 3, Usage: "d of the kernel poly"}},
		floatFlag{&cli.Float64Flag{Name: "cost", Value: 1, Usage: usage("cost"), DefaultText: costs()}},
		floatFlag{&cli.Float64Flag{Name: "nu", Value: 0.5, Usage: usage("nu")}},
		floatFlag{&cli.Float64Flag{Name: "epsilon", Value: 0.1, Usage: usage("epsilon")}},
		newTextsFlag(cli.StringSliceFlag{Name: "weight", Aliases: []string{"weights"}, Usage: "`LABEL=W`: " + usage("weight"), DefaultText: "1 for each"}),
		&cli.BoolFlag{Name: "probability", Usage: usage("probability")},
		&cli.StringFlag{Name: "multiclass", Value: "ovo", Usage: usage("multiclass")},
		floatFlag{&cli.Float64Flag{Name: "tolerance", Value: 0.001, Usage: usage("tolerance")}},
		floatFlag{&cli.Float64Flag{Name: "cache-mb", Value: 100, Usage: usage("cache-mb")}},
		&cli.BoolFlag{Name: "no-shrinking", Usage: usage("no-shrinking")},
	)
	for _, o := range catalog.Options() {
		flags = append(flags, methodFlag(o))
	}
	return append(append(flags,
		newSeedFlag(mostRandSeed, "of folds, shuffles and all random choices; 1 gives LIBSVM's folds, and 0 the same, as in C"),
		threadsFlag("number of threads, which take machines or folds first; results are the same for any"),
	), talkFlags()...)
}

// costs returns the costs when none is given, in words.
func costs() string {
	text := "1"
	for _, m := range catalog.Methods {
		if m.Cost != 0 {
			text += fmt.Sprintf("; %s %g", m.Name, m.Cost)
		}
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
		return intFlag{&cli.IntFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}}
	case float64:
		return floatFlag{&cli.Float64Flag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}}
	case bool:
		return &cli.BoolFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}
	case string:
		return &cli.StringFlag{Name: o.Name, Value: d, Usage: text, DefaultText: o.Text}
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
	"cost":         "cost of margin errors, or of those outside the tube",
	"nu":           "bound on the share of errors from above, and of vectors from below",
	"epsilon":      "half the width of the tube in which errors cost nothing",
	"weight":       "factor on the cost of errors on a class, by its label, or balanced: rows / (classes * rows of the class) for each; may be given again, factors multiply",
	"probability":  "estimate probabilities as well, by cross-validation, whose folds know no groups of rows",
	"multiclass":   "machines of many classes: ovo, one for each pair, or ovr, one for each class against the rest",
	"tolerance":    "how far from optimal the solution may be",
	"cache-mb":     "memory for kernel rows",
	"no-shrinking": "keep all variables in view",
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
	return meaningOf(option) + " (" + strings.Join(having(option), ", ") + ")"
}

// having returns the methods that have an option.
func having(option string) (methods []string) {
	for i := range catalog.Methods {
		if m := &catalog.Methods[i]; m.Has(option) {
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
			return usagef("method %s has no option --%s; it has --%s", m.Name, option, strings.Join(m.OptionNames(), ", --"))
		}
	}
	return checkBeside(c)
}
