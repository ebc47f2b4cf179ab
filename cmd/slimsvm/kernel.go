package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
	"github.com/slimsvm/slimsvm/train/smo"
)

// talkFlags say how a command says what it did.
func talkFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print the summary as a JSON object on standard output"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no summary, warnings or progress"},
	}
}

// kernelFacts are a kernel in JSON: its name, and the parameters that it has.
type kernelFacts struct {
	Name   string           `json:"name"`
	Degree *int             `json:"degree,omitempty"`
	Gamma  *jsonline.Number `json:"gamma,omitempty"`
	Coef0  *jsonline.Number `json:"coef0,omitempty"`
}

func kernelOf(k kernel.Kernel) kernelFacts {
	real := func(v float64) *jsonline.Number { return (*jsonline.Number)(&v) }
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

// multiclassWords are those of --multiclass, the default first.
var multiclassWords = []string{"ovo", "ovr"}

// kernelNames are the kernels that --kernel takes.
var kernelNames = []string{"linear", "poly", "rbf", "sigmoid", "precomputed"}

// parameters returns what the options say, but for weights, for data with the given
// number of features.
func parameters(c *cli.Context, m catalog.Method, features int) (p catalog.Parameters, err error) {
	if p, err = optionsSaid(c, m); err != nil {
		return p, err
	}
	if p.Kernel, err = kernelSaid(c, m, features); err != nil {
		return p, err
	}
	return p, checkSizes(m, &p)
}

// optionsSaid returns what the options say whatever the data, without the kernel. To look up all
// options takes longer than to train on a hundred rows.
func optionsSaid(c *cli.Context, m catalog.Method) (catalog.Parameters, error) {
	p := catalog.Parameters{
		Cost: costOf(c, m), Nu: c.Float64("nu"), Epsilon: epsilonOf(c, m),
		Probability: c.Bool("probability"), Seed: c.Uint64("seed"), Values: methodValues(c),
		Solver: smo.Options{
			Tolerance: c.Float64("tolerance"), CacheMB: c.Float64("cache-mb"), Shrinking: !c.Bool("no-shrinking"),
		},
	}
	p.OneVsRest = c.String("multiclass") == multiclassWords[1]
	p.SortClasses = c.String("as") == wekaSMO
	p.FreeGamma, p.FreeCost = freeGamma(c), !isSet(c, "cost")
	return p, nil
}

// kernelSaid returns the kernel that the options say for data with the given number of features.
func kernelSaid(c *cli.Context, m catalog.Method, features int) (kernel.Kernel, error) {
	gamma, err := gammaOf(c, features)
	if err != nil {
		return nil, err
	}
	kernelName := c.String("kernel")
	if m.Linear {
		if isSet(c, "kernel") && kernelName != "linear" {
			return nil, usagef("method %s has linear machines, and no --kernel %s", m.Name, kernelName)
		}
		kernelName = "linear"
	}
	switch kernelName {
	case "linear":
		return kernel.Linear{}, nil
	case "poly":
		return kernel.Poly{Degree: c.Int("degree"), Gamma: gamma, Coef0: c.Float64("coef0")}, nil
	case "rbf":
		return kernel.RBF{Gamma: gamma}, nil
	case "sigmoid":
		return kernel.Sigmoid{Gamma: gamma, Coef0: c.Float64("coef0")}, nil
	case "precomputed":
		return kernel.Precomputed{}, nil
	default:
		return nil, checkWord(c, "kernel", kernelNames)
	}
}

// weigh adds what the options say of the classes' weights to p, for training on the rows.
// labels are the texts of labels, which may be nil.
func weigh(c *cli.Context, m catalog.Method, p *catalog.Parameters, labels []string, rows rsvm.Rows) (err error) {
	if isBalanced(c) {
		if p.Weights, err = balance(rows); err != nil {
			return err
		}
	}
	for _, text := range c.StringSlice("weight") {
		if text == balanced {
			continue
		}
		w, err := classWeight(text, labels)
		if err != nil {
			return err
		}
		p.Weights = append(p.Weights, w)
	}
	return checkSizes(m, p)
}

// costsOf returns the costs that a method can compute with.
func costsOf(m catalog.Method) *catalog.Range {
	switch {
	case m.Task == models.NuSVR:
		return catalog.Positive
	case m.Has("tolerance"): // LIBSVM's methods take what there is: bounds may be infinite
		return catalog.Above
	}
	most := catalog.Largest
	if m.Linear {
		most = math.MaxFloat32
	}
	return &catalog.Range{
		Expected: fmt.Sprintf("a number above 0 and at most %.3g, the largest that method %s computes with", most, m.Name),
		Has:      func(v float64) bool { return v > 0 && v <= most },
	}
}

// checkSizes returns wrong usage if costs, with the weights of classes or without, are
// larger than can be computed with.
func checkSizes(m catalog.Method, p *catalog.Parameters) error {
	if m.Has("tolerance") {
		return nil
	}
	cost, costs := 1.0, costsOf(m)
	if m.Has("cost") {
		cost = p.Cost
		if !costs.Has(cost) {
			return usagef("a cost of %v: expected %s", cost, costs.Expected)
		}
	}
	for _, w := range p.Weights {
		if !costs.Has(cost * w.Weight) {
			return usagef("a cost of %v times a weight of %v: expected %s", cost, w.Weight, costs.Expected)
		}
	}
	return nil
}

// cutWeight takes LABEL=W apart.
func cutWeight(text string) (label string, weight float64, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return "", 0, usagef("--weight %q: expected LABEL=W", text)
	}
	if weight, err = flags.Number(text[i+1:]); err != nil || !(weight > 0) || math.IsInf(weight, 1) {
		return "", 0, usagef("--weight %q: expected a finite number above 0, found %q", text, text[i+1:])
	}
	return text[:i], weight, nil
}

// fewLabels are so few labels that an error lists them.
const fewLabels = 10

// quoteAll returns texts in quotes, with commas.
func quoteAll(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, strconv.Quote(text))
	}
	return strings.Join(all, ", ")
}

// classWeight reads LABEL=W.
func classWeight(text string, labels []string) (w train.ClassWeight, err error) {
	name, weight, err := cutWeight(text)
	if err != nil {
		return w, err
	}
	w.Weight = weight
	for k, label := range labels {
		if label == name {
			w.Label = k
			return w, nil
		}
	}
	if labels != nil {
		err := usagef("--weight %q: no label %q", text, name)
		if len(labels) <= fewLabels {
			err = usagef("--weight %q: no label %q: there are %s", text, name, quoteAll(labels))
		}
		return w, suggesting(err, name, labels)
	}
	if w.Label, err = strconv.Atoi(name); err != nil {
		return w, usagef("--weight %q: label %q is not an integer", text, name)
	}
	return w, nil
}
