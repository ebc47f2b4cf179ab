package main

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func gridCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "grid",
		Usage:     "find the best cost and gamma by cross-validation",
		ArgsUsage: "DATA [MODEL]",
		Description: "Cross-validates a method with each cost and gamma of a grid and prints the best;\n" +
			"with MODEL, also trains a model with them on all rows:\n\n" +
			"  slimsvm grid --scale normalize iris.arff iris.model\n\n" +
			"All points have the same folds, those of cv. --cost or --gamma, where given,\n" +
			"is not searched. --score names the score that decides; by default it is the\n" +
			"accuracy, or for regression the mean squared error. Of equally good points, the\n" +
			"one with the lowest cost is taken, then the one with the lowest gamma.\n\n" +
			"The best score of many is optimistic. To learn what to expect of MODEL, test it\n" +
			"on rows that had no part in the search.\n\n" +
			"Methods in parentheses are those that have the option. --method M --help lists\n" +
			"the options of method M only, with its defaults.",
		Flags: slices.Concat(trainFlags(), foldGroupFlags(), []cli.Flag{
			flags.Int{IntFlag: &cli.IntFlag{Name: "folds", Value: 5, Usage: "number of folds, 2 or more"}},
			flags.Int{IntFlag: &cli.IntFlag{Name: "repeat", Value: 1, Usage: "number of cross-validations to average at each grid point, each with new folds"}},
			&cli.StringFlag{Name: "log2c", Usage: "costs to try, as exponents of 2: `BEGIN,END,STEP`", DefaultText: ofClasses.cost + "; for regression " + ofTargets.cost},
			&cli.StringFlag{Name: "log2g", Usage: "gammas to try, as exponents of 2: `BEGIN,END,STEP`", DefaultText: ofClasses.gamma + "; for regression " + ofTargets.gamma},
			&cli.StringFlag{Name: "log2p", Usage: "epsilons to try, as exponents of 2: `BEGIN,END,STEP` (" + strings.Join(having("epsilon", true), ", ") + ")", DefaultText: "--epsilon alone"},
			scoreFlag(),
		}, gridFileFlags()),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 2, "a data file and, optionally, a model file")
			if err != nil {
				return err
			}
			if err := checkFolds(c); err != nil {
				return err
			}
			if err := checkThreads(c); err != nil {
				return err
			}
			model := ""
			if len(args) == 2 {
				model = args[1]
				if err := e.notBothToStdout(c, model, "MODEL"); err != nil {
					return err
				}
			}
			if err := e.checkGridFiles(c, args[0], model); err != nil {
				return err
			}
			if err := sparesData(c.Context, place{"MODEL", model}); err != nil {
				return err
			}
			return e.grid(c, args[0], model)
		},
	}
}

// The grids that are searched when none is given: those of LIBSVM's scripts for
// classes and for targets.
var (
	ofClasses = ranges{cost: "-5,15,2", gamma: "3,-15,-2"}
	ofTargets = ranges{cost: "-1,6,1", gamma: "0,-8,-1"}
)

type ranges struct{ cost, gamma string }

// An axis of a grid is a parameter and the values that it takes, in increasing order.
type axis struct {
	name      string // "cost", "gamma" or "epsilon"
	option    string // with which its values are given
	values    []float64
	exponents []float64 // of 2
}

// axes returns what the grid of a problem is made of, whose kernel is k.
func axes(c *cli.Context, m catalog.Method, k kernel.Kernel) ([]axis, error) {
	defaults := ofClasses
	if m.Task.Regresses() {
		defaults = ofTargets
	}
	var list []axis
	for _, a := range []struct {
		name, option, values string
		has                  bool
		lacking              string
	}{
		{"cost", "log2c", defaults.cost, m.Has("cost"), "method " + m.Name},
		{"gamma", "log2g", defaults.gamma, hasGamma(k), "kernel " + kernelOf(k).Name},
		{"epsilon", "log2p", "", m.Has("epsilon"), "method " + m.Name},
	} {
		switch {
		case isSet(c, a.option) && !a.has:
			return nil, usagef("--%s: %s has no %s", a.option, a.lacking, a.name)
		case isSet(c, a.option) && isSet(c, a.name):
			return nil, usagef("--%s and --%s both say what the %s is", a.name, a.option, a.name)
		case isSet(c, a.option):
			a.values = c.String(a.option)
		case !a.has || isSet(c, a.name) || a.values == "":
			continue
		}
		exponents, err := exponents(a.values)
		if err != nil {
			return nil, err // checkPowers said so
		}
		list = append(list, axis{a.name, a.option, powersOf(exponents), exponents})
	}
	if len(list) == 0 {
		return nil, usagef("there is nothing to search: cost and gamma are given, or the method and kernel have none; use cv to score a single point")
	}
	if n := pointsOf(list); n > mostPoints {
		return nil, usagef("the grid has %d points, more than %d: narrow it, or search it in wider steps first", n, mostPoints)
	}
	return list, nil
}

