// Command slimsvm-bench measures svm-train, svm-predict and svm-scale beside
// LIBSVM's on real data, and checks that they write the same bytes.
//
//	go run ./cmd/slimsvm-bench [-run REGEXP] [-rounds 5] [-threads 1]
//
// Both sides' programs run in turn: theirs, ours, theirs, ours. A row of the table that it prints
// is one command line on one data set: medians of the seconds of CPU, the medians of theirs/ours in
// CPU and wall with their ranges over the rounds, peak memory, and whether the outputs are equal in
// every round. It exits with status 1 if one is not.
//
// With -scaling the other side is ours on one processor, and two more columns tell what
// the machine has to offer: as many runs of that side as there are processors for ours,
// side by side, do so many times the work of one in the same time.
//
// Options must be exact in float32: Debian's LIBSVM 3.24 reads them as such.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == cost.Argument {
		os.Exit(cost.RunChild(os.Args[2:]))
	}
	launch.Main(run)
}

// settings are the command's options.
type settings struct {
	data, theirs, ours string
	rounds, threads    int
	run                *regexp.Regexp
	simd, tags         string
	keep               string
	scaling, large     bool
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var s settings
	data := os.Getenv("SLIMSVM_DATA")
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	flags := flag.NewFlagSet("slimsvm-bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.data, "data", data, "`folder` of the data sets")
	flags.StringVar(&s.theirs, "theirs", "", "`folder` of LIBSVM's programs (default: those on PATH)")
	flags.StringVar(&s.ours, "ours", "", "`folder` of ours (default: built from the module here)")
	flags.IntVar(&s.rounds, "rounds", 5, "measurements of each command")
	flags.IntVar(&s.threads, "threads", 1, "processors that our programs may use")
	flags.StringVar(&s.simd, "simd", "", "highest instructions that ours may use: portable, avx2 or avx512")
	flags.StringVar(&s.tags, "tags", "", "build `tags` of ours, such as purego")
	flags.BoolVar(&s.scaling, "scaling", false, "ours on one processor in place of LIBSVM's")
	flags.BoolVar(&s.large, "large", false, "other problems, which take ours seconds")
	pattern := flags.String("run", ".", "`regexp` of the rows to measure, of names like letter.scale/train")
	flags.StringVar(&s.keep, "keep", "", "`folder` for data, models and outputs, which are then kept")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := s.check(*pattern, flags.Args()); err != nil {
		fmt.Fprintln(stderr, "slimsvm-bench: wrong usage:", err)
		return 2
	}
	if err := s.measure(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "slimsvm-bench:", err)
		return 1
	}
	return 0
}

// check takes the pattern of rows, and returns an error unless the options make sense and there
// are no other words.
func (s *settings) check(pattern string, words []string) (err error) {
	s.run, err = regexp.Compile(pattern)
	switch {
	case err != nil:
		return fmt.Errorf("-run %q: %w", pattern, err)
	case len(words) > 0:
		return fmt.Errorf("unexpected %q: there are options only", words[0])
	case s.rounds < 1:
		return fmt.Errorf("-rounds %d: expected 1 or more", s.rounds)
	case s.threads < 1:
		return fmt.Errorf("-threads %d: expected 1 or more", s.threads)
	case s.scaling && s.theirs != "":
		return errors.New("-scaling and -theirs: either is what ours is compared with")
	case s.tags != "" && s.ours != "":
		return errors.New("-tags and -ours: only what is built here is built with them")
	}
	return nil
}

var programs = []string{"svm-train", "svm-predict", "svm-scale"}

// measure prepares both sides and the data, and prints the table.
func (s *settings) measure(ctx context.Context, stdout, stderr io.Writer) error {
	dir := s.keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "slimsvm-bench"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	b := &bench{settings: s, dir: dir, paths: map[string][2]string{}, stdout: stdout, stderr: stderr}
	ours := s.ours
	if ours == "" {
		ours = filepath.Join(dir, "bin")
		build := exec.CommandContext(ctx, "go", "build", "-tags", s.tags, "-o", ours+string(filepath.Separator),
			"./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		build.Stderr = stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building our programs, which works in the module's folder: %w", err)
		}
	}
	if s.scaling {
		s.theirs = ours
	}
	for _, name := range programs {
		theirs, err := exec.LookPath(name)
		if s.theirs != "" {
			theirs = filepath.Join(s.theirs, name)
			_, err = os.Stat(theirs)
		}
		if err != nil {
			return fmt.Errorf("LIBSVM's %s is not there: %w", name, err)
		}
		mine := filepath.Join(ours, name)
		if b.paths[name], err = absolute(theirs, mine); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "Go %s, %s/%s, %d processors here, %d for ours; %d rounds", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), s.threads, s.rounds)
	for _, special := range []string{s.simd, s.tags} {
		if special != "" {
			fmt.Fprint(stdout, "; ", special)
		}
	}
	fmt.Fprint(stdout, "\n\n")
	b.heading()
	measured := sets
	if s.large {
		measured = largeSets
	}
	for _, set := range measured {
		if err := b.set(ctx, set); err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
	}
	b.summary()
	if b.different > 0 {
		return fmt.Errorf("%d outputs differ", b.different)
	}
	if b.rows == 0 {
		return errors.New("no row is measured: -run matches none")
	}
	return nil
}

func absolute(theirs, ours string) (p [2]string, err error) {
	if p[0], err = filepath.Abs(theirs); err != nil {
		return p, err
	}
	p[1], err = filepath.Abs(ours)
	return p, err
}

// environments are what the two sides see.
func (s *settings) environments() (theirs, ours []string) {
	theirs = os.Environ()
	if s.simd != "" {
		theirs = append(theirs, "SLIMSVM_SIMD="+s.simd)
	}
	return append(slices.Clone(theirs), "GOMAXPROCS=1"), append(theirs, "GOMAXPROCS="+strconv.Itoa(s.threads))
}
