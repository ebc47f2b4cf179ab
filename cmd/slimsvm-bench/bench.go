package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// bench is a run over the sets.
type bench struct {
	*settings
	dir            string
	paths          map[string][2]string // of each program: theirs, ours
	stdout, stderr io.Writer
	rows           int
	different      int
	logs           float64 // sum of the logarithms of the training ratios
	trainings      int
}

func (b *bench) heading() {
	columns := []string{"data, command", "options", "CPU s, theirs", "ours", "CPU, theirs/ours", "range", "wall, theirs/ours", "range", "MB, theirs", "ours", "outputs"}
	if b.scaling {
		columns = append(columns, "side by side", "range")
	}
	fmt.Fprintf(b.stdout, "| %s |\n", strings.Join(columns, " | "))
	fmt.Fprintln(b.stdout, strings.Repeat("|---", len(columns))+"|")
}

func (b *bench) summary() {
	if b.trainings > 0 {
		fmt.Fprintf(b.stdout, "\nGeometric mean of the medians of %d trainings: %.2f\n", b.trainings, math.Exp(b.logs/float64(b.trainings)))
	}
}

// set measures the rows of one set that are asked for.
func (b *bench) set(ctx context.Context, s set) error {
	type row struct{ name, program, options, input string }
	var rows []row
	want := func(name string) bool {
		return b.run.MatchString(name) && (s.options != "" || !strings.HasSuffix(name, "/train") && !strings.HasSuffix(name, "/predict"))
	}
	if name := s.name + "/train"; want(name) {
		rows = append(rows, row{name, "svm-train", "-q " + s.options, ""})
	}
	for i, options := range s.more {
		if name := fmt.Sprintf("%s/train %d", s.name, i+2); want(name) {
			rows = append(rows, row{name, "svm-train", "-q " + options, ""})
		}
	}
	if name := s.name + "/predict"; want(name) {
		rows = append(rows, row{name, "svm-predict", strings.TrimSpace("-q " + s.predict), ""})
	}
	for i, options := range s.scaleRuns {
		name := s.name + "/scale"
		if i > 0 {
			name = fmt.Sprintf("%s %d", name, i+1)
		}
		if want(name) {
			rows = append(rows, row{name, "svm-scale", options, ""})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	dir := filepath.Join(b.dir, strings.ReplaceAll(s.name, " ", "-"))
	if err := b.prepare(ctx, s, dir); err != nil {
		return err
	}
	for _, r := range rows {
		args := strings.Fields(r.options)
		output := "model"
		switch r.program {
		case "svm-train":
			args = append(args, "train")
			if slices.Contains(args, "-v") {
				output = ">"
			}
		case "svm-predict":
			model := exec.CommandContext(ctx, b.paths["svm-train"][1], append(strings.Fields("-q "+s.options), "train", "model.to.predict")...)
			model.Dir, model.Stderr = dir, b.stderr
			if err := model.Run(); err != nil {
				return err
			}
			args, output = append(args, "test", "model.to.predict"), "predictions"
		case "svm-scale":
			args, output = append(args, "train"), ">"
		}
		if err := b.measureRow(ctx, r.name, r.program, strings.TrimPrefix(r.options, "-q "), dir, args, output); err != nil {
			return err
		}
	}
	return nil
}

// measureRow runs one command of both sides in turn. output is the name of the
// file that it writes, > if that is its standard output.
func (b *bench) measureRow(ctx context.Context, name, program, options, dir string, args []string, output string) error {
	var costs [2][]cost.Cost
	var beside []float64
	files := [2]string{"output.theirs", "output.ours"}
	var environments [2][]string
	environments[0], environments[1] = b.environments()
	measure := func(side int, file string) (c cost.Cost, err error) {
		line, stdout := append([]string{b.paths[program][side]}, args...), file
		if output != ">" {
			line, stdout = append(line, file), ""
		}
		// to do away with what the run before has written is the file system's work
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		return cost.Measure(ctx, dir, environments[side], stdout, line...)
	}
	verdict := "equal"
	for range b.rounds {
		for side := range costs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c, err := measure(side, files[side])
			if err != nil {
				return err
			}
			costs[side] = append(costs[side], c)
		}
		same, err := sameFiles(filepath.Join(dir, files[0]), filepath.Join(dir, files[1]))
		if err != nil {
			return err
		}
		if !same {
			verdict = "**different**"
		}
		if b.scaling {
			last, err := sideBySide(b.threads, func(k int) (cost.Cost, error) { return measure(0, fmt.Sprint("output.", k)) })
			if err != nil {
				return err
			}
			alone := costs[0][len(costs[0])-1].Wall
			beside = append(beside, float64(b.threads)*alone.Seconds()/last.Seconds())
		}
	}
	if verdict != "equal" {
		b.different++
	}
	cpu := func(c cost.Cost) float64 { return c.CPU.Seconds() }
	wall := func(c cost.Cost) float64 { return c.Wall.Seconds() }
	memory := func(c cost.Cost) float64 { return float64(c.Memory) / (1 << 20) }
	middle := func(side int, value func(cost.Cost) float64) float64 {
		var all []float64
		for _, c := range costs[side] {
			all = append(all, value(c))
		}
		return cost.Median(all)
	}
	spread := func(x []float64) string {
		return fmt.Sprintf("**%.2f** | %.2f to %.2f", cost.Median(x), slices.Min(x), slices.Max(x))
	}
	r := ratios(costs, cpu)
	fmt.Fprintf(b.stdout, "| %s | `%s` | %.3f | %.3f | %s | %s | %.1f | %.1f | %s |",
		name, options, middle(0, cpu), middle(1, cpu), spread(r), spread(ratios(costs, wall)), middle(0, memory), middle(1, memory), verdict)
	if b.scaling {
		fmt.Fprintf(b.stdout, " %s |", spread(beside))
	}
	fmt.Fprintln(b.stdout)
	b.rows++
	if strings.HasSuffix(name, "/train") {
		b.logs += math.Log(cost.Median(r))
		b.trainings++
	}
	return nil
}

// sameFiles reports whether two files hold the same bytes.
func sameFiles(one, other string) (bool, error) {
	a, err := os.ReadFile(one)
	if err != nil {
		return false, err
	}
	b, err := os.ReadFile(other)
	return bytes.Equal(a, b), err
}

// sideBySide runs n measurements at once and returns the longest time of one.
func sideBySide(n int, measure func(k int) (cost.Cost, error)) (time.Duration, error) {
	costs, errs := make([]cost.Cost, n), make([]error, n)
	var all sync.WaitGroup
	for k := range n {
		all.Go(func() { costs[k], errs[k] = measure(k) })
	}
	all.Wait()
	var last time.Duration
	for _, c := range costs {
		last = max(last, c.Wall)
	}
	return last, errors.Join(errs...)
}

// ratios are theirs/ours of each round.
func ratios(costs [2][]cost.Cost, value func(cost.Cost) float64) []float64 {
	var all []float64
	for i, c := range costs[0] {
		all = append(all, value(c)/value(costs[1][i]))
	}
	return all
}

// prepare writes the set's files train and test.
func (b *bench) prepare(ctx context.Context, s set, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	train, test := filepath.Join(dir, "train"), filepath.Join(dir, "test")
	if s.inputs > 0 {
		if err := gaussians(ctx, train, s, s.rows, 1); err != nil {
			return err
		}
		return gaussians(ctx, test, s, s.testRows, 2)
	}
	if s.test == "" {
		s.test = s.train
	}
	if s.testRows == 0 {
		s.testRows = s.rows
	}
	if err := b.unpack(s.train, s.rows, s.times, s.relabel, train); err != nil {
		return err
	}
	if s.options == "" {
		return nil
	}
	if err := b.unpack(s.test, s.testRows, 1, s.relabel, test); err != nil {
		return err
	}
	if s.scale == "" {
		return nil
	}
	for _, step := range [][2]string{{s.scale + " -s ranges", train}, {"-r ranges", test}} {
		scaling := exec.CommandContext(ctx, b.paths["svm-scale"][0], append(strings.Fields(step[0]), filepath.Base(step[1]))...)
		scaling.Dir = dir // and what it says to its standard error is of no interest
		out, err := scaling.Output()
		if err == nil {
			err = os.WriteFile(step[1], out, 0o666)
		}
		if err != nil {
			return fmt.Errorf("svm-scale: %w", err)
		}
	}
	return nil
}

// unpack copies the first rows of a file of the data folder, several times if times is more than 1.
func (b *bench) unpack(name string, rows, times int, relabel func(string) string, to string) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriter(out)
	for range max(times, 1) {
		if err := b.copyRows(w, name, rows, relabel); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (b *bench) copyRows(w io.Writer, name string, rows int, relabel func(string) string) error {
	in, err := format.Open(filepath.Join(b.data, filepath.FromSlash(name)+".libsvm.zst"))
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for n := 0; lines.Scan() && (rows == 0 || n < rows); n++ {
		line := lines.Text()
		if relabel != nil {
			label, rest, _ := strings.Cut(line, " ")
			line = relabel(label) + " " + rest
		}
		fmt.Fprintln(w, line)
	}
	return lines.Err()
}

// gaussians writes so many rows of a Gaussian cloud for each class.
func gaussians(ctx context.Context, to string, s set, rows int, seed uint64) error {
	d := generate.Gaussians(max(s.classes, 2), s.inputs, 3).Generate(rows, seed)
	out, err := format.Create(ctx, to)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := libsvmfmt.NewWriter(out)
	for i := range d.Len() {
		if err := w.Write(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return out.Close()
}