// hasGamma reports whether a kernel has the parameter gamma.
func hasGamma(k kernel.Kernel) bool { return kernelOf(k).Gamma != nil }

// mostExponent bounds exponents, so that powers are costs that can be computed with.
const mostExponent = 300

// mostValues bounds the values of an axis, mostPoints those of a grid, for each of which there is a training at least.
const mostValues, mostPoints = 1000, 1_000_000

// pointsOf returns how many points a grid has.
func pointsOf(axes []axis) int64 {
	n := int64(1)
	for _, a := range axes {
		n *= int64(len(a.values))
	}
	return n
}

// powersOf returns the powers of 2 with some exponents.
func powersOf(exponents []float64) []float64 {
	values := make([]float64, len(exponents))
	for i, x := range exponents {
		values[i] = power(x)
	}
	return values
}

// exponents returns BEGIN, BEGIN+STEP, ... up to END or, if STEP is negative, down to it; in increasing
// order.
func exponents(text string) ([]float64, error) {
	words := strings.Split(text, ",")
	if len(words) != 3 {
		return nil, fmt.Errorf("expected BEGIN,END,STEP")
	}
	var n [3]float64
	for i, word := range words {
		v, err := flags.Number(strings.TrimSpace(word))
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("expected numbers, found %q", word)
		}
		if math.Abs(v) > mostExponent {
			return nil, fmt.Errorf("%v: expected at most %d, and at least -%d", v, mostExponent, mostExponent)
		}
		n[i] = v
	}
	begin, end, step := n[0], n[1], n[2]
	if step == 0 || (end-begin)/step < 0 {
		return nil, fmt.Errorf("a step of %v does not lead from %v to %v", step, begin, end)
	}
	const slack = 1e-9 // of steps: 0,1,0.1 has eleven values
	steps := math.Floor((end-begin)/step + slack)
	if steps >= mostValues {
		return nil, fmt.Errorf("that is more than %d values", mostValues)
	}
	count := int(steps) + 1
	values := make([]float64, count)
	for i := range values {
		k := i
		if step < 0 {
			k = count - 1 - i
		}
		values[i] = begin + float64(float64(k)*step)
	}
	return values, nil
}

// power returns the float64 nearest to 2^x, which is what LIBSVM's grid.py tries, and the same on every
// processor. A fraction of x is a sum of 1/2, 1/4, ..., and its power the product of as many roots.
func power(x float64) float64 {
	const precision = 128
	whole, fraction := math.Modf(x)
	product := big.NewFloat(1).SetPrec(precision)
	root := big.NewFloat(2).SetPrec(precision)
	rest := math.Abs(fraction)
	for k := 0; k < precision && rest > 0; k++ { // more leave the product as it is
		root.Sqrt(root)
		if rest *= 2; rest >= 1 {
			product.Mul(product, root)
			rest--
		}
	}
	if fraction < 0 {
		product.Quo(big.NewFloat(1).SetPrec(precision), product)
	}
	v, _ := product.SetMantExp(product, int(whole)).Float64()
	return v
}

// checkPowers returns wrong usage if an option is given that is no range.
func checkPowers(c *cli.Context, option string) error {
	if !isSet(c, option) {
		return nil
	}
	_, err := exponents(c.String(option))
	if err == nil {
		return nil
	}
	err = usagef("--%s %q: %w", option, c.String(option), err)
	if value := ofAxis[option]; c.String(option) == "null" && value != "" {
		return hinted{err, fmt.Sprintf("grid.py's -%s null is --%s VALUE here: what is given is not searched", option, value)}
	}
	return err
}

