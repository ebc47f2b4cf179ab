package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/reducedset"
)

// A reduction is the work of the command on one model.
type reduction struct {
	warner
	c                *cli.Context
	reducer          reducedset.Reducer // as the options say
	model, data, out string             // what messages call the files
	parent           *parent
	encoding         *encode.Encoding // of the parent's inputs; nil: it has none
	exact            bool             // nothing is lost
	rows             *format.Dataset
	places           *rowPlaces // of rows
	trial            *trial     // nil: no rows are held out
	small            *models.Model
}

func (e *env) reduce(c *cli.Context, model, data, out string) error {
	start := time.Now()
	r := &reduction{warner: warner{env: e, quiet: c.Bool("quiet")}, c: c, out: out}
	if err := r.readModel(model); err != nil {
		return err
	}
	if err := r.readRows(data); err != nil {
		return err
	}
	if err := r.run(); err != nil {
		return err
	}
	if err := r.warnOfResult(); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	return r.print(r.report(start))
}

// readModel reads the options and the model, and returns an error if the model is none that can be reduced.
func (r *reduction) readModel(path string) (err error) {
	if r.reducer, err = reducer(r.c); err != nil {
		return err
	}
	p, encoding, err := r.loadModel(path)
	if err != nil {
		return err
	}
	r.model, r.encoding, r.parent = inputName(path), encoding, &parent{Model: p.Model()}
	m := r.parent.Model
	if _, ok := m.Kernel.(kernel.Precomputed); ok { // whose rows need kernel values, which nobody looks for before
		return format.WithPath(fmt.Errorf("%w, not %s", reducedset.ErrKernel, kernel.Name(m.Kernel)), r.model)
	}
	if m.Vote == models.Ensemble {
		return hinted{format.WithPath(fmt.Errorf("an ensemble of %d hyperplanes cannot be reduced", len(m.Machines)), r.model), "train a smaller one: psvm with --sampling, or either method with fewer --rows"}
	}
	if r.exact, err = reducedset.Exact(r.c.Context, m, r.reducer.Vectors); err != nil {
		return format.WithPath(err, r.model)
	}
	r.warnUnheeded()
	return nil
}

// readRows reads the data, and finds the costs of errors on them.
func (r *reduction) readRows(path string) error {
	in, err := r.open(r.c, path)
	if err != nil {
		return err
	}
	r.data = inputName(path)
	if r.rows, r.places, err = r.trainingRows(in, r.c.String("class"), r.encoding, &r.warner, nil); err != nil {
		return err
	}
	if m := r.parent.Model; m.Task.Classifies() {
		wholeLabels(r.rows, &r.warner, r.data, r.places)
		r.rows, r.places = r.known(r.rows, r.places, m.Labels, r.data)
	}
	if err := r.parent.findCosts(r.c, r.rows, r.encoding); err != nil {
		return r.places.fault(r.data, err)
	}
	r.reducer.Weights = r.parent.costs.Weights
	if r.isJoint() && unsearchable(r.parent.Model) {
		r.reducer.Method = reducedset.KMeans
	}
	return nil
}

// run reduces the model, first without some rows if their errors are asked for.
func (r *reduction) run() error {
	if isSet(r.c, "max-error") || r.c.String("curve") != "" {
		places, err := r.try()
		if err != nil {
			return r.explained(err, places)
		}
		if r.trial.ended {
			r.reducer.Vectors = max(1, r.trial.most)
		}
	}
	small, err := r.reduced(r.parent, r.rows, nil)
	if errors.Is(err, train.ErrOverflow) && !errors.As(err, new(*train.RowError)) {
		err = format.WithPath(err, r.model)
	}
	if err == nil && r.c.Bool("probability") {
		small, err = r.withProbabilities(small)
	}
	r.small = small
	return r.explained(err, r.places)
}

