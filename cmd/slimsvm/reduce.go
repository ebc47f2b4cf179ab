package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
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
			flags.Float{Float64Flag: &cli.Float64Flag{Name: "cost", Usage: "cost C of errors when coefficients are trained; 0: the default", DefaultText: "for each machine its largest coefficient in MODEL, divided by the factor of the class; for joint the largest of all machines"}},
			flags.NewTexts(cli.StringSliceFlag{Name: "weight", Aliases: []string{"weights"}, Usage: "`LABEL=W`: multiply the cost of errors on class LABEL by W; can be repeated; classes not named have factor 1", DefaultText: "factors found from the coefficients of MODEL"}),
			&cli.StringFlag{Name: "search", Value: searchEvolution, Usage: "how vectors are searched for: evolution, restarts or fixed-point; the methods burges and fixed-point have their own search"},
			flags.Int{IntFlag: &cli.IntFlag{Name: "starts", Value: d.Search.Starts, Usage: "number of starting points for --search restarts and fixed-point, and for the methods fixed-point and burges"}},
			&cli.StringFlag{Name: "next", Value: "behind", Usage: "which machine gets the next vector: behind (the one with the most errors in excess of MODEL's machine) or worst (the one with the most errors, as in Tang and Mazzoni) (shared, retrain, greedy, joint)"},
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
			if err := e.notBoth(c, args[2], "OUT"); err != nil {
				return err
			}
			if err := e.notBoth(c, c.String("curve"), "the curve"); err != nil {
				return err
			}
			if _, err := pictureOf("--curve", c.String("curve")); err != nil {
				return err
			}
			if err := e.notTwice(place{"the model", args[0]}, place{"the data", args[1]}); err != nil {
				return err
			}
			model, data, out, curve := place{"MODEL", args[0]}, place{"DATA", args[1]}, place{"OUT", args[2]}, place{"--curve", c.String("curve")}
			names := place{"the file of names", namesOfInput(args[1])}
			for _, err := range []error{e.distinct(out, curve), e.apart(out, append(replaced(out, model), data, names, weightPlace(c))...), e.apart(curve, model, data, names, weightPlace(c))} {
				if err != nil {
					return err
				}
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

func (e *env) reduce(c *cli.Context, model, data, out string) error {
	start := time.Now()
	r, err := reducer(c)
	if err != nil {
		return err
	}
	p, encoding, err := e.loadModel(model)
	if err != nil {
		return err
	}
	model = inputName(model)
	m := p.Model()
	if _, ok := m.Kernel.(kernel.Precomputed); ok { // whose rows need kernel values, which nobody looks for before
		return format.WithPath(fmt.Errorf("%w, not %s", reducedset.ErrKernel, kernel.Name(m.Kernel)), model)
	}
	if m.Vote == models.Ensemble {
		return hinted{format.WithPath(fmt.Errorf("an ensemble of %d hyperplanes cannot be reduced", len(m.Machines)), model), "train a smaller one: psvm with --sampling, or either method with fewer --rows"}
	}
	w := &warner{env: e, quiet: c.Bool("quiet")}
	exact, err := reducedset.Exact(c.Context, m, r.Vectors)
	if err != nil {
		return format.WithPath(err, model)
	}
	w.warnUnheeded(c, m, model, exact)
	in, err := e.open(c, data)
	if err != nil {
		return err
	}
	data = inputName(data)
	rows, places, err := e.trainingRows(in, c.String("class"), encoding, w, nil)
	if err != nil {
		return err
	}
	if m.Task.Classifies() {
		wholeLabels(rows, w, data, places)
		rows, places = w.known(rows, places, m.Labels, data)
	}
	of, err := parentOf(c, m, rows, encoding)
	if err != nil {
		return places.fault(data, err)
	}
	r.Weights = of.costs.Weights
	if move(c) && unsearchable(m) {
		r.Method = reducedset.KMeans
	}
	var t *trial
	curve, at := c.String("curve"), places
	if isSet(c, "max-error") || curve != "" {
		if t, at, err = e.try(c, r, of, rows, places); err == errFewRows {
			return format.WithPath(err, data)
		}
		if err == nil && t.ended {
			r.Vectors = max(1, t.most)
		}
	}
	var small *models.Model
	if err == nil {
		at = places
		small, err = e.reduced(c, &r, of, rows, false, func(*models.Model) error { return nil })
	}
	if err == nil && c.Bool("probability") {
		small, err = e.withProbabilities(c, &r, of, small, rows)
	}
	var without *reducedset.LabelError
	switch {
	case errors.Is(err, errJoint):
		return format.WithPath(err, model)
	case errors.As(err, &without):
		err = fmt.Errorf("%w: label %s", reducedset.ErrLabels, phrase.Word(labelText(encoding, without.Label)))
		fallthrough
	case errors.Is(err, reducedset.ErrLabels):
		return hinted{format.WithPath(err, data), "reduce with the data that the model was trained on"}
	case errors.Is(err, reducedset.ErrKernel) && unsearchable(m):
		return hinted{format.WithPath(err, model), "--method joint, kmeans and random need no pre-images"}
	case errors.Is(err, reducedset.ErrKernel), errors.Is(err, reducedset.ErrRBF):
		return format.WithPath(err, model)
	case err != nil:
		return at.rowFault(data, err)
	}
	switch {
	case small == m:
		w.warn("%s: it has %s already", model, phrase.Count(m.Vectors.Len(), "vector"))
	case of.untold(c, exact):
		w.warn("%s: its coefficients do not show the costs of errors, which are taken to be the same for all classes: set them with --cost and --weight", model)
	}
	if small != m {
		w.warnFactors(c, of, encoding, model, exact)
	}
	w.warnBare(c, m, small, out)
	if t == nil {
		if err := w.warnLost(c, m, small, rows, out); err != nil {
			return err
		}
	}
	if t != nil && !of.trainable() {
		w.warn("%s: no model like it can be trained without the held-out rows: the errors are those of this model and of smaller ones made from it, which has seen these rows, and may look better than they are", model)
	}
	if m.Probability && !small.Probability {
		w.warn("%s: it has no probabilities, which %s has%s", out, model, hintOfProbability(m))
	}
	if t != nil && isSet(c, "max-error") && !t.ended {
		w.warn("%s: the error is above what --max-error allows at %s too", out, phrase.Count(t.last().Vectors, "vector"))
	}
	var also []*format.Output
	if curve != "" {
		drawn, err := e.begunOutput(c, curve, curveText(curve, t.sizes, t.parent, m.Vectors.Len()))
		if err != nil {
			return err
		}
		defer drawn.Abort()
		also = append(also, drawn)
	}
	if err := e.writeModel(c, out, small, also...); err != nil {
		return err
	}
	said := &reduction{
		Model: out, Method: c.String("method"), Vectors: small.Vectors.Len(), Parent: m.Vectors.Len(), Machines: len(small.Machines),
		Rows: rows.Len(), Seed: r.Seed, Seconds: jsonline.Number(time.Since(start).Seconds()),
	}
	if t != nil {
		said.Held, said.Curve, said.ParentError = t.held.Len(), t.sizes, (*jsonline.Number)(&t.parent)
	}
	if said.Vectors < r.Vectors && (t == nil || !t.ended) && !exact && small != m {
		said.Asked = r.Vectors
	}
	for _, f := range of.costs.Weights {
		said.Weights = append(said.Weights, weighed{labelText(encoding, f.Label), jsonline.Number(f.Weight)})
	}
	return e.sayReduced(c, said)
}

// unsearchable reports whether a model has a kernel without pre-images that vectors may
// nevertheless be found for.
func unsearchable(m *models.Model) bool {
	_, ok := m.Kernel.(kernel.Sigmoid)
	return ok
}

// hintOfProbability says how a reduction of m has probabilities as well.
func hintOfProbability(m *models.Model) string {
	if m.Task == models.OneClass {
		return ""
	}
	return ": --probability gives it some"
}

// writeModel writes a model, and files that belong to it: all of them or none.
func (e *env) writeModel(c *cli.Context, path string, m *models.Model, also ...*format.Output) error {
	out, err := e.create(c.Context, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := models.Write(out, m); err != nil {
		return err
	}
	return format.CloseAll(append(also, out)...)
}

// begunOutput begins to write a file, or with - to standard output, with a text.
func (e *env) begunOutput(c *cli.Context, path string, text []byte) (*format.Output, error) {
	out, err := e.create(c.Context, path)
	if err != nil {
		return nil, err
	}
	if _, err := out.Write(text); err != nil {
		out.Abort()
		return nil, err
	}
	return out, nil
}

// writeOutput writes a file, or with - to standard output.
func (e *env) writeOutput(c *cli.Context, path string, text []byte) error {
	out, err := e.begunOutput(c, path, text)
	if err != nil {
		return err
	}
	return out.Close()
}

// A reduction says what was done.
type reduction struct {
	Model       string           `json:"model"`
	Method      string           `json:"method"`
	Vectors     int              `json:"vectors"`
	Asked       int              `json:"asked,omitempty"` // 0: as many were found as were asked for
	Parent      int              `json:"parent_vectors"`
	Machines    int              `json:"machines"`
	Rows        int              `json:"rows"`
	Weights     []weighed        `json:"weights,omitempty"` // none: errors on all classes cost alike
	Held        int              `json:"held_out,omitempty"`
	ParentError *jsonline.Number `json:"parent_error,omitempty"` // nil: no rows are held out
	Curve       []sized          `json:"curve,omitempty"`
	Seed        uint64           `json:"seed"`
	Seconds     jsonline.Number  `json:"seconds"`
}

// weighed is the factor on the cost of errors on a class.
type weighed struct {
	Label  string          `json:"label"`
	Weight jsonline.Number `json:"weight"`
}

func (e *env) sayReduced(c *cli.Context, r *reduction) error {
	if c.Bool("json") {
		return jsonline.Print(e.stdout, r)
	}
	if c.Bool("quiet") {
		return nil
	}
	held := ""
	if n := len(r.Curve); n > 0 {
		kind := "error"
		if r.Weights != nil {
			kind = "weighted error"
		}
		held = fmt.Sprintf("; %s on %d rows held out %.4g, was %.4g", kind, r.Held, float64(r.Curve[n-1].Error), float64(*r.ParentError))
	}
	found := ""
	if r.Asked > 0 {
		found = ", no more were found"
	}
	e.say("%s: %s instead of %d%s%s; %.2f s", r.Model, phrase.Count(r.Vectors, "vector"), r.Parent, found, held, float64(r.Seconds))
	return nil
}
