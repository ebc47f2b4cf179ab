package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// installed is the svm-predict that was on the path before the scripts' one was.
var installed, errInstalled = exec.LookPath("svm-predict")

// oracle returns the path of LIBSVM 3.24's svm-predict, or skips the test.
func oracle(t *testing.T) string {
	t.Helper()
	err := errInstalled
	if err == nil { // newer versions know the marks of one-class models
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"data": rows, "model": strings.Replace(model, "SV", "prob_density_marks\nSV", 1)} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if o := predictTheirs(t, installed, []string{"data", "model", "out"}); strings.HasPrefix(o.stderr, "unknown text in model file: [prob_density_marks]\n") {
			return installed
		}
		err = fmt.Errorf("%s is not LIBSVM 3.24's", installed)
	}
	testenv.SkipMissing(t, "needs LIBSVM 3.24's svm-predict (package libsvm-tools)", err)
	return ""
}

// TestRandomModels: for models and rows of all kinds, stdout, stderr, status and
// output are LIBSVM's to the byte.
func TestRandomModels(t *testing.T) {
	libsvm := oracle(t)
	t.Chdir(t.TempDir())
	rounds := 400
	if os.Getenv("SLIMSVM_LIVE") == "full" {
		rounds = 8000
	} else if testing.Short() {
		rounds = 80
	}
	rng := rand.New(rand.NewPCG(24, 3))
	done, probabilities, refused := 0, 0, 0
	for round := range rounds {
		m := randomModel(rng)
		data := m.data(rng)
		for name, text := range map[string]string{"data": data, "model": m.text} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var args []string
		if rng.IntN(2) == 0 {
			args = append(args, "-b", pick(rng, "0", "1", "1", "2", "-1"))
		}
		if rng.IntN(4) == 0 {
			args = append(args, "-q")
		}
		args = append(args, "data", "model", "out")
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), args, nil, &stdout, &stderr)
		ours := outcome{status, stdout.String(), stderr.String(), takeOutput(t)}
		theirs := predictTheirs(t, libsvm, args)
		if ours != theirs {
			t.Fatalf("round %d: svm-predict %s\n%s\nmodel:\n%.1500s\ndata:\n%.500s", round, strings.Join(args, " "), ours.difference(theirs), m.text, data)
		}
		done++
		if status == 1 {
			refused++
		} else if m.probability {
			probabilities++
		}
	}
	t.Logf("%d random models against LIBSVM 3.24, %d with probabilities, %d cannot do what was asked", done, probabilities, refused)
	if probabilities < rounds/5 || refused < rounds/50 || refused > rounds/2 {
		t.Error("too few cases of a kind")
	}
}

// An outcome is what a run leaves behind.
type outcome struct {
	status                 int
	stdout, stderr, output string
}

// difference shows the first lines in which two outcomes differ.
func (o outcome) difference(theirs outcome) string {
	text := fmt.Sprintf("ours: status %d, stdout %q, stderr %q\ntheirs: status %d, stdout %q, stderr %q",
		o.status, o.stdout, o.stderr, theirs.status, theirs.stdout, theirs.stderr)
	a, b := strings.Split(o.output, "\n"), strings.Split(theirs.output, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return text + fmt.Sprintf("\noutput, line %d\n  ours   %.300s\n  theirs %.300s", i+1, a[i], b[i])
		}
	}
	return text
}

// takeOutput reads the output file and removes it.
func takeOutput(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("out")
	if err == nil {
		err = os.Remove("out")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func predictTheirs(t *testing.T, program string, args []string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), takeOutput(t)}
}

func pick(rng *rand.Rand, from ...string) string { return from[rng.IntN(len(from))] }

// A madeModel is the text of a model and what its rows have to look like.
type madeModel struct {
	text        string
	probability bool
	serials     int // of a precomputed kernel, else 0
	columns     int
	labels      []string
}

