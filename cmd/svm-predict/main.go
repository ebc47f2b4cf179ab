// Command svm-predict predicts with support vector machines: a drop-in
// replacement for LIBSVM's command of that name, with its options, messages and
// output files.
//
// It also reads ARFF, CSV and SVMlight files, which datafile.DetectForeign tells from
// LIBSVM's. For those with declared columns the model says how they become
// features, and predictions are the texts of labels; rows without a label have no
// part in the score. A LIBSVM file gives numbers, whatever the model says; it is
// refused if its names, which slimsvm keeps beside it, say that they are others than
// the model was trained on.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/argv"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

func main() { launch.Main(run) }

// options are svm-predict's.
type options struct {
	probability bool // -b
	quiet       bool // -q
	values      argv.Numbers

	data, model, output string
}

// errUsage: the usage text says all there is to say.
var errUsage = errors.New("wrong usage")

func parse(args []string) (*options, error) {
	var o options
	rest, err := argv.Parse(args, arity, func(opt argv.Option) error {
		if opt.Letter == 'q' {
			o.quiet = true
		} else {
			o.probability = o.values.Whole(opt.Word, opt.Values[0]) != 0
		}
		return nil
	})
	var unknown *argv.UnknownError
	switch {
	case errors.As(err, &unknown):
		return nil, fmt.Errorf("Unknown option: -%s", []byte{unknown.Letter})
	case err != nil, len(rest) < 3:
		return nil, errUsage
	}
	o.data, o.model, o.output = rest[0], rest[1], rest[2]
	return &o, nil
}

// manyNumbers is the size of a model, a megabyte, with which predictions take long against a
// millisecond.
const manyNumbers = 1 << 17

// numbers returns how many values and coefficients a model has.
func numbers(m *models.Model) int {
	n := m.Vectors.NNZ()
	for i := range m.Machines {
		n += len(m.Machines[i].Coef)
	}
	return n
}

func arity(letter byte) int {
	switch letter {
	case 'b':
		return 1
	case 'q':
		return 0
	}
	return -1
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if err != nil {
		if !errors.Is(err, errUsage) {
			fmt.Fprintln(stderr, err)
		}
		fmt.Fprint(stdout, usagetext.Predict)
		return 1
	}
	o.values.Warn(stderr)
	if err := o.run(ctx, stdout, stderr); err != nil {
		if launch.IsClosed(err, stdout) {
			return launch.StatusClosed
		}
		if ctx.Err() == nil { // else the user knows why
			fmt.Fprintln(stderr, err)
		}
		return 1
	}
	return 0
}

// run opens the files in LIBSVM's order and predicts. Its errors are complete
// messages.
func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
	in, err := format.Open(o.data)
	if err != nil {
		return fmt.Errorf("can't open input file %s: %w", o.data, reason(err))
	}
	defer in.Close()
	watch := format.NewWatch(in)
	out, err := o.create(ctx)
	if err != nil {
		return fmt.Errorf("can't open output file %s: %w", o.output, reason(err))
	}
	defer out.Abort()
	p, err := o.load()
	if err != nil {
		out.Close() // LIBSVM has emptied the output by now, and scripts may look for it
		return err
	}
	if numbers(p.Model()) >= manyNumbers {
		launch.PrepareLongWork(ctx)
	}
	j := jobOf(p.Model(), o.probability)
	src, words, err := o.source(ctx, p, in, watch, j, stderr)
	if err != nil {
		return err
	}
	return o.predict(ctx, p, src, workers(j, in), words, out, stdout)
}

// load reads the model and checks that it can do what is asked for.
func (o *options) load() (*predict.Predictor, error) {
	f, err := format.Open(o.model)
	if err != nil {
		return nil, fmt.Errorf("can't open model file %s: %w", o.model, reason(err))
	}
	defer f.Close()
	watch := format.NewWatch(f)
	m, err := models.Read(f)
	if err = watch.Check(err); err != nil {
		return nil, fmt.Errorf("can't open model file %s: %w", o.model, o.inModel(err))
	}
	if o.probability && !m.Probability {
		return nil, errors.New("Model does not support probabiliy estimates")
	}
	p, err := predict.New(m)
	if err != nil {
		return nil, fmt.Errorf("can't open model file %s: %w", o.model, err)
	}
	return p, nil
}

// inModel returns what is wrong with the model, behind its place if it has a line; the message has the name
// anyway.
func (o *options) inModel(err error) error {
	if at := (*format.Error)(nil); errors.As(err, &at) && at.Line > 0 {
		return format.WithPath(err, o.model)
	}
	if whole, ok := err.(*format.Error); ok {
		err = whole.Err
	}
	return reason(err)
}

// reason strips an error of the system of the operation and the path, since the
// messages name the file as the user does.
func reason(err error) error { return launch.Reason(err) }