// ofAxis has the option for the value of what is searched, by the option for its range.
var ofAxis = map[string]string{"log2c": "cost", "log2g": "gamma", "log2p": "epsilon"}

// A point of a grid has a value for each of its axes.
type point []float64

// points returns all points of a grid, in increasing order of the first axis, then of the
// second, and so on.
func points(axes []axis) []point {
	all := []point{nil}
	for _, a := range axes {
		var more []point
		for _, p := range all {
			for _, v := range a.values {
				more = append(more, append(p[:len(p):len(p)], v))
			}
		}
		all = more
	}
	return all
}

// at returns what gives parameters a point's values.
func at(axes []axis, p point) func(*catalog.Parameters) {
	return func(q *catalog.Parameters) {
		for i, a := range axes {
			switch v := p[i]; a.name {
			case "cost":
				q.Cost, q.FreeCost = v, false
			case "epsilon":
				q.Epsilon = v
			case "gamma":
				q.Kernel, q.FreeGamma = withGamma(q.Kernel, v), false
			}
		}
	}
}

// withGamma returns a kernel that differs from k in gamma only.
func withGamma(k kernel.Kernel, gamma float64) kernel.Kernel {
	switch k := k.(type) {
	case kernel.RBF:
		k.Gamma = gamma
		return k
	case kernel.Poly:
		k.Gamma = gamma
		return k
	case kernel.Sigmoid:
		k.Gamma = gamma
		return k
	}
	panic(fmt.Sprintf("slimsvm: a %T has no gamma", k))
}

// grid searches the grid that the options say, and trains with the best of it unless model is "".
func (e *env) grid(c *cli.Context, data, model string) error {
	start := time.Now()
	p, err := e.load(c, data)
	if err != nil {
		return err
	}
	by, err := chosenByOf(c, p.method)
	if err != nil && p.byChoice() != "" {
		return hinted{err, "this method was chosen because labels are numbers; if they are classes, say --method " + catalog.Methods[0].Name}
	}
	if err != nil {
		return err
	}
	if err := by.calibrate(e, c); err != nil {
		return err
	}
	w := &watcher{warner: warner{env: e, quiet: c.Bool("quiet")}}
	whole, err := p.prepare(c.Context, c, p.rows, 0, w)
	if err != nil {
		return err
	}
	w.warnUnscaled(p, whole, whole.kernel)
	w.warnExtraDuplicates(c, p, whole)
	said := w.said // of all rows, on which MODEL is trained; what folds are warned of is another matter
	axes, err := axes(c, p.method, whole.kernel)
	if err != nil {
		return err
	}
	s := newSearch(p, c, whole, axes, by)
	if err := s.start(w); err != nil {
		return err
	}
	end := e.watch(c.Bool("quiet"), "training", progress.Trainings, s.total(), s.done.Load)
	err = s.run(c.Context, threads(c))
	end()
	if err != nil {
		return err
	}
	r, best, err := s.result(w)
	if err != nil {
		return err
	}
	var unsaid error
	if !c.Bool("json") {
		out := e.stdout
		if e.isStdout(model) { // nothing but the model goes there
			out = e.stderr
		}
		unsaid = r.print(out, axes, by) // MODEL is trained though this be lost
	}
	s.warnBorder(w, best)
	failed := bothErrors(e.writePoints(c, s), e.drawSearch(c, s, r, best)) // or these
	if model != "" {
		p.with = at(axes, best)
		r.Trained, err = e.trainOn(c, p, model, start, said)
		failed = bothErrors(failed, err)
	}
	if c.Bool("json") { // the search is reported though the model be lost
		if err := jsonline.Print(e.stdout, r); err != nil && failed == nil {
			return err
		}
		return failed
	}
	if r.Trained != nil {
		if err := r.Trained.print(e, c); err != nil && failed == nil {
			failed = err
		}
	}
	if failed == nil {
		return unsaid
	}
	return failed
}
