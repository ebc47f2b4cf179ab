package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestMain lets this binary measure a command, as the program does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == cost.Argument {
		os.Exit(cost.RunChild(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// The whole way on one set, with our programs on both sides.
func TestRun(t *testing.T) {
	data := filepath.Dir(testenv.Shared(t, "data", "dna"))
	bin := t.TempDir()
	if err := testenv.Build(bin, "./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale"); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	args := []string{"-data", data, "-theirs", bin, "-ours", bin, "-rounds", "1", "-run", "^dna/"}
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d\n%s%s", status, &stdout, &stderr)
	}
	for _, want := range []string{"| dna/train | `-c 10 -g 0.015625` |", "| dna/predict | `-q` |", "| dna/scale | `-l -1 -u 1` |", "Geometric mean of the medians of 1 trainings"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, &stdout)
		}
	}
	if n := strings.Count(stdout.String(), "| equal |"); n != 3 {
		t.Errorf("%d equal outputs, want 3:\n%s", n, &stdout)
	}
	stdout.Reset()
	args = []string{"-data", data, "-theirs", bin, "-ours", bin, "-rounds", "1", "-run", "^dna x30/"}
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != 0 || strings.Count(stdout.String(), "| equal |") != 1 || !strings.Contains(stdout.String(), "| dna x30/scale |") {
		t.Errorf("status %d\n%s%s", status, &stdout, &stderr)
	}
	stdout.Reset()
	args = []string{"-data", data, "-ours", bin, "-rounds", "1", "-threads", "2", "-scaling", "-run", "^dna/train"}
	if status := run(t.Context(), args, nil, &stdout, &stderr); status != 0 || stderr.Len() > 0 {
		t.Fatalf("status %d\n%s%s", status, &stdout, &stderr)
	}
	if lines := strings.Split(stdout.String(), "\n"); len(lines) < 5 || strings.Count(lines[4], "|") != 14 || strings.Count(lines[2], "|") != 14 {
		t.Errorf("not 13 columns:\n%s", &stdout)
	}
}

// Several runs side by side: the longest counts, and every failure.
func TestSideBySide(t *testing.T) {
	all := make(chan int, 3)
	last, err := sideBySide(3, func(k int) (cost.Cost, error) {
		all <- k
		for len(all) < 3 { // until all have begun
			runtime.Gosched()
		}
		return cost.Cost{Wall: time.Duration(5-k) * time.Second}, nil
	})
	if last != 5*time.Second || err != nil {
		t.Errorf("%v, %v", last, err)
	}
	fault := errors.New("fault")
	if _, err := sideBySide(2, func(k int) (c cost.Cost, err error) {
		if k == 1 {
			err = fault
		}
		return c, err
	}); !errors.Is(err, fault) {
		t.Errorf("error %v, want %v", err, fault)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "slimsvm-bench: wrong usage: -rounds 0: expected 1 or more\n", []string{"-rounds", "0"}},
		{2, "slimsvm-bench: wrong usage: -threads -1: expected 1 or more\n", []string{"-threads", "-1"}},
		{2, "slimsvm-bench: wrong usage: -run \"(\": ", []string{"-run", "("}},
		{2, "slimsvm-bench: wrong usage: unexpected \"dna\": there are options only\n", []string{"dna"}},
		{2, "flag provided but not defined: -round\n", []string{"-round", "1"}},
		{2, "slimsvm-bench: wrong usage: -scaling and -theirs: either is what ours is compared with\n", []string{"-scaling", "-theirs", t.TempDir()}},
		{2, "slimsvm-bench: wrong usage: -tags and -ours: only what is built here is built with them\n", []string{"-tags", "purego", "-ours", t.TempDir()}},
		{0, "Usage of slimsvm-bench:\n", []string{"-h"}},
		{1, "slimsvm-bench: LIBSVM's svm-train is not there: ", []string{"-theirs", t.TempDir(), "-ours", t.TempDir()}},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), c.args, nil, &stdout, &stderr); status != c.status || !strings.HasPrefix(stderr.String(), c.says) {
			t.Errorf("%v: status %d, want %d; %s", c.args, status, c.status, &stderr)
		}
	}
}

func TestRelabel(t *testing.T) {
	for label, want := range map[string]string{"1": "1", "9": "1", "13": "1", "14": "-1", "26": "-1"} {
		if got := half(label); got != want {
			t.Errorf("half of the alphabet of %s: %s, want %s", label, got, want)
		}
	}
	for label, want := range map[string]string{"1": "-1", "2": "1", "10": "1"} {
		if got := parity(label); got != want {
			t.Errorf("parity of %s: %s, want %s", label, got, want)
		}
	}
}

// Folders are named after the sets, and gammas are ones that float32 holds.
func TestSets(t *testing.T) {
	names := map[string]bool{}
	for _, set := range slices.Concat(sets, largeSets) {
		if names[set.name] {
			t.Errorf("two sets are named %q", set.name)
		}
		names[set.name] = true
		for _, options := range append(set.more, set.options) {
			_, rest, there := strings.Cut(options, "-g ")
			if !there {
				continue
			}
			text, _, _ := strings.Cut(rest, " ")
			if g, err := strconv.ParseFloat(text, 64); err != nil || float64(float32(g)) != g {
				t.Errorf("%s: gamma %s, %v, is not exact in float32", set.name, text, err)
			}
		}
	}
}
