package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// besideRuns are what BenchmarkBesideLIBSVM measures. Options are exact in
// float32, as LIBSVM 3.24 reads them.
var besideRuns = []struct {
	name    string
	train   string // in the data folder, without .libsvm.zst
	test    string
	most    int // rows of the test file
	options string
}{
	{"usps", "usps/usps", "usps/usps.t", 0, "-c 8 -g 0.0078125"},
	{"letter.scale", "letter/letter.scale", "letter/letter.scale.t", 0, "-c 4 -g 0.5"},
	{"cpusmall", "cpusmall/cpusmall", "cpusmall/cpusmall", 0, "-s 3 -c 8 -g 0.0000152587890625"},
	{"a9a", "a9a/a9a", "a9a/a9a.t", 3000, "-c 1 -g 0.0625"},
}

// BenchmarkBesideLIBSVM measures our commands and the installed LIBSVM's in
// turn, theirs, ours, theirs, ours, as whole processes on one thread, and checks
// that models and predictions are equal. Metrics are medians over the rounds:
//
//	go test -run '^$' -bench BesideLIBSVM -benchtime 5x -timeout 1h ./compat_test
//
// cpu-ratio, wall-ratio and mem-ratio are ours divided by theirs, seconds are
// user and system time, MB is the largest resident memory.
func BenchmarkBesideLIBSVM(b *testing.B) {
	bin := map[string]string{"ours": commands(b), "theirs": oracle(b)}
	data := realData(b)
	for _, r := range besideRuns {
		dir := b.TempDir()
		for name, rows := range map[string][]byte{
			"train": unpackRows(b, filepath.Join(data, r.train), 0),
			"test":  unpackRows(b, filepath.Join(data, r.test), r.most),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), rows, 0o666); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(r.name+"/train", func(b *testing.B) {
			beside(b, bin, dir, "svm-train -q "+r.options+" train", "model")
		})
		b.Run(r.name+"/predict", func(b *testing.B) {
			beside(b, bin, dir, "svm-predict -q test model.theirs", "predictions")
		})
	}
}

// beside runs a command with both sides' programs in turn. The name of its
// output, with the side behind it, is its last argument.
func beside(b *testing.B, bin map[string]string, dir, line, output string) {
	costs := map[string][]cost{}
	for b.Loop() {
		for _, side := range []string{"theirs", "ours"} {
			args := strings.Fields(line + " " + output + "." + side)
			args[0] = filepath.Join(bin[side], args[0])
			costs[side] = append(costs[side], measure(b, dir, args))
		}
	}
	b.StopTimer()
	var files [2][]byte
	for i, side := range []string{"theirs", "ours"} {
		var err error
		if files[i], err = os.ReadFile(filepath.Join(dir, output+"."+side)); err != nil {
			b.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		b.Errorf("%s: the outputs differ", line)
	}
	for _, m := range []struct {
		unit, ratio string
		of          func(cost) float64
	}{
		{"s-cpu", "cpu-ratio", func(c cost) float64 { return c.CPU.Seconds() }},
		{"s-wall", "wall-ratio", func(c cost) float64 { return c.Wall.Seconds() }},
		{"MB", "mem-ratio", func(c cost) float64 { return float64(c.Memory) / (1 << 20) }},
	} {
		var ratios, ours, theirs []float64
		for i, c := range costs["ours"] {
			ours, theirs = append(ours, m.of(c)), append(theirs, m.of(costs["theirs"][i]))
			ratios = append(ratios, ours[i]/theirs[i])
		}
		b.ReportMetric(median(ratios), m.ratio)
		b.ReportMetric(median(ours), "ours-"+m.unit)
		b.ReportMetric(median(theirs), "theirs-"+m.unit)
	}
	b.ReportMetric(0, "ns/op") // of both together: says nothing
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// A cost is what one process used.
type cost struct {
	CPU, Wall time.Duration
	Memory    int64 // largest resident set in bytes
}

// measureVariable tells this test's own binary to run a command and print its
// cost. A process inherits the peak of the one that started it, and a binary that
// does nothing else has a small one.
const (
	measureVariable = "SLIMSVM_MEASURE"
	measuring       = "1"
	reading         = "read" // of what it runs then: see runRead
)

func measure(b *testing.B, dir string, args []string) (c cost) {
	b.Helper()
	cmd := exec.Command(self(b), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), measureVariable+"="+measuring)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &c)
	}
	if err != nil {
		b.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return c
}

// self returns the path of this test's own binary.
func self(b *testing.B) string {
	b.Helper()
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// runMeasured is the other side of measure. It returns the exit status.
func runMeasured(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), measureVariable+"="+reading)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p := cmd.ProcessState
	if err := json.NewEncoder(os.Stdout).Encode(cost{
		CPU: p.UserTime() + p.SystemTime(), Wall: time.Since(start), Memory: maxResident(p),
	}); err != nil {
		return 1
	}
	return 0
}
