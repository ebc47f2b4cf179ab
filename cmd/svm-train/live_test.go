package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// installed is the svm-train that was on the path before the scripts' one was.
var installed, errInstalled = exec.LookPath("svm-train")

// oracle returns the path of LIBSVM 3.24's svm-train, or skips the test.
func oracle(t *testing.T) string {
	t.Helper()
	err := errInstalled
	if err == nil { // other versions do what 3.24 refuses
		t.Chdir(t.TempDir())
		if err := os.WriteFile("data", []byte("1 1:1\n1 1:2\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if o := trainTheirs(t, installed, []string{"-q", "-s", "2", "-b", "1", "data", "model"}); o.status == 1 &&
			o.stderr == "ERROR: one-class SVM probability output not supported yet\n" {
			return installed
		}
		err = fmt.Errorf("%s is not LIBSVM 3.24's", installed)
	}
	testenv.SkipMissing(t, "needs LIBSVM 3.24's svm-train (package libsvm-tools)", err)
	return ""
}

// TestRandomOptions: whatever the options and the data, stdout, stderr, status
// and model are those of LIBSVM 3.24, except where newer versions differ from it
// and where its result holds no numbers.
func TestRandomOptions(t *testing.T) {
	libsvm := oracle(t)
	t.Chdir(t.TempDir())
	rounds := 300
	if os.Getenv("SLIMSVM_LIVE") == "full" {
		rounds = 6000
	} else if testing.Short() {
		rounds = 60
	}
	rng := rand.New(rand.NewPCG(3, 24))
	seen := map[string]int{}
	for round := range rounds {
		c := randomCase(rng)
		if err := os.WriteFile("data", []byte(c.data), 0o666); err != nil {
			t.Fatal(err)
		}
		ours, theirs := trainOurs(t, c.args), trainTheirs(t, libsvm, c.args)
		verdict := c.judge(ours, theirs)
		if verdict == "refused" { // LIBSVM has a result: it must not be numbers
			loud := slices.DeleteFunc(slices.Clone(c.args), func(w string) bool { return w == "-q" })
			theirs = trainTheirs(t, libsvm, loud)
			if theirs.status == 0 && c.rows > 3 && !notNumbers.MatchString(theirs.stdout) {
				verdict = "refused what LIBSVM can do"
			}
		}
		seen[verdict]++
		switch verdict {
		case "equal", "refused", "same lines":
		default:
			t.Errorf("round %d: svm-train %s: %s\n%s\ndata:\n%.1000s", round, strings.Join(c.args, " "), verdict, ours.difference(theirs), c.data)
			if len(seen) > 6 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d random command lines against LIBSVM 3.24: %v", rounds, seen)
	if seen["equal"] < rounds*3/4 {
		t.Errorf("only %d of %d are equal to the byte", seen["equal"], rounds)
	}
}

// An outcome is what a run leaves behind.
type outcome struct {
	status         int
	stdout, stderr string
	model          string // "" when there is none
}

// difference shows the first lines in which two outcomes differ.
func (o outcome) difference(theirs outcome) string {
	text := fmt.Sprintf("ours: status %d, stderr %q\ntheirs: status %d, stderr %q", o.status, o.stderr, theirs.status, theirs.stderr)
	for _, part := range [][2]string{{o.stdout, theirs.stdout}, {o.model, theirs.model}} {
		a, b := strings.Split(part[0], "\n"), strings.Split(part[1], "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				text += fmt.Sprintf("\nline %d\n  ours   %.200s\n  theirs %.200s", i+1, a[i], b[i])
				break
			}
		}
	}
	return text
}

// takeModel reads the model file and removes it.
func takeModel(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("model")
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err == nil {
		err = os.Remove("model")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func trainOurs(t *testing.T, args []string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), args, nil, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String(), takeModel(t)}
}

func trainTheirs(t *testing.T, program string, args []string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), takeModel(t)}
}

var (
	ourWarnings  = regexp.MustCompile(`(?m)^WARNING: class labels are integers: .*\n`)
	foldNumbers  = regexp.MustCompile(`# folds \(\d+\) > # data \(\d+\)`)
	ourRefusals  = regexp.MustCompile(`(?m)^ERROR: data(:\d+)?: .*(no margin|nu is too large|overflow|is not a number|too few).*\n$`)
	notNumbers   = regexp.MustCompile(`\b(nan|inf)\b`)
	noisePattern = regexp.MustCompile(`(?s)^(.*` + regexp.QuoteMeta("/(2sigma),sigma= ") + `[^\n]*\n)(.*)$`)
)

// judge compares two outcomes of c.
func (c *testCase) judge(ours, theirs outcome) string {
	ours.stderr = ourWarnings.ReplaceAllString(ours.stderr, "")
	ours.stderr = foldNumbers.ReplaceAllString(ours.stderr, "# folds > # data")
	if ours.status == 1 && ourRefusals.MatchString(ours.stderr) {
		if ours.model != "" {
			return "refused, yet there is a model"
		}
		return "refused"
	}
	if c.noise && !c.folded { // 3.24 reports the final training last
		if m := noisePattern.FindStringSubmatch(theirs.stdout); m != nil {
			theirs.stdout = m[2] + m[1]
		}
	}
	verdict := "equal"
	if c.noise && c.folded && ours.stdout != theirs.stdout {
		ours.stdout, theirs.stdout = sortedLines(ours.stdout), sortedLines(theirs.stdout)
		verdict = "same lines"
	}
	switch {
	case ours == theirs:
		return verdict
	case ours.status != theirs.status:
		return "status"
	case ours.stderr != theirs.stderr:
		return "stderr"
	case ours.stdout != theirs.stdout:
		return "stdout"
	}
	return "model"
}

func sortedLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// A testCase is a data set with a command line.
type testCase struct {
	data string
	args []string

	rows          int
	noise, folded bool
}

// Values of options, exact in float32, as Debian's LIBSVM 3.24 reads them.
var (
	costs      = []string{"0.0625", "0.5", "1", "2", "8", "64", "1e2", "0x1p-3"}
	gammas     = []string{"0", "0.0078125", "0.125", "0.25", "0.5", "1", "2", "-0"}
	coefs      = []string{"-1", "-0.25", "0", "0.5", "1", "2"}
	nus        = []string{"0.015625", "0.125", "0.25", "0.5", "0.75", "1"}
	tubes      = []string{"0", "0.03125", "0.125", "0.5", "4"}
	tolerances = []string{"0.5", "0.0625", "0.0078125", "0.0009765625"}
	caches     = []string{"0.0009765625", "0.5", "1", "40", "200"}
	weights    = []string{"0.25", "0.5", "2", "3", "10"}
	faults     = []string{"-c 0", "-c -1", "-e 0", "-n 0", "-n 1.5", "-p -1", "-m 0", "-h 2", "-b 2", "-s 5", "-t 5", "-t -1", "-g -1", "-d -1"}
)

func pick(rng *rand.Rand, from []string) string { return from[rng.IntN(len(from))] }

// TestZeros: of rows of small integers many gradients are 0 exactly, and some rho are -0.
func TestZeros(t *testing.T) {
	libsvm := oracle(t)
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(1, 0))
	zeros := 0
	for range 200 {
		var data strings.Builder
		for range 3 + rng.IntN(10) {
			fmt.Fprintf(&data, "%s 1:%d\n", pick(rng, []string{"1", "-1"}), rng.IntN(5)-2)
		}
		if err := os.WriteFile("data", []byte(data.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		args := []string{"-t", "0", "-s", pick(rng, []string{"0", "3"}), "-p", "0", "-c", pick(rng, []string{"0.125", "0.25", "0.5", "1"}), "data", "model"}
		ours, theirs := trainOurs(t, args), trainTheirs(t, libsvm, args)
		if ours != theirs {
			t.Fatalf("svm-train %s:\n%s\ndata:\n%s", strings.Join(args, " "), ours.difference(theirs), data.String())
		}
		if strings.Contains(theirs.model, "\nrho -0\n") {
			zeros++
		}
	}
	if zeros == 0 {
		t.Error("no rho was -0")
	}
}

// randomCase makes a data set and options, most of which are sound.
func randomCase(rng *rand.Rand) *testCase {
	task, kernel := rng.IntN(5), rng.IntN(5)
	c := &testCase{rows: 1 + rng.IntN(12)}
	if rng.IntN(4) > 0 {
		c.rows = 12 + rng.IntN(60)
	}
	c.data = randomData(rng, c.rows, task >= 3, kernel == precomputed)
	option := func(odds int, words ...string) {
		if rng.IntN(odds) == 0 {
			c.args = append(c.args, words...)
		}
	}
	if task > 0 || rng.IntN(3) == 0 {
		c.args = append(c.args, "-s", strconv.Itoa(task))
	}
	if kernel != rbf || rng.IntN(3) == 0 {
		c.args = append(c.args, "-t", strconv.Itoa(kernel))
	}
	option(2, "-c", pick(rng, costs))
	option(2, "-g", pick(rng, gammas))
	option(2, "-r", pick(rng, coefs))
	option(2, "-d", strconv.Itoa(rng.IntN(5)))
	option(2, "-n", pick(rng, nus))
	option(2, "-p", pick(rng, tubes))
	option(3, "-e", pick(rng, tolerances))
	option(3, "-m", pick(rng, caches))
	option(3, "-h", strconv.Itoa(rng.IntN(2)))
	option(4, "-q")
	for range rng.IntN(8) - 4 {
		c.args = append(c.args, "-w"+pick(rng, []string{"1", "-1", "2", "3", "0", "7"}), pick(rng, weights))
	}
	option(20, strings.Fields(pick(rng, faults))...)
	if task != 2 && rng.IntN(4) == 0 { // 3.24 knows no one-class probabilities
		c.args = append(c.args, "-b", "1")
		c.noise = task >= 3
	}
	if rng.IntN(4) == 0 {
		c.args = append(c.args, "-v", strconv.Itoa(2+rng.IntN(9)))
		c.folded = true
	}
	c.args = append(c.args, "data", "model")
	return c
}

// randomData makes rows of one kind: dense or sparse, few or many decimals, repeated rows, explicit
// zeros, an index 0, labels of few classes or reals; of a precomputed kernel in any order, and some
// that are not symmetric.
func randomData(rng *rand.Rand, rows int, regression, precomputed bool) string {
	columns := 1 + rng.IntN(8)
	density := []float64{1, 0.7, 0.3}[rng.IntN(3)]
	digits := []int{-1, 1, 3, 6}[rng.IntN(4)]
	step := 1 + rng.IntN(3)*rng.IntN(40)
	labels := [][]string{{"1", "-1"}, {"-1", "1"}, {"0", "1"}, {"3", "1", "2"}, {"7"}, {"1.5", "-1", "1.2"}, {"2", "1", "3", "4", "5"}}[rng.IntN(7)]
	x, class := make([][]float64, rows), make([]int, rows)
	for i := range rows {
		k := rng.IntN(len(labels))
		class[i] = k
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if rng.Float64() < density {
				x[i][j] = rng.NormFloat64() + float64(k*(j%2))
			}
		}
		if i > 0 && rng.IntN(8) == 0 {
			copy(x[i], x[rng.IntN(i)])
		}
	}
	order := make([]int, rows)
	for i := range order {
		order[i] = i
	}
	skew := 0.0
	if precomputed {
		if rng.IntN(3) == 0 {
			rng.Shuffle(rows, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if rng.IntN(3) == 0 {
			skew = 0.25
		}
	}
	var b strings.Builder
	for _, i := range order {
		label := labels[class[i]]
		if regression && rng.IntN(20) > 0 {
			label = strconv.FormatFloat(x[i][0]*2+rng.NormFloat64()*0.3, 'g', 4, 64)
		}
		b.WriteString(label)
		if precomputed {
			b.WriteString(" 0:" + strconv.Itoa(i+1))
			for j := range rows {
				k := dot(x[i], x[j]) + skew*rng.NormFloat64()
				if j == i {
					k += 2 * skew * math.Sqrt(float64(rows)) // or solvers would not come to an end
				}
				fmt.Fprintf(&b, " %d:%s", j+1, strconv.FormatFloat(k, 'g', 5, 64))
			}
		} else {
			if step > 5 && rng.IntN(3) == 0 {
				b.WriteString(" 0:1")
			}
			for j, v := range x[i] {
				if v != 0 || rng.IntN(10) == 0 {
					fmt.Fprintf(&b, " %d:%s", 1+j*step, strconv.FormatFloat(v, 'g', digits, 64))
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
