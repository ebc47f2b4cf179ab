package main

import (
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

func reduceCommand(e *env) *cli.Command {
	d := reducedset.Default()
	return &cli.Command{
		Name:      "reduce",
		Usage:     "make a smaller model from a model, slimsvm's or LIBSVM's",
		ArgsUsage: "MODEL DATA OUT",
		Description: "Replaces the support vectors of MODEL by few vectors, and writes the smaller and\n" +
			"faster model to OUT:\n\n" +
			"  slimsvm reduce --vectors 50 big.model train.libsvm small.model\n\n" +
			"MODEL may be LIBSVM's. DATA should be its training data: new coefficients are\n" +
			"trained on it. By default, all machines share the vectors. OUT is in the extended\n" +
			"model format of slimsvm, which slimsvm's svm-predict reads too; slimsvm export\n" +
			"--plain converts it to LIBSVM's.\n\n" +
			"--max-error and --curve need errors on rows that the model has not seen. For these\n" +
			"a model like MODEL, if that is a C-SVC or nu-SVC, is trained and reduced without\n" +
			"a fifth of the rows. Any other MODEL is itself reduced on the other rows, although\n" +
			"it was trained on them. In either case OUT is made from all rows.\n\n" +
			"The costs of errors on classes and the weights of rows count throughout.",
		Flags: append(append([]cli.Flag{
			flags.Int{IntFlag: &cli.IntFlag{Name: "vectors", Value: d.Vectors, Usage: "maximum number of vectors of OUT"}},
			&cli.StringFlag{Name: "method", Value: string(d.Method), Usage: "`NAME` of the method: shared, retrain, greedy, orig (Tang and Mazzoni 2006, except for --next), burges, fixed-point, joint, random or kmeans"},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "cost", Usage: "cost C of errors when coefficients are trained; 0: the default", DefaultText: "for each machine its largest coefficient in MODEL, divided by the factor of the class; for joint the largest of all machines, or the cost that a model of joint names"}},
			flags.NewTexts(cli.StringSliceFlag{Name: "weight", Aliases: []string{"weights"}, Usage: "`LABEL=W`: multiply the cost of errors on class LABEL by W; can be repeated; classes not named have factor 1", DefaultText: "factors found from the coefficients of MODEL"}),
			&cli.StringFlag{Name: "search", Value: searchEvolution, Usage: "how vectors are searched for: evolution, restarts or fixed-point; the methods burges and fixed-point have their own search"},
			flags.Int{IntFlag: &cli.IntFlag{Name: "starts", Value: d.Search.Starts, Usage: "number of starting points for --search restarts and fixed-point, and for the methods fixed-point and burges"}},
			&cli.StringFlag{Name: "next", Value: "behind", Usage: "which machine gets the next vector: behind (the one whose share of errors most exceeds that of MODEL's machine) or worst (the one with the largest share of errors, as in Tang and Mazzoni) (shared, retrain, greedy, joint)"},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "growth", Value: d.Growth, Usage: "vectors to add between two trainings of the coefficients, as a share of the present number; always at least one (shared, joint)"}},
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "max-error", Usage: "stop at the first size whose error on held-out rows is at most MODEL's plus `E`, from 0 to 1: a share of these rows, or for regression of their targets' variance", DefaultText: "no early stop"}},
			&cli.StringFlag{Name: "curve", Usage: "write the size and error of every intermediate model to `FILE`: separated by tabs, or by commas (.csv), or as a plot (.svg, .png)"},
			&cli.BoolFlag{Name: "probability", Usage: "give OUT probabilities: trains and reduces a model like MODEL five more times, each time without a fifth of the rows; a regression or an already reduced model is only reduced again, not trained"},
			flags.NewSeed(math.MaxUint64, "seed of all random choices"),
			threadsFlag("number of threads; results do not depend on it"),
		}, dataFlags(labelOfModel)...), slices.Concat(weightFlags(), talkFlags())...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 3, 3, "a model file, a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothToStdout(c, args[2], "OUT"); err != nil {
				return err
			}
			if err := e.notBothToStdout(c, c.String("curve"), "the curve"); err != nil {
				return err
			}
			if _, err := pictureOf("--curve", c.String("curve")); err != nil {
				return err
			}
			if err := e.notBothFromStdin(place{"the model", args[0]}, place{"the data", args[1]}); err != nil {
				return err
			}
			model, data, out, curve := place{"MODEL", args[0]}, place{"DATA", args[1]}, place{"OUT", args[2]}, place{"--curve", c.String("curve")}
			names := place{"the file of names", namesOfInput(args[1])}
			for _, err := range []error{e.distinct(out, curve), e.apart(out, append(replaced(out, model), data, names, weightPlace(c))...), e.apart(curve, model, data, names, weightPlace(c))} {
				if err != nil {
					return err
				}
			}
			if err := sparesData(c.Context, out); err != nil {
				return err
			}
			return e.reduce(c, args[0], args[1], args[2])
		},
	}
}

// The ways to search for vectors, the default first.
const (
	searchEvolution  = "evolution"
	searchRestarts   = "restarts"
	searchFixedPoint = "fixed-point"
)

var searchWords = []string{searchEvolution, searchRestarts, searchFixedPoint}

// nextWords are those of --next, the default first.
var nextWords = []string{"behind", "worst"}

// reduceMethods are the names of the methods of reduction.
func reduceMethods() []string {
	var names []string
	for _, m := range reducedset.Methods {
		if m == reducedset.Random { // before the baselines
			names = append(names, jointMethod)
		}
		names = append(names, string(m))
	}
	return names
}

// reducer returns what the options say.
func reducer(c *cli.Context) (r reducedset.Reducer, err error) {
	r = reducedset.Default()
	if r.Method = reducedset.Method(c.String("method")); r.Method == jointMethod {
		r.Method = reducedset.Shared // to begin with
	}
	r.Vectors, r.Cost, r.Growth, r.Seed = c.Int("vectors"), c.Float64("cost"), c.Float64("growth"), c.Uint64("seed")
	r.Search.Starts, r.Threads = c.Int("starts"), threads(c)
	switch c.String("search") {
	case searchEvolution:
		r.Search.Method = reducedset.Evolution
	case searchRestarts:
		r.Search.Method = reducedset.Restarts
	case searchFixedPoint:
		r.Search.Method = reducedset.FixedPoint
	}
	if c.String("next") == nextWords[1] {
		r.Next = reducedset.LeastAccurate
	}
	for _, o := range []struct {
		name string
		r    *catalog.Range
	}{{"vectors", catalog.FromOne}, {"starts", catalog.FromOne}, {"cost", catalog.Least}, {"growth", catalog.ZeroToOne}, {"max-error", catalog.ZeroToOne}} {
		if err := inRange(c, o.name, o.r); err != nil {
			return r, err
		}
	}
	if r.Seed > mostRandSeed && (c.String("method") == jointMethod || c.Bool("probability")) {
		return r, usagef("--seed %d: --method %s and --probability take 0 to %d", r.Seed, jointMethod, uint64(mostRandSeed))
	}
	if err := checkThreads(c); err != nil {
		return r, err
	}
	if err := r.Validate(); err != nil {
		return r, usageError{err}
	}
	return r, nil
}
