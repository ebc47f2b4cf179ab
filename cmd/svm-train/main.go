// Command svm-train trains support vector machines: a drop-in replacement for
// LIBSVM's command of that name, with its options, messages and model files.
//
// It also reads ARFF, CSV and SVMlight files, which datafile.DetectForeign tells from
// LIBSVM's: nothing that LIBSVM reads, or refuses, is taken for another format
// unless it is unmistakable. Declared columns become features as slimsvm train
// makes them by default, and the model keeps how.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train"
)

func main() { launch.Main(run) }

// manyEntries is the size of data, a megabyte of numbers, whose training takes long against
// a millisecond.
const manyEntries = 1 << 17

// seed gives LIBSVM's random stream.
const seed = 1

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	out := newMessages(stdout, stderr)
	o, err := parse(args)
	if err != nil {
		if !errors.Is(err, errUsage) {
			fmt.Fprintln(stderr, err)
		}
		fmt.Fprint(stdout, usagetext.Train)
		return 1
	}
	out.quiet = o.quiet
	if err := o.run(ctx, out); err != nil {
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

// run trains or cross-validates. Its errors are complete messages.
func (o *options) run(ctx context.Context, out *messages) error {
	if o.folds == 0 {
		if err := o.checkModel(); err != nil { // training may take long
			return o.saveError(err)
		}
	}
	d, err := o.load(ctx, out.stderr)
	if err != nil {
		return err
	}
	if err := o.check(d); err != nil {
		return fmt.Errorf("ERROR: %w", err)
	}
	o.values.Warn(out.stderr)
	trainer := o.trainer(out.report)
	rng := train.NewRand(seed)
	timed := train.WithClock(ctx, launch.Clock())
	// after all that needs other parts of the program
	if d.X.NNZ() >= manyEntries {
		if err := o.tryModel(); err != nil {
			return o.saveError(err)
		}
		launch.PrepareLongWork(ctx)
	} else {
		launch.PrepareLongWorkLater(ctx)
	}
	if o.folds > 0 {
		err = o.crossValidate(timed, trainer, d, rng, out)
	} else {
		err = o.train(timed, trainer, d, rng, out)
	}
	if failed := out.talk.end(); err == nil && failed != nil {
		err = fmt.Errorf("can't write to standard output: %w", reason(failed))
	}
	return err
}

// train trains a model and saves it.
func (o *options) train(ctx context.Context, t train.Trainer, d *format.Dataset, rng *train.Rand, out *messages) error {
	m, err := t.Train(ctx, d, rng)
	if err == nil {
		m.Inputs = o.inputs
		err = m.Validate() // before it looks as if the model's file were at fault
	}
	if err != nil {
		return fmt.Errorf("ERROR: %w", o.place(err))
	}
	if err := o.save(ctx, m, out); err != nil {
		return o.saveError(err)
	}
	return nil
}

// saveError is the message for an error of writing the model.
func (o *options) saveError(err error) error {
	return fmt.Errorf("can't save model to file %s: %w", o.model, reason(err))
}

// wrongFormat is LIBSVM's message for a fault in a line, then the reason.
func wrongFormat(err error, path string) error {
	var e *format.Error
	if errors.As(err, &e) && e.Line > 0 {
		return fmt.Errorf("Wrong input format at line %d: %w", e.Line, format.WithPath(err, path))
	}
	if e != nil && e.Path == path {
		err = e.Err
	}
	return fmt.Errorf("can't read input file %s: %w", path, reason(err))
}

// reason strips an error of the system of the operation and the path, since the
// messages name the file as the user does.
func reason(err error) error { return launch.Reason(err) }
