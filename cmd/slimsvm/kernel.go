package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// trainFlags are the options of training.
func trainFlags() []cli.Flag {
	var methods []string
	for _, m := range catalog.Methods {
		methods = append(methods, m.Name)
	}
	return append(append(append(dataFlags(), encodeFlags()...),
		&cli.StringFlag{Name: "method", Usage: "training method: " + strings.Join(methods, ", "), DefaultText: "csvc; epsilon-svr if the label's column is numeric"},
		&cli.StringFlag{Name: "kernel", Value: "rbf", Usage: "linear, poly, rbf, sigmoid or precomputed"},
		&cli.Float64Flag{Name: "gamma", Usage: "γ of the kernels poly, rbf and sigmoid", DefaultText: "1 / features"},
		&cli.Float64Flag{Name: "coef0", Usage: "r of the kernels poly and sigmoid"},
		&cli.IntFlag{Name: "degree", Value: 3, Usage: "d of the kernel poly"},
		&cli.Float64Flag{Name: "cost", Value: 1, Usage: usage("cost")},
		&cli.Float64Flag{Name: "nu", Value: 0.5, Usage: usage("nu")},
		&cli.Float64Flag{Name: "epsilon", Value: 0.1, Usage: usage("epsilon")},
		&cli.StringSliceFlag{Name: "weight", Aliases: []string{"weights"}, Usage: "`LABEL=W`: " + usage("weight")},
		&cli.BoolFlag{Name: "probability", Usage: usage("probability")},
		&cli.StringFlag{Name: "multiclass", Value: "ovo", Usage: usage("multiclass")},
		&cli.Float64Flag{Name: "tolerance", Value: 0.001, Usage: "how far from optimal the solution may be"},
		&cli.Float64Flag{Name: "cache-mb", Value: 100, Usage: "memory for kernel rows"},
		&cli.BoolFlag{Name: "no-shrinking", Usage: "keep all variables in view"},
		&cli.UintFlag{Name: "seed", Value: 1, Usage: "of folds and shuffles; 1 gives LIBSVM's"},
		threadsFlag("number of threads, which take machines or folds first; results are the same for any"),
	), talkFlags()...)
}

// meanings say what the options mean that only some methods have.
var meanings = map[string]string{
	"cost":        "cost of margin errors, or of those outside the tube",
	"nu":          "bound on the share of errors from above, and of vectors from below",
	"epsilon":     "half the width of the tube in which errors cost nothing",
	"weight":      "factor on the cost of errors on a class, by its label; may be given again",
	"probability": "estimate probabilities as well, by cross-validation",
	"multiclass":  "machines of many classes: ovo, one for each pair, or ovr, one for each class against the rest",
}

// usage returns the meaning of an option and the methods that have it.
func usage(option string) string {
	var methods []string
	for _, m := range catalog.Methods {
		if slices.Contains(m.Uses, option) {
			methods = append(methods, m.Name)
		}
	}
	return meanings[option] + " (" + strings.Join(methods, ", ") + ")"
}

// checkUses returns an error if an option is given that the method does not have.
func checkUses(c *cli.Context, m catalog.Method) error {
	for _, option := range slices.Sorted(maps.Keys(meanings)) {
		if c.IsSet(option) && !slices.Contains(m.Uses, option) {
			return usagef("method %s has no option --%s; it has --%s", m.Name, option, strings.Join(m.Uses, ", --"))
		}
	}
	return nil
}

// talkFlags say how a command says what it did.
func talkFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print what was done as a JSON object on standard output"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no summary, no warnings, no progress"},
	}
}

// notBoth returns an error if JSON and an output file both go to standard output.
func notBoth(c *cli.Context, path, what string) error {
	if path == "-" && c.Bool("json") {
		return usagef("--json prints on standard output, where %s cannot go too", what)
	}
	return nil
}

// kernelFacts are a kernel in JSON: its name, and the parameters that it has.
type kernelFacts struct {
	Name   string  `json:"name"`
	Degree *int    `json:"degree,omitempty"`
	Gamma  *number `json:"gamma,omitempty"`
	Coef0  *number `json:"coef0,omitempty"`
}

