package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// load reads the training data, and replaces a gamma of 0. What looks like a mistake in
// them it tells on warnings.
func (o *options) load(ctx context.Context, warnings io.Writer) (*format.Dataset, error) {
	file, err := format.Open(o.data)
	if err != nil {
		return nil, fmt.Errorf("can't open input file %s: %w", o.data, reason(err))
	}
	defer file.Close()
	watch := format.NewWatch(file)
	var d *format.Dataset
	if f, text := datafile.DetectForeign(ctx, o.data, file, libsvmfmt.Codec.Sniff); f != nil {
		defer f.Close()
		d, err = o.loadForeign(ctx, f, watch, warnings)
	} else {
		o.labels.Warn(warnings)
		d, err = o.loadRows(ctx, text, watch)
	}
	if changed := watch.Check(nil); changed != nil {
		err = wrongFormat(changed, o.data)
	}
	if err != nil {
		return nil, err
	}
	o.setGamma(d.X.MaxIndex())
	if o.kernelType == precomputed { // LIBSVM looks at this before the parameters
		if err := train.CheckRows(kernel.Precomputed{}, &d.X); err != nil {
			return nil, fmt.Errorf("Wrong input format: %w", o.precomputedFault(d, err))
		}
	}
	return d, nil
}

// loadRows reads a LIBSVM file.
func (o *options) loadRows(ctx context.Context, text io.Reader, watch format.Watch) (*format.Dataset, error) {
	d, err := libsvmfmt.Parse(ctx, text)
	if err != nil {
		return nil, wrongFormat(watch.Check(err), o.data)
	}
	if d.Len() == 0 {
		return nil, o.untrainable(train.ErrNoData)
	}
	return d, nil
}

// loadForeign reads a file of another format. Declared columns become features
// as slimsvm train makes them by default.
func (o *options) loadForeign(ctx context.Context, f *datafile.File, watch format.Watch, warnings io.Writer) (*format.Dataset, error) {
	rows, err := format.ReadAll(ctx, lined{f, &o.lines})
	if err != nil {
		return nil, wrongFormat(watch.Check(err), o.data)
	}
	f.WarnColumns(warnings)
	if rows.Len() == 0 {
		return nil, o.untrainable(train.ErrNoData)
	}
	o.row = func(i int) int { return i }
	all := rows
	rows, weighted, err := train.DropZeroWeights(all)
	if err != nil {
		return nil, fmt.Errorf("can't train on %w", o.place(err))
	}
	o.row = chosen(weighted)
	p, err := datafile.Encode(ctx, rows, encode.Options{DecimalComma: f.DecimalComma()})
	if err != nil {
		return nil, fmt.Errorf("can't train on %w", o.place(err))
	}
	if p.Encoding == nil || !p.Encoding.Nominal() {
		o.labels.Warn(warnings)
	}
	if p.Encoding != nil {
		kept, with := o.row, labelled(rows, p.Encoding.Class)
		o.row = func(i int) int { return kept(with(i)) }
		if err := o.takeClass(p.Encoding.ClassColumn()); err != nil {
			return nil, o.untrainable(err)
		}
		if o.kernelType == precomputed {
			if err := p.Precomputed(ctx, all, o.row); err != nil {
				if gap := (*encode.RowError)(nil); errors.As(err, &gap) {
					return nil, fmt.Errorf("can't train on %w", o.atRow(gap.Row, gap.Err))
				}
				return nil, o.untrainable(err)
			}
		}
		if without := rows.Len() - p.Data.Len(); without > 0 {
			fmt.Fprintf(warnings, "WARNING: "+datafile.LeftOut+"\n", o.data, without)
		}
		o.warnSides(warnings, f, rows, p.Encoding.Class)
		if o.kernelType != precomputed { // whose rows are numbered
			f.WarnRowNumbers(warnings, all, p.Encoding.Class, o.task().Regresses())
			f.WarnUnscaled(warnings, &p)
		}
	}
	o.inputs, err = p.Inputs()
	return p.Data, err
}

