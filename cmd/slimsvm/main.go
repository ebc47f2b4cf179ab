// Command slimsvm trains and applies support vector machines on data in ARFF,
// CSV, LIBSVM and SVMlight files, and converts, checks and inspects such files.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/train"
)

func main() { launch.Main(run) }

// Exit statuses.
const (
	statusFailed = 1
	statusUsage  = 2
)

// version returns the version of the module that a program was built from: a release, or with a time and a commit what
// go build says of a checkout.
func version(info *debug.BuildInfo, ok bool) string {
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "development"
	}
	return info.Main.Version
}

// env is what a command works with beside its options.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	names []string // of the columns that a model wants; nil: there is none
	comma bool     // the model's training data have decimal commas

	weights  *datafile.WeightList // of --weight-file; nil: not read
	weighted string               // name of the data's --weight-column, which those of --extra may have too; "": none
}

// say tells the user something, in a line.
func (e *env) say(format string, args ...any) {
	fmt.Fprintln(e.stderr, phrase.Escaped(fmt.Sprintf(format, args...)))
}

// usageError is a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// hinted is an error with a hint, which stands on a line of its own.
type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

var errInterrupted = errors.New("interrupted")

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stderr = progress.NewWriter(stderr)
	args = normalizeHelp(args)
	var end sync.Once // what is said then is said once
	launch.BeforeForcedExit(ctx, func() { end.Do(func() { fmt.Fprintf(stderr, "slimsvm: %v\n", errInterrupted) }) })
	ctx = train.WithClock(ctx, launch.Clock())
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr}
	app := newApp(e)
	help := &stickyWriter{w: stdout}
	app.Writer = help
	var err error
	if method, ok := methodHelp(args); ok {
		err = printMethod(help, app.Command(args[0]), method)
	} else {
		var words []string
		if words, err = onlyHelp(app, args); err == nil {
			err = app.RunContext(withWords(ctx, args), append([]string{app.Name}, optionsFirst(app, words)...))
		}
	}
	if err == nil {
		err = help.err
	}
	if err == nil {
		return 0
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) { // the latter is that of a dropped file
		err = errInterrupted
		end.Do(func() {})
	}
	if launch.IsClosed(err, stdout) {
		return launch.StatusClosed
	}
	nameStdout(err, stdout)
	fmt.Fprintf(stderr, "%s: %s\n", app.Name, phrase.Escaped(err.Error()))
	var command *cli.Command
	if len(args) > 0 {
		command = app.Command(args[0])
	}
	if hint := hintFor(err, command); hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hint)
	}
	var u usageError
	if errors.As(err, &u) {
		if command != nil {
			fmt.Fprintf(stderr, "%s %s --help lists its options\n", app.Name, command.Name)
		} else {
			fmt.Fprintf(stderr, "%s --help lists commands and options\n", app.Name)
		}
		return statusUsage
	}
	return statusFailed
}

// nameStdout makes an error of writing to stdout itself call it as one of writing to the file - does.
func nameStdout(err error, stdout io.Writer) {
	var e *fs.PathError
	if f, ok := stdout.(interface{ Name() string }); ok && errors.As(err, &e) && e.Path == f.Name() {
		e.Path = "standard output"
	}
}

// normalizeHelp returns a command line with help and version as the options that they are.
func normalizeHelp(args []string) []string {
	switch {
	case len(args) == 0:
	case args[0] == "version" && len(args) == 1:
		return []string{"--version"}
	case args[0] == "help" && len(args) == 1:
		return []string{"--help"}
	case args[0] == "help":
		return slices.Concat(args[1:2], []string{"--help"}, args[2:])
	}
	return args
}

// stickyWriter keeps the first error of writing, which what prints help and version does not
// look at.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (h *stickyWriter) Write(p []byte) (int, error) {
	if h.err != nil {
		return 0, h.err
	}
	n, err := h.w.Write(p)
	h.err = err
	return n, err
}

func newApp(e *env) *cli.App {
	app := &cli.App{
		Name:  "slimsvm",
		Usage: "support vector machines on ARFF, CSV, LIBSVM and SVMlight data",
		Description: "To train a model and predict with it:\n\n" +
			"  slimsvm train --scale normalize iris.arff iris.model\n" +
			"  slimsvm predict new.arff iris.model\n\n" +
			"slimsvm COMMAND --help describes a command and lists its options.",
		Version:                   fmt.Sprintf("%s (%v)", version(debug.ReadBuildInfo()), simd.Current()),
		Reader:                    e.stdin,
		Writer:                    e.stdout,
		ErrWriter:                 e.stderr,
		HideHelpCommand:           true,
		EnableBashCompletion:      true,
		UseShortOptionHandling:    false,
		DisableSliceFlagSeparator: true,
		OnUsageError:              wrongOption,
		ExitErrHandler:            func(*cli.Context, error) {}, // run reports errors
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noCommand(c.App, c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		Commands: []*cli.Command{
			trainCommand(e), predictCommand(e), cvCommand(e), gridCommand(e),
			scaleCommand(e), encodeCommand(e), convertCommand(e), splitCommand(e), checkCommand(e), inspectCommand(e), generateCommand(e),
			reduceCommand(e), exportCommand(e), plotCommand(e),
			completionCommand(e), manCommand(e),
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = wrongOption
		c.Before = checkValues
		c.HideHelpCommand = true
	}
	return app
}

// words returns the command's arguments if there are low to high of them.
func words(c *cli.Context, low, high int, what string) ([]string, error) {
	if n := c.NArg(); n < low || n > high {
		return nil, dashHint(usagef("%s takes %s, found %s", c.Command.Name, what, phrase.Count(n, "argument")), c.Args().Slice())
	}
	return c.Args().Slice(), nil
}