func kernelOf(k kernel.Kernel) kernelFacts {
	real := func(v float64) *number { return (*number)(&v) }
	switch k := k.(type) {
	case kernel.Linear:
		return kernelFacts{Name: "linear"}
	case kernel.Poly:
		return kernelFacts{Name: "poly", Degree: &k.Degree, Gamma: real(k.Gamma), Coef0: real(k.Coef0)}
	case kernel.RBF:
		return kernelFacts{Name: "rbf", Gamma: real(k.Gamma)}
	case kernel.Sigmoid:
		return kernelFacts{Name: "sigmoid", Gamma: real(k.Gamma), Coef0: real(k.Coef0)}
	case kernel.Precomputed:
		return kernelFacts{Name: "precomputed"}
	}
	return kernelFacts{Name: fmt.Sprintf("%T", k)}
}

// String returns the kernel in words.
func (k kernelFacts) String() string {
	s := k.Name
	if k.Degree != nil {
		s += fmt.Sprintf(" degree %d", *k.Degree)
	}
	if k.Gamma != nil {
		s += fmt.Sprintf(" gamma %g", float64(*k.Gamma))
	}
	if k.Coef0 != nil {
		s += fmt.Sprintf(" coef0 %g", float64(*k.Coef0))
	}
	return s
}

// parameters returns what the options say, for data with the given number of
// features and texts of labels, which may be nil.
func parameters(c *cli.Context, features int, labels []string) (catalog.Parameters, error) {
	p := catalog.Parameters{
		Cost: c.Float64("cost"), Nu: c.Float64("nu"), Epsilon: c.Float64("epsilon"),
		Probability: c.Bool("probability"),
		Solver: smo.Options{
			Tolerance: c.Float64("tolerance"), CacheMB: c.Float64("cache-mb"), Shrinking: !c.Bool("no-shrinking"),
		},
	}
	switch s := c.String("multiclass"); s {
	case "ovo":
	case "ovr":
		p.OneVsRest = true
	default:
		return p, usagef("--multiclass %q: expected ovo or ovr", s)
	}
	gamma := c.Float64("gamma")
	if gamma == 0 && features > 0 {
		gamma = 1 / float64(features)
	}
	if gamma < 0 || math.IsNaN(gamma) || math.IsInf(gamma, 0) {
		return p, usagef("--gamma %v is not a positive number", gamma)
	}
	switch name := c.String("kernel"); name {
	case "linear":
		p.Kernel = kernel.Linear{}
	case "poly":
		if c.Int("degree") < 0 {
			return p, usagef("--degree %d is negative", c.Int("degree"))
		}
		p.Kernel = kernel.Poly{Degree: c.Int("degree"), Gamma: gamma, Coef0: c.Float64("coef0")}
	case "rbf":
		p.Kernel = kernel.RBF{Gamma: gamma}
	case "sigmoid":
		p.Kernel = kernel.Sigmoid{Gamma: gamma, Coef0: c.Float64("coef0")}
	case "precomputed":
		p.Kernel = kernel.Precomputed{}
	default:
		return p, usagef("no kernel %q", name)
	}
	for _, text := range c.StringSlice("weight") {
		w, err := classWeight(text, labels)
		if err != nil {
			return p, err
		}
		p.Weights = append(p.Weights, w)
	}
	return p, nil
}

// classWeight reads LABEL=W.
func classWeight(text string, labels []string) (w train.ClassWeight, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return w, usagef("--weight %q: expected LABEL=W", text)
	}
	if w.Weight, err = strconv.ParseFloat(text[i+1:], 64); err != nil || !(w.Weight > 0) {
		return w, usagef("--weight %q: %q is not a positive number", text, text[i+1:])
	}
	for k, label := range labels {
		if label == text[:i] {
			w.Label = k
			return w, nil
		}
	}
	if labels != nil {
		return w, usagef("--weight %q: no label %q", text, text[:i])
	}
	if w.Label, err = strconv.Atoi(text[:i]); err != nil {
		return w, usagef("--weight %q: label %q is not an integer", text, text[:i])
	}
	return w, nil
}
