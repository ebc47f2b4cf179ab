package compat_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// What a command may take for a faulty file.
const (
	malformedTime   = 5 * time.Second
	malformedMemory = 1 << 30
)

// A malformedCase is a line of testdata/malformed/TABLE.tsv: a faulty file, a
// command that reads it, what LIBSVM 3.37 does, and what is asked of ours.
type malformedCase struct {
	file, command string
	libsvm        struct{ exit, stdout, stderr string } // the end of stdout and the start of stderr, / for line ends
	ours, reason  string                                // error, accept or either; why
}

// TestMalformed runs every command of the table in a fresh folder.
func TestMalformed(t *testing.T) {
	bin := commands(t)
	cases := malformedCases(t)
	for _, c := range cases {
		program, _, _ := strings.Cut(c.command, " ")
		t.Run(c.file+" "+program, func(t *testing.T) {
			t.Parallel()
			dir := malformedDir(t, c)
			r := run(t, bin, dir, c.command, malformedTime)
			got := outcome{result: r, files: writtenFiles(t, dir, c)}
			for _, fault := range c.faults(got) {
				t.Error(fault)
			}
			if t.Failed() {
				t.Logf("%s: exit status %d, stdout %q, stderr %q", c.command, r.exit, excerpt(r.stdout), excerpt(r.stderr))
				return
			}
			if strings.Contains(c.file, "gzip") && r.exit == 0 {
				sameAsUnpacked(t, bin, c, got)
			}
			if c.ours == "accept" {
				sameAsInstalled(t, c, got)
			}
		})
	}
	t.Logf("malformed files: %d commands on %d files", len(cases), countFiles(cases))
}

// faults returns what is wrong with an outcome.
func (c *malformedCase) faults(got outcome) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	switch {
	case got.late:
		fault("ran longer than %v", malformedTime)
		return faults
	case got.exit < 0 || bytes.Contains(got.stderr, []byte("goroutine ")) || bytes.Contains(got.stderr, []byte("panic")):
		fault("crashed")
	}
	if got.memory >= malformedMemory {
		fault("took %d MiB", got.memory>>20)
	}
	refused := got.exit != 0
	switch {
	case c.ours == "error" && !refused:
		fault("accepted")
	case c.ours == "accept" && refused:
		fault("refused")
	case c.ours != "error" && c.ours != "accept" && c.ours != "either":
		fault("the table asks for %q", c.ours)
	case refused:
		c.refusalFaults(got, fault)
	default:
		c.acceptanceFaults(got, fault)
	}
	return faults
}

// lineNumber is a position in a message.
var lineNumber = regexp.MustCompile(`:[1-9][0-9]*\b|\bline [1-9][0-9]*\b`)

// ofWholeFile lists the files whose fault is in no line: the number of classes,
// kernel values that overflow.
var ofWholeFile = map[string]bool{
	"d14_huge_values.data":   true,
	"d16_20000_classes.data": true,
}

// partner gives, where the fault lies between two files, the sound one, which
// the message may name instead.
var partner = map[string]string{
	"m36_pre_sv_huge_serial.model": "good_pre.data",
}

// refusalFaults judges an error: its status, its message, and that nothing is
// left that looks like a result.
func (c *malformedCase) refusalFaults(got outcome, fault func(string, ...any)) {
	if got.exit != 1 && !(got.exit == 255 && strings.HasPrefix(c.command, "svm-scale ")) {
		fault("exit status %d", got.exit)
	}
	if !oneLine(got.stderr) {
		fault("not one line on stderr")
	}
	if !bytes.Contains(got.stderr, []byte(c.file)) && !(partner[c.file] != "" && bytes.Contains(got.stderr, []byte(partner[c.file]))) {
		fault("the message does not name %s", c.file)
	}
	if !ofWholeFile[c.file] && !lineNumber.Match(got.stderr) {
		fault("the message has no line number")
	}
	if len(got.stdout) > 0 {
		fault("output in spite of the error")
	}
	for name, b := range got.files {
		if len(b) > 0 {
			fault("%s was written in spite of the error", name)
		}
	}
	if c.libsvm.exit == "1" && strings.HasPrefix(c.libsvm.stderr, "Wrong input format at line ") &&
		!strings.HasPrefix(string(got.stderr), c.libsvm.stderr) {
		fault("the message does not begin with %q", c.libsvm.stderr)
	}
}

