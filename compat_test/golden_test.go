package compat_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// stepLimit ends a step that hangs; the slowest takes a second or two.
const stepLimit = 2 * time.Minute

// TestGolden runs the commands of LIBSVM's recorded cases and compares exit
// status, stdout, stderr and every written file. The cases in testdata are run
// everywhere, the others in the shared folder where they lie.
func TestGolden(t *testing.T) {
	bin := commands(t)
	var y tally
	ours := ownGoldens(t)
	var n atomic.Int32
	t.Run("case", func(t *testing.T) {
		runGoldens(t, bin, ours, &y, &n)
		folder, err := testenv.Find(t, "golden", "libsvm-3.37")
		if err != nil {
			t.Logf("only the cases in testdata: %v", err)
			return
		}
		theirs := loadGoldens(t, folder, filepath.Join(folder, "INDEX.tsv"))
		runGoldens(t, bin, slices.DeleteFunc(theirs, func(c goldenCase) bool {
			return slices.ContainsFunc(ours, func(o goldenCase) bool { return o.name == c.name })
		}), &y, &n)
	})
	if n.Load() == 0 || y.compared() == 0 {
		t.Fatalf("%d cases, %d outputs compared", n.Load(), y.compared())
	}
	t.Logf("goldens of LIBSVM 3.37, %d cases: %s", n.Load(), &y)
	t.Logf("not equal to the byte:%s", y.list())
}

// runGoldens runs every case as a subtest and counts those that ran.
func runGoldens(t *testing.T, bin string, cases []goldenCase, y *tally, n *atomic.Int32) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n.Add(1)
			runGolden(t, bin, c, y)
		})
	}
}

// runGolden runs the steps of one case and judges what each leaves behind.
func runGolden(t *testing.T, bin string, c goldenCase, y *tally) {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(path.Dir(c.folder), "inputs"), filepath.Join(dir, "inputs")); err != nil {
		t.Fatal(err)
	}
	judged := map[string]bool{"inputs": true}
	for _, s := range c.steps {
		r := run(t, bin, dir, s.command, stepLimit)
		if r.late {
			t.Fatalf("%s: ran longer than %v", s.name, stepLimit)
		}
		got := outcome{result: r, files: map[string][]byte{}}
		names := slices.Collect(maps.Keys(s.want.files))
		if s.judge == "choice" { // a file that LIBSVM did not write, when ours accepts the input
			names = strings.Fields(s.command)
		}
		for _, name := range names {
			judged[name] = true
			if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil && !strings.HasPrefix(name, "inputs/") {
				got.files[name] = b
			}
		}
		label := c.name + " " + s.name
		switch program, _, _ := strings.Cut(s.command, " "); {
		case s.judge == "choice":
			y.add(t, label, judgeChoice(got, s.want))
		case strings.HasPrefix(c.name, "usage/"):
			y.add(t, label, judgeUsage(program, got, s.want))
		default:
			judgeStep(t, label, s.judge, got, s.want, y)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if !judged[f.Name()] {
			t.Errorf("%s: file %s was not expected", c.name, f.Name())
		}
	}
}

// An outcome is what a step prints and writes.
type outcome struct {
	result
	files map[string][]byte
}

// judgeStep judges each output of a step by itself.
func judgeStep(t *testing.T, label, judge string, got, want outcome, y *tally) {
	t.Helper()
	if got.exit != want.exit {
		t.Errorf("%s: exit status %d instead of %d; stderr %q", label, got.exit, want.exit, excerpt(got.stderr))
	}
	if judge != "bytes" && judge != "digits" { // the recorder excused last digits, which are equal now
		t.Fatalf("%s: unknown judge %q", label, judge)
	}
	if len(got.stdout)+len(want.stdout) > 0 {
		y.add(t, label+".stdout", judgeBytes(got.stdout, want.stdout))
	}
	if len(got.stderr)+len(want.stderr) > 0 {
		onStderr := judgeBytes
		if want.exit != 0 {
			onStderr = judgeError
		}
		y.add(t, label+".stderr", onStderr(got.stderr, want.stderr))
	}
	for _, name := range slices.Sorted(maps.Keys(want.files)) {
		j := judgement{grade: different, detail: "not written"}
		if b, ok := got.files[name]; ok {
			j = judgeBytes(b, want.files[name])
		}
		y.add(t, label+" "+name, j)
	}
	for name := range got.files {
		if _, ok := want.files[name]; !ok {
			y.add(t, label+" "+name, judgement{grade: different, detail: "not to be written"})
		}
	}
}

// judgeChoice judges a step at which LIBSVM is lax or needlessly strict: the
// same outcome, a refusal with a reason, or the same with a warning. What
// LIBSVM refuses may be accepted without a word on stderr.
func judgeChoice(got, want outcome) judgement {
	same := got.exit == want.exit && string(got.stdout) == string(want.stdout) &&
		maps.EqualFunc(got.files, want.files, func(a, b []byte) bool { return string(a) == string(b) })
	switch {
	case same && string(got.stderr) == string(want.stderr):
		return judgement{}
	case same && got.exit != 0:
		return judgeError(got.stderr, want.stderr)
	case same && len(got.stderr) > 0:
		return judgement{grade: permitted, detail: fmt.Sprintf("the same with a warning: %q", got.stderr)}
	case got.exit == 1 && len(got.stdout) == 0 && len(got.files) == 0 && oneLine(got.stderr):
		return judgement{grade: permitted, detail: fmt.Sprintf("refused: %q", got.stderr)}
	case want.exit != 0 && got.exit == 0 && len(got.stderr) == 0 && len(got.stdout) > 0 && len(got.files) > 0:
		return judgement{grade: permitted, detail: "accepted"}
	}
	return judgement{grade: different, detail: fmt.Sprintf("exit status %d instead of %d, stdout %q instead of %q, stderr %q",
		got.exit, want.exit, excerpt(got.stdout), excerpt(want.stdout), excerpt(got.stderr))}
}

// options lists the option letters of each command.
var options = map[string]string{
	"svm-train":   "stdgrcnpmehbwvq",
	"svm-predict": "bq",
	"svm-scale":   "luysr",
}

// judgeUsage judges a step that prints the usage: the text is ours, but names
// every option, -w before a label or what stands for one.
func judgeUsage(program string, got, want outcome) judgement {
	letters := options[program]
	if letters == "" {
		return judgement{grade: different, detail: "unknown program " + program}
	}
	for _, letter := range letters {
		if !regexp.MustCompile(fmt.Sprintf(`(^|[^\w-])-%c([A-Zi1]|\b)`, letter)).Match(got.stdout) {
			return judgement{grade: different, detail: fmt.Sprintf("the usage text does not mention -%c: %q", letter, excerpt(got.stdout))}
		}
	}
	if got.exit != want.exit {
		return judgement{grade: different, detail: fmt.Sprintf("exit status %d instead of %d", got.exit, want.exit)}
	}
	if j := judgeError(got.stderr, want.stderr); j.grade != equal {
		return j
	}
	return judgement{grade: permitted, detail: "usage in our words"}
}

// oneLine reports whether b is one line of text.
func oneLine(b []byte) bool {
	return len(b) > 1 && strings.IndexByte(string(b), '\n') == len(b)-1
}
