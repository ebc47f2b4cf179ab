package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// A problem is a training set as it was read: with declared columns raw rows
// that are yet to be encoded, otherwise numbers as they stand.
type problem struct {
	in       *input
	rows     *format.Dataset
	places   *rowPlaces // of the rows
	weighted []int      // numbers of the rows in the file, without those of weight 0; nil: they are all
	inFile   int        // rows of the file
	groups   []int      // of the rows; nil: there are none
	grouping *rowGroups // of the rows of the file
	method   catalog.Method
	chosen   bool // the method is the one that fits the label, since none was named
	encode   encode.Options
	preset   string
	said     *catalog.Parameters // what the options say whatever the rows; nil: nothing was prepared yet

	given   bool // columns are values of a precomputed kernel
	threads int  // of each training; 0: one a processor
	part    bool // rows are prepared that are not all
	// with changes what the options say, at a point of a grid; nil: they hold.
	with func(*catalog.Parameters)
	// extra reads the rows of --extra for those that are prepared; nil: there are none.
	extra func(r *prepared, part bool) (*format.Dataset, error)
}

// The presets.
const (
	wekaSMO    = "weka-smo"
	wekaLibSVM = "weka-libsvm"
)

// Words of options: those of --as, and of --scale.
var (
	presets  = []string{wekaSMO, wekaLibSVM}
	scalings = []string{noScaling, string(encode.Normalize), string(encode.Standardize)}
)

const noScaling = "none"