// notFinite finds nan and infinity among the numbers of a model or prediction.
var notFinite = regexp.MustCompile(`(?i)(^|[\s:])[+-]?(nan|inf)`)

// acceptanceFaults judges a success: it says what LIBSVM says where that comes
// to an end, and its result holds no nan.
func (c *malformedCase) acceptanceFaults(got outcome, fault func(string, ...any)) {
	if c.libsvm.exit == "0" {
		slashed := strings.ReplaceAll(string(got.stdout), "\n", "/")
		if want := c.libsvm.stdout; !strings.HasSuffix(strings.TrimSuffix(slashed, "/"), strings.TrimSuffix(want, "/")) || (want == "" && slashed != "") {
			fault("stdout does not end in %q", want)
		}
		slashed = strings.ReplaceAll(string(got.stderr), "\n", "/")
		if want := c.libsvm.stderr; c.ours == "accept" && (!strings.HasPrefix(slashed, want) || want == "" && slashed != "") {
			fault("stderr does not begin with %q", want)
		}
	}
	if c.ours == "either" && strings.Contains(c.reason, "warn") && len(got.stderr) == 0 {
		fault("accepted without a warning")
	}
	words := strings.Fields(c.command)
	if out := words[len(words)-1]; words[0] != "svm-scale" && len(got.files[out]) == 0 {
		fault("%s was not written", out)
	}
	for name, b := range got.files {
		if notFinite.Match(b) {
			fault("%s holds nan or infinity", name)
		}
	}
}

// malformedCases reads the table.
func malformedCases(t *testing.T) []malformedCase {
	t.Helper()
	var cases []malformedCase
	for _, row := range readTable(t, filepath.Join("testdata", "malformed", "TABLE.tsv")) {
		c := malformedCase{file: row["case"], command: row["command"], ours: row["ours"], reason: row["reason"]}
		c.libsvm.exit, c.libsvm.stdout, c.libsvm.stderr = row["libsvm_exit"], row["libsvm_stdout"], row["libsvm_stderr"]
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	return cases
}

func countFiles(cases []malformedCase) int {
	files := map[string]bool{}
	for _, c := range cases {
		files[c.file] = true
	}
	return len(files)
}

// malformedDir returns a new folder that holds copies of the files which the
// command reads.
func malformedDir(t *testing.T, c malformedCase) string {
	t.Helper()
	dir := t.TempDir()
	found := false
	for _, word := range strings.Fields(c.command)[1:] {
		name := filepath.Join("testdata", "malformed", word)
		b, err := os.ReadFile(name)
		if err != nil {
			if b, err = readPacked(name + ".zst"); err != nil {
				continue // an option, or a file to be written
			}
		}
		found = found || word == c.file
		if err := os.WriteFile(filepath.Join(dir, word), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Fatalf("%s is not there, or %q does not name it", c.file, c.command)
	}
	return dir
}

// writtenFiles returns the files that are in dir after the command and were not
// before.
func writtenFiles(t *testing.T, dir string, c malformedCase) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		if _, err := os.Stat(filepath.Join("testdata", "malformed", name)); err == nil || name == c.file {
			continue
		}
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// sameAsUnpacked asks that the command gave for the gzip file what it gives for
// its content.
func sameAsUnpacked(t *testing.T, bin string, c malformedCase, got outcome) {
	t.Helper()
	dir := malformedDir(t, c)
	name := filepath.Join(dir, c.file)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, plain, 0o666); err != nil {
		t.Fatal(err)
	}
	r := run(t, bin, dir, c.command, malformedTime)
	var y tally
	judgeStep(t, "packed against plain", "bytes", got, outcome{result: r, files: writtenFiles(t, dir, c)}, &y)
}

// sameAsInstalled asks for the bytes of the installed LIBSVM.
func sameAsInstalled(t *testing.T, c malformedCase, got outcome) {
	t.Helper()
	bin, err := installedLIBSVM()
	switch {
	case err != nil && testenv.Required():
		t.Fatal(err)
	case err != nil:
		t.Logf("not compared with an installed LIBSVM: %v", err)
		return
	}
	dir := malformedDir(t, c)
	r := run(t, bin, dir, c.command, malformedTime)
	var y tally
	judgeStep(t, "ours against the installed LIBSVM", "bytes", got, outcome{result: r, files: writtenFiles(t, dir, c)}, &y)
}