// randomModel makes a model of one task and kernel with vectors of one kind.
func randomModel(rng *rand.Rand) *madeModel {
	m := &madeModel{columns: 1 + rng.IntN(10)}
	task := pick(rng, "c_svc", "c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr")
	kernel := pick(rng, "linear", "polynomial", "rbf", "sigmoid", "precomputed")
	classes, group := 2, []int{0}
	classifies := strings.HasSuffix(task, "svc")
	if classifies {
		classes = []int{1, 2, 2, 3, 4, 7}[rng.IntN(6)]
		group = make([]int, classes)
	}
	total := 0
	for i := range group {
		if classes > 1 || !classifies {
			group[i] = rng.IntN(6)
		}
		total += group[i]
	}
	var b strings.Builder
	line := func(key string, n int, value func() string) {
		b.WriteString(key)
		for range n {
			b.WriteString(" " + value())
		}
		b.WriteString("\n")
	}
	real := func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 1+rng.IntN(17), 64) }
	positive := func() string { return strings.TrimPrefix(real(), "-") }
	one := func(s string) func() string { return func() string { return s } }
	line("svm_type", 1, one(task))
	line("kernel_type", 1, one(kernel))
	if kernel == "polynomial" {
		line("degree", 1, one(strconv.Itoa(rng.IntN(7))))
	}
	if kernel == "polynomial" || kernel == "rbf" || kernel == "sigmoid" {
		line("gamma", 1, positive)
	}
	if kernel == "polynomial" || kernel == "sigmoid" {
		line("coef0", 1, real)
	}
	line("nr_class", 1, one(strconv.Itoa(classes)))
	line("total_sv", 1, one(strconv.Itoa(total)))
	pairs := 1
	if classifies {
		pairs = classes * (classes - 1) / 2
	}
	m.probability = task != "one_class" && rng.IntN(2) == 0
	line("rho", pairs, func() string {
		switch odds := rng.IntN(12); {
		case odds == 0:
			return pick(rng, "0", "-0")
		case odds == 1 && !m.probability:
			return pick(rng, "inf", "-inf")
		}
		return real()
	})
	labels := rng.Perm(20)
	next := func() string { labels = labels[1:]; return strconv.Itoa(labels[0] - 5) }
	if classifies {
		for range classes {
			m.labels = append(m.labels, next())
		}
		b.WriteString("label " + strings.Join(m.labels, " ") + "\n")
	}
	if m.probability {
		line("probA", pairs, func() string {
			if !classifies {
				return positive()
			}
			return pick(rng, real(), "-"+positive(), "-2e3", "0")
		})
		if classifies {
			line("probB", pairs, func() string { return pick(rng, real(), "0", "1e-3") })
		}
	}
	if classifies {
		at := -1
		line("nr_sv", classes, func() string { at++; return strconv.Itoa(group[at]) })
	}
	b.WriteString("SV\n")
	if kernel == "precomputed" {
		m.serials = 1 + rng.IntN(12)
	}
	for range total {
		for range max(classes-1, 1) {
			b.WriteString(pick(rng, real(), "0", "1", "-1", "-0") + " ")
		}
		if m.serials > 0 {
			fmt.Fprintf(&b, "0:%d ", 1+rng.IntN(m.serials))
		} else {
			b.WriteString(m.pairs(rng, 8))
		}
		b.WriteString("\n")
	}
	m.text = b.String()
	return m
}

// pairs makes the pairs of a row, each with a blank behind it.
func (m *madeModel) pairs(rng *rand.Rand, digits int) string {
	var b strings.Builder
	density := []float64{0.2, 0.7, 1}[rng.IntN(3)]
	for j := range m.columns + 1 {
		if rng.Float64() < density && (j > 0 || rng.IntN(8) == 0) {
			fmt.Fprintf(&b, "%d:%s ", j, strconv.FormatFloat(rng.NormFloat64(), 'g', 1+rng.IntN(digits), 64))
		}
	}
	return b.String()
}

// data makes rows for the model, also with features that it does not have.
func (m *madeModel) data(rng *rand.Rand) string {
	var b strings.Builder
	n := rng.IntN(20)
	end := pick(rng, "\n", "\n", " \r\n")
	for range n {
		label := pick(rng, "1", "-1", "1.5", "+1e1")
		if len(m.labels) > 0 && rng.IntN(10) > 0 {
			label = pick(rng, m.labels...)
		}
		b.WriteString(label + " ")
		if m.serials > 0 {
			fmt.Fprintf(&b, "0:%d", rng.IntN(9))
			for j := range m.serials + rng.IntN(3) {
				fmt.Fprintf(&b, " %d:%s", j+1, strconv.FormatFloat(rng.NormFloat64(), 'g', 6, 64))
			}
		} else {
			b.WriteString(m.pairs(rng, 17))
			if rng.IntN(5) == 0 {
				fmt.Fprintf(&b, "%d:%g", m.columns+1+rng.IntN(50), rng.NormFloat64())
			}
		}
		if b.String()[b.Len()-1] == ' ' && strings.HasPrefix(end, " ") {
			b.WriteString("\r\n")
		} else {
			b.WriteString(end)
		}
	}
	return b.String()
}