// explained gives an error of reducing the file that it is about, and a hint if there is one. places are those of the rows
// that were used.
func (r *reduction) explained(err error, places *rowPlaces) error {
	var without *reducedset.LabelError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errFewRows):
		return format.WithPath(err, r.data)
	case errors.Is(err, errJoint):
		return format.WithPath(err, r.model)
	case errors.As(err, &without):
		err = fmt.Errorf("%w: label %s", reducedset.ErrLabels, phrase.Word(labelText(r.encoding, without.Label)))
		fallthrough
	case errors.Is(err, reducedset.ErrLabels):
		return hinted{format.WithPath(err, r.data), "reduce with the data that the model was trained on"}
	case errors.Is(err, reducedset.ErrKernel) && unsearchable(r.parent.Model):
		return hinted{format.WithPath(err, r.model), "--method joint, kmeans and random need no pre-images"}
	case errors.Is(err, reducedset.ErrKernel), errors.Is(err, reducedset.ErrRBF):
		return format.WithPath(err, r.model)
	}
	return places.rowFault(r.data, err)
}

// write writes the smaller model, and the curve if that is asked for: both or none.
func (r *reduction) write() error {
	var also []*format.Output
	if curve := r.c.String("curve"); curve != "" {
		drawn, err := r.begunOutput(r.c, curve, curveText(curve, r.trial.sizes, r.trial.parent, r.parent.Vectors.Len()))
		if err != nil {
			return err
		}
		defer drawn.Abort()
		also = append(also, drawn)
	}
	return r.writeModel(r.c, r.out, r.small, also...)
}

// unsearchable reports whether a model has a kernel without pre-images that vectors may
// nevertheless be found for.
func unsearchable(m *models.Model) bool {
	_, ok := m.Kernel.(kernel.Sigmoid)
	return ok
}

// reductionReport is what --json says of a reduction.
type reductionReport struct {
	Model       string           `json:"model"`
	Method      string           `json:"method"`
	Vectors     int              `json:"vectors"`
	Asked       int              `json:"asked,omitempty"` // 0: as many were found as were asked for
	Parent      int              `json:"parent_vectors"`
	Machines    int              `json:"machines"`
	Rows        int              `json:"rows"`
	Weights     []labelWeight    `json:"weights,omitempty"` // factors on the costs of errors; none: they are the same for all classes
	Held        int              `json:"held_out,omitempty"`
	ParentError *jsonline.Number `json:"parent_error,omitempty"` // nil: no rows are held out
	Curve       []curvePoint     `json:"curve,omitempty"`
	Seed        uint64           `json:"seed"`
	Seconds     jsonline.Number  `json:"seconds"`
}

// report sums up the reduction, which began at start.
func (r *reduction) report(start time.Time) *reductionReport {
	report := &reductionReport{
		Model: r.out, Method: r.c.String("method"), Vectors: r.small.Vectors.Len(), Parent: r.parent.Vectors.Len(), Machines: len(r.small.Machines),
		Rows: r.rows.Len(), Seed: r.reducer.Seed, Seconds: jsonline.Number(time.Since(start).Seconds()),
	}
	if t := r.trial; t != nil {
		report.Held, report.Curve, report.ParentError = t.held.Len(), t.sizes, (*jsonline.Number)(&t.parent)
	}
	if report.Vectors < r.reducer.Vectors && (r.trial == nil || !r.trial.ended) && !r.exact && r.small != r.parent.Model {
		report.Asked = r.reducer.Vectors
	}
	for _, f := range r.parent.costs.Weights {
		report.Weights = append(report.Weights, labelWeight{labelText(r.encoding, f.Label), jsonline.Number(f.Weight)})
	}
	return report
}

// print prints a report as the options want it.
func (r *reduction) print(report *reductionReport) error {
	if r.c.Bool("json") {
		return jsonline.Print(r.stdout, report)
	}
	if r.quiet {
		return nil
	}
	held := ""
	if n := len(report.Curve); n > 0 {
		kind := "error"
		if report.Weights != nil {
			kind = "weighted error"
		}
		held = fmt.Sprintf("; %s on %d rows held out %.4g, was %.4g", kind, report.Held, float64(report.Curve[n-1].Error), float64(*report.ParentError))
	}
	found := ""
	if report.Asked > 0 {
		found = ", no more were found"
	}
	r.say("%s: %s instead of %d%s%s; %.2f s", report.Model, phrase.Count(report.Vectors, "vector"), report.Parent, found, held, float64(report.Seconds))
	return nil
}
