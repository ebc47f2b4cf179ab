// Command svm-predict predicts with support vector machines: a drop-in
// replacement for LIBSVM's command of that name, with its options, messages and
// output files.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/argv"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

func main() { launch.Main(run) }

// options are svm-predict's.
type options struct {
	probability bool // -b
	quiet       bool // -q

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
			o.probability = textscan.Atoi(opt.Values[0]) != 0
		}
		return nil
	})
	var unknown *argv.UnknownError
	switch {
	case errors.As(err, &unknown):
		return nil, fmt.Errorf("Unknown option: -%c", unknown.Letter) //lint:ignore ST1005 LIBSVM's words
	case err != nil, len(rest) < 3:
		return nil, errUsage
	}
	o.data, o.model, o.output = rest[0], rest[1], rest[2]
	return &o, nil
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
		fmt.Fprint(stdout, usage)
		return 1
	}
	if err := o.run(ctx, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// run opens the files in LIBSVM's order and predicts. Its errors are complete
// messages.
func (o *options) run(ctx context.Context, stdout io.Writer) error {
	in, err := format.Open(o.data)
	if err != nil {
		return fmt.Errorf("can't open input file %s: %w", o.data, cause(err))
	}
	defer in.Close()
	out, err := format.Create(ctx, o.output)
	if err != nil {
		return fmt.Errorf("can't open output file %s: %w", o.output, cause(err))
	}
	defer out.Abort()
	p, err := o.load()
	if err != nil {
		// LIBSVM has emptied the output by now, and scripts may look for it
		return errors.Join(err, out.Close())
	}
	if err := o.predict(ctx, p, in, out, stdout); err != nil {
		return err
	}
	return nil
}

// load reads the model and checks that it can do what is asked for.
func (o *options) load() (*predict.Predictor, error) {
	f, err := format.Open(o.model)
	if err != nil {
		return nil, fmt.Errorf("can't open model file %s: %w", o.model, cause(err))
	}
	defer f.Close()
	m, err := models.Read(f)
	if err != nil {
		return nil, fmt.Errorf("can't open model file %s: %w", o.model, format.WithPath(err, o.model))
	}
	if o.probability && !m.Probability {
		//lint:ignore ST1005 LIBSVM's words, spelling included
		return nil, errors.New("Model does not support probabiliy estimates")
	}
	return predict.New(m)
}

// cause strips the path from an error of opening a file, which the message
// names already.
func cause(err error) error {
	if e := errors.Unwrap(err); e != nil {
		return e
	}
	return err
}

// usage lists the options.
const usage = `svm-predict: predict with a support vector machine

usage: svm-predict [options] DATA MODEL OUTPUT

DATA is in LIBSVM's sparse format; its labels are compared with the predictions.
MODEL is a file that svm-train wrote. OUTPUT receives a prediction a line.

  -b 0|1    predict probabilities as well, of a model trained with -b 1
  -q        do not print the score
`