// load reads a training set and settles method and encoding.
func (e *env) load(c *cli.Context, path string) (*problem, error) {
	if err := e.notBothFromStdin(place{"the data", path}, place{"--" + catalog.Extra, c.String(catalog.Extra)}); err != nil {
		return nil, err
	}
	in, err := e.open(c, path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if at := in.WeightColumn(); at >= 0 {
		e.weighted = in.header.Attributes[at].Name
	}
	in.keepGroups()
	(&warner{env: e, quiet: c.Bool("quiet")}).warnTraining(in)
	p, err := problemOf(c, in)
	if err != nil {
		return nil, err
	}
	if err := p.chooseMethod(c, c.String("method")); err != nil {
		return nil, err
	}
	p.given = in.declared() && c.String("kernel") == "precomputed" && p.method.Kernels == nil && !p.method.Linear
	w := &warner{env: e, quiet: c.Bool("quiet")}
	w.warnScaling(c, p.encode)
	w.warnIdle(c, p.method)
	p.watchClasses(w)
	in.places = in.newPlaces()
	if p.rows, err = format.ReadAll(c.Context, in); err != nil {
		return nil, in.at(err)
	}
	if p.rows.Len() == 0 {
		return nil, in.at(train.ErrNoData)
	}
	all := p.rows
	p.inFile = all.Len()
	if p.preset != wekaLibSVM { // which trains on rows of weight 0 like others
		if p.rows, p.weighted, err = train.DropZeroWeights(p.rows); err != nil {
			return nil, in.places.fault(in.path, err)
		}
	}
	p.places = in.places.selected(p.weighted)
	groups, err := e.rowGroups(c, in, p.inFile)
	if err != nil {
		return nil, err
	}
	if groups != nil {
		p.groups, p.grouping = groups.selected(p.weighted), groups
	}
	p.warnChosen(w)
	p.warnUnlabelled(w)
	p.warnLeftOut(w)
	w.warnSmallWeights(p, len(p.rows.Weight), sum(p.rows.Weight))
	w.warnSample(c, p)
	if !p.given { // else rows are numbered
		w.warnRowNumbers(p, in.Numbered(all, p.method.Task.Regresses()))
	}
	if !in.declared() {
		var labels numberLabels
		for i, y := range p.rows.Y {
			labels.add(i, y)
		}
		labels.warn(w, p)
	}
	if extra := c.String(catalog.Extra); extra != "" {
		open, err := e.reopened(c, extra)
		if err != nil {
			return nil, err
		}
		var told atomic.Bool // folds need not warn again
		p.extra = func(r *prepared, part bool) (*format.Dataset, error) {
			in, err := open()
			if err != nil {
				return nil, err
			}
			x := extraRows{in: in, prepared: r, numbers: p.method.Task.Regresses(), part: part}
			return x.read(e, &warner{env: e, quiet: told.Swap(true) || c.Bool("quiet")})
		}
	}
	return p, nil
}

// problemOf returns the problem of a data file whose rows are yet to be read.
func problemOf(c *cli.Context, in *input) (p *problem, err error) {
	p = &problem{in: in, preset: c.String("as")}
	if p.encode, err = encodeOptions(c); err != nil {
		return nil, err
	}
	p.encode.DecimalComma = in.DecimalComma()
	if err := in.dropsDeclared(c.StringSlice(drop)); err != nil {
		return nil, err
	}
	if !in.declared() && p.encode.Scaling != encode.None {
		return nil, hinted{in.at(errors.New("columns are not declared, so that scaling cannot be kept with the model")), "scale the data first, with slimsvm scale, or convert them to ARFF or CSV"}
	}
	return p, nil
}

// encodeOptions returns what preset and options say of the encoding.
func encodeOptions(c *cli.Context) (o encode.Options, err error) {
	o.Class, o.ColumnsFirst, o.Drop = c.String("class"), c.Bool("scale-first"), droppedBy(c)
	switch c.String("as") {
	case "", wekaLibSVM:
	case wekaSMO:
		o.Scaling = encode.Normalize
	default:
		return o, checkWord(c, "as", presets)
	}
	switch s := encode.Scaling(c.String("scale")); s {
	case noScaling:
		o.Scaling = encode.None
	case encode.None:
	case encode.Normalize, encode.Standardize:
		o.Scaling = s
	default:
		return o, checkWord(c, "scale", scalings)
	}
	if o.ColumnsFirst && o.Scaling == encode.None && !isSet(c, "scale") {
		return o, usagef("--scale-first goes with --scale")
	}
	return o, nil
}

// scalesLabel reports whether a preset scales that label: Weka's SMO takes no numbers for
// labels, and its SMOreg, which does, scales them as it does the features.
func scalesLabel(c *cli.Context, label *format.Attribute) bool {
	return c.String("as") == wekaSMO && label.Type != format.Nominal
}

// epsilonOf returns the epsilon for a method, which is SMOreg's with the preset of SMO.
func epsilonOf(c *cli.Context, m catalog.Method) float64 {
	if c.String("as") == wekaSMO && m.Has("epsilon") && !isSet(c, "epsilon") {
		return 0.001
	}
	return c.Float64("epsilon")
}

// kernelOfPreset returns the kernel that a preset has, or else k.
func kernelOfPreset(c *cli.Context, k kernel.Kernel) kernel.Kernel {
	if c.String("as") == wekaSMO && !isSet(c, "kernel") {
		return catalog.LinearKernel
	}
	return k
}

// A prepared problem can be trained on.
type prepared struct {
	data     *format.Dataset
	encoding *encode.Encoding // nil: numbers as they stood
	kernel   kernel.Kernel
	trainer  train.Trainer
	extra    *format.Dataset // rows of --extra; nil: there are none
	stream   *streamed       // the rows, of which data has some; nil: it has them all
}

// prepare encodes the given rows, which stand in p.places, and builds the trainer for
// them, which w watches. features is their number, 0: that of the encoded rows.
func (p *problem) prepare(ctx context.Context, c *cli.Context, rows *format.Dataset, features int, w *watcher) (*prepared, error) {
	numbers, err := p.encoded(ctx, rows)
	if err != nil {
		return nil, err
	}
	return p.trained(ctx, c, numbers, features, w)
}

// encoded returns the given rows, which stand in p.places, as they are trained on.
func (p *problem) encoded(ctx context.Context, rows *format.Dataset) (datafile.Problem, error) {
	if !p.in.declared() {
		return datafile.Problem{Data: p.asWeighted(rows)}, nil
	}
	var numbers datafile.Problem
	e, err := fitEncoding(ctx, p.preset, rows, p.encode)
	if err == nil {
		numbers, err = datafile.EncodeAs(ctx, rows, e)
	}
	if err == nil && p.given {
		err = p.takeKernel(ctx, &numbers, rows)
	}
	if err != nil {
		return numbers, p.places.fault(p.in.path, p.in.columnFault(err))
	}
	numbers.Data = p.asWeighted(numbers.Data)
	return numbers, nil
}

// takeKernel makes rows of a precomputed kernel of encoded ones, which were made of those of rows that
// have a label.
func (p *problem) takeKernel(ctx context.Context, encoded *datafile.Problem, rows *format.Dataset) error {
	with := withLabel(rows, p.in.header, p.encode.Class)
	return encoded.Precomputed(ctx, rows, func(i int) int { return with[i] })
}

// asWeighted returns encoded rows with the weights that they have in training: none with the preset
// of Weka's LibSVM, where the weights of rows only have a say in what replaces missing values.
func (p *problem) asWeighted(d *format.Dataset) *format.Dataset {
	if p.preset != wekaLibSVM || d.Weight == nil {
		return d
	}
	return &format.Dataset{Header: d.Header, X: d.X, Y: d.Y}
}

// trained builds the trainer for encoded rows, as prepare does.
func (p *problem) trained(ctx context.Context, c *cli.Context, numbers datafile.Problem, features int, w *watcher) (*prepared, error) {
	r := &prepared{data: numbers.Data, encoding: numbers.Encoding}
	w.encoding = r.encoding
	var labels []string
	if r.encoding != nil {
		labels = r.encoding.ClassColumn().Labels
	}
	if features == 0 {
		features = r.data.X.MaxIndex()
	}
	if p.said == nil { // those of folds are copies of a problem of which all rows were prepared
		said, err := optionsSaid(c, p.method)
		if err != nil {
			return nil, err
		}
		p.said = &said
	}
	var err error
	parameters := *p.said
	if parameters.Kernel, err = kernelSaid(c, p.method, features); err != nil {
		return nil, err
	}
	all := instancesOf(ctx, r.data)
	if err := weigh(c, p.method, &parameters, labels, all); err != nil {
		return nil, err
	}
	if parameters.Kernel, err = scaled(c, parameters.Kernel, all, columnsOf(r.encoding, features)); err != nil {
		return nil, p.in.at(err)
	}
	parameters.Kernel = kernelOfPreset(c, parameters.Kernel)
	if p.with != nil {
		p.with(&parameters)
		if err := checkSizes(p.method, &parameters); err != nil {
			return nil, err
		}
	}
	r.kernel = parameters.Kernel
	if p.extra != nil {
		if parameters.Extra, err = p.extra(r, p.part); err != nil {
			return nil, err
		}
		r.extra = parameters.Extra
	}
	parameters.Solver.Report, parameters.Solver.Threads = w.report, p.threads
	if r.trainer, err = p.method.New(parameters); err != nil {
		return nil, usageError{err}
	}
	w.trainer = r.trainer
	return r, nil
}

// placeEncoded is place for an error of the encoded rows.
func (p *problem) placeEncoded(err error, r *prepared) error {
	return p.place(ofRows(err, p.labelled(r)), r.encoding)
}

// ofRows returns an error of some rows, if it is a *train.RowError, as one of the rows
// that they were chosen from by their numbers.
func ofRows(err error, numbers []int) error {
	if row := (*train.RowError)(nil); errors.As(err, &row) && row.Row < len(numbers) {
		return &train.RowError{Row: numbers[row.Row], Err: row.Err}
	}
	return err
}

// place puts the file, and the line if it is an error of a row of the problem, into an
// error of training, and the texts of labels; encoding is the one of the rows.
func (p *problem) place(err error, encoding *encode.Encoding) error {
	var pair *train.PairError
	if errors.As(err, &pair) && encoding != nil {
		a, b := encoding.LabelText(float64(pair.Labels[0])), encoding.LabelText(float64(pair.Labels[1]))
		named := fmt.Errorf("classes %s and %s: %w", phrase.Word(a), phrase.Word(b), pair.Err)
		if pair.Rest {
			named = fmt.Errorf("class %s against the rest: %w", phrase.Word(a), pair.Err)
		}
		if fold, ok := err.(*train.FoldError); ok {
			in := *fold
			in.Err = named
			named = &in
		}
		return p.in.at(named)
	}
	return p.places.fault(p.in.path, err)
}
