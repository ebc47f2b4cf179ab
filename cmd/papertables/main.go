// Command papertables re-runs the tables of the papers behind slimsvm's methods and
// writes docs/RESULTS.md: our figure, its spread, the paper's figure, the cost.
//
//	go run ./cmd/papertables [--run REGEXP] [--splits N] [--data FOLDER]
//	go run ./cmd/papertables --quick     # generated data, seconds, figures of no meaning
//	go run ./cmd/papertables --run '^$'  # only write docs/RESULTS.md again
//	go run ./cmd/papertables --again --splits 1   # are the figures those of the program as it is?
//
// Every finished run is a line of docs/results.jsonl at once, so that an interrupted
// or partial run is taken up where it ended; RESULTS.md is made from these lines.
// The table interop is README.md's too; TestDocuments compares both with the lines.
// A method brings its tables in a file of its own and one entry in the list of
// tables.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
)

func main() { launch.Main(run) }

// settings are the command's options.
type settings struct {
	data, store, out string
	splits, threads  int
	quick, again     bool
	run              *regexp.Regexp
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var s settings
	data := os.Getenv("SLIMSVM_DATA")
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	flags := flag.NewFlagSet("papertables", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", data, "`folder` of the data sets")
	flags.StringVar(&s.store, "store", filepath.Join("docs", "results.jsonl"), "`file` of finished runs; not used with --quick")
	flags.StringVar(&s.out, "out", "", "`file` to write (default docs/RESULTS.md, with --quick standard output)")
	flags.IntVar(&s.splits, "splits", 0, "most `splits` or seeds of a table to run (default: the table's)")
	flags.IntVar(&s.threads, "threads", runtime.GOMAXPROCS(0), "processors to use; results do not depend on it")
	flags.BoolVar(&s.quick, "quick", false, "small generated data in place of the data sets")
	flags.BoolVar(&s.again, "again", false, "do runs that are done too, and tell of figures that have changed, times too; the new ones take their place")
	pattern := flags.String("run", ".", "`regexp` of the runs to do, of names like reduced/uci-ovr/ABE/shared")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := s.check(*pattern, flags.Args()); err != nil {
		fmt.Fprintln(stderr, "papertables: wrong usage:", err)
		return 2
	}
	if s.out == "" && !s.quick {
		s.out = filepath.Join("docs", "RESULTS.md")
	}
	if err := s.runAll(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "papertables:", err)
		return 1
	}
	return 0
}

// check takes the pattern of runs, and returns an error unless the options make sense and there
// are no other words.
func (s *settings) check(pattern string, words []string) (err error) {
	s.run, err = regexp.Compile(pattern)
	switch {
	case err != nil:
		return fmt.Errorf("--run %q: %w", pattern, err)
	case len(words) > 0:
		return fmt.Errorf("unexpected %q: there are options only", words[0])
	case s.splits < 0:
		return fmt.Errorf("--splits %d: expected 1 or more, or 0 for the tables' numbers", s.splits)
	case s.quick && s.again:
		return errors.New("--again with --quick: such runs are not kept")
	case s.threads < 1:
		return fmt.Errorf("--threads %d: expected 1 or more", s.threads)
	}
	return nil
}

func (s *settings) runAll(ctx context.Context, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "papertables")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	results := &store{}
	if !s.quick {
		if results, err = openStore(s.store); err != nil {
			return err
		}
		defer results.Close()
		results.again = s.again
	}
	b := &bench{settings: s, store: results, stderr: stderr, dir: dir}
	for i := range tables {
		if err := b.table(ctx, &tables[i]); err != nil {
			return err
		}
	}
	if s.again {
		b.say("%d runs done again, %d have other figures", results.repeated, results.changed)
	}
	text := render(tables, results, b.absent)
	if s.quick {
		text = "Of small generated data: these figures have no meaning.\n\n" + text
	}
	return s.write(ctx, stdout, text)
}

// write writes the document.
func (s *settings) write(ctx context.Context, stdout io.Writer, text string) error {
	if s.out == "" {
		_, err := io.WriteString(stdout, text)
		return err
	}
	return writeFile(ctx, s.out, text)
}