// warnSides tells of a column that one-class training takes for the label, and so learns nothing
// from, though it is hardly one.
func (o *options) warnSides(warnings io.Writer, f *datafile.File, rows *format.Dataset, class int) {
	if o.task() != models.OneClass {
		return
	}
	label := &rows.Header.Attributes[class]
	if number, text, ok := datafile.NoSides(label, class, rows); ok {
		odd := f.NumberText(number)
		if text != nil {
			odd = textscan.Quote([]byte(*text))
		}
		fmt.Fprintf(warnings, "WARNING: %s: column %q is taken for the label, which -s 2 ignores, but holds %s, neither 1 nor -1: add a last column of 1 if there is no label\n", o.data, label.Name, odd)
	}
}

// lined keeps in which lines of a file rows begin.
type lined struct {
	*datafile.File
	lines *datafile.Places
}

// Read returns the next row.
func (f lined) Read() (format.Instance, error) {
	row, err := f.File.Read()
	if line := f.Line(); err == nil && line > 0 {
		f.lines.Add(line)
	}
	return row, err
}

// takeClass checks that the label's column fits what is trained, and finds the
// labels that weights are for by their texts.
func (o *options) takeClass(c *encode.Column) error {
	if c.Type != format.Nominal {
		return nil
	}
	if o.task().Regresses() {
		return fmt.Errorf("the label's column %q holds labels, expected numbers for -s %d", c.Name, o.svmType)
	}
	for i := range o.weights {
		place := -1
		for k, label := range c.Labels {
			if label == o.weighted[i] {
				place = k
			}
		}
		if place < 0 {
			return fmt.Errorf("-w%s: column %q has no label %q", o.weighted[i], c.Name, o.weighted[i])
		}
		o.weights[i].Label = place
	}
	return nil
}

// labelled returns which row of the file the i-th row with a label is. It keeps
// nothing of the rows.
func labelled(rows *format.Dataset, class int) func(i int) int {
	var numbers []int
	for n := range rows.Len() {
		if !math.IsNaN(rows.X.Row(n).At(int32(class))) {
			numbers = append(numbers, n)
		}
	}
	return chosen(numbers)
}

// chosen returns which row the i-th of some rows is; nil stands for all.
func chosen(numbers []int) func(i int) int {
	return func(i int) int {
		if numbers == nil {
			return i
		}
		return numbers[i]
	}
}

func (o *options) untrainable(err error) error {
	return fmt.Errorf("can't train on %s: %w", o.data, err)
}

// place turns an error of the data into one of the file, and an error of a row
// into one of the line it came from: in LIBSVM's format every line is a row.
func (o *options) place(err error) error {
	var e *train.RowError
	if learned := (*encode.RowError)(nil); errors.As(err, &learned) {
		err = &train.RowError{Row: learned.Row, Err: learned.Err}
	}
	switch {
	case !errors.As(err, &e):
		return &format.Error{Path: o.data, Err: err}
	case o.row != nil:
		return o.atRow(o.row(e.Row), e.Err)
	}
	return &format.Error{Path: o.data, Line: e.Row + 1, Err: e.Err}
}

// atRow turns an error of a row of a file of another format than LIBSVM's into one of the line in which the row begins.
func (o *options) atRow(row int, err error) error {
	if row < o.lines.Len() {
		return &format.Error{Path: o.data, Line: o.lines.Of(row), Err: err}
	}
	return &format.Error{Path: o.data, Err: &train.RowError{Row: row, Err: err}}
}

// precomputedFault is LIBSVM's message for a row of no precomputed kernel, if it
// has one, then the place and what stands there.
func (o *options) precomputedFault(d *format.Dataset, err error) error {
	var e *train.RowError
	if !errors.As(err, &e) {
		return o.place(err)
	}
	found, x := "", d.X.Row(e.Row)
	if len(x.Index) > 0 {
		found = fmt.Sprintf("%d:%s", x.Index[0], textscan.AppendG(nil, x.Value[0], 17))
	}
	var known error
	switch {
	case errors.Is(err, kernel.ErrSerial) && found == "":
		known, e.Err = kernel.ErrSerial, errors.New("no columns")
	case errors.Is(err, kernel.ErrSerial):
		known, e.Err = kernel.ErrSerial, fmt.Errorf("found %q", found)
	case errors.Is(err, kernel.ErrSerialRange):
		known, e.Err = kernel.ErrSerialRange, fmt.Errorf("found %q, expected 0:1 to 0:%d", found, d.X.MaxIndex())
	default:
		return o.place(err)
	}
	return fmt.Errorf("%w: %w", known, o.place(e))
}
