package pysource_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/pysource"
)

// interpreter returns Python, or skips the test with a message. SLIMSVM_REQUIRE_ORACLES does not
// require it: nothing that it installs brings Python.
func interpreter(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if exec.Command(path, "-c", "import sys; sys.exit(sys.version_info < (3, 8))").Run() == nil {
			return path
		}
	}
	t.Skip("what is written in Python is not run: no Python 3.8 or later")
	return ""
}

// kit reads and prints the lines of package plantest, with models as modules m0, m1, ... in the
// folder.
const kit = `
import importlib, struct, sys

def bits(v):
    if v != v:
        return "nan"
    return struct.pack(">d", v or 0.0).hex()

def word(v):
    return "t" + v.encode().hex() if isinstance(v, str) else bits(v)

def number(word):
    return struct.unpack(">d", bytes.fromhex(word))[0]

def say(m, words):
    end = []
    if words[0] == "c":
        x = [None if w == "-" else number(w[1:]) if w[0] == "n" else bytes.fromhex(w[1:]).decode() for w in words[1:]]
    elif words[0] == "d":
        x = [number(w) for w in words[1:]]
    else:
        x = {int(words[i]): number(words[i + 1]) for i in range(1, len(words), 2)}
    for make in "encode", "scale":
        if hasattr(m, make):
            x = end = getattr(m, make)(x)
    out = [m.predict(x)] + m.decisions(x)
    if hasattr(m, "SIGMA"):
        out.append(m.SIGMA)
    if hasattr(m, "probabilities"):
        out.append(m.most_probable(x) if hasattr(m, "most_probable") else m.predict(x))
        out += m.probabilities(x)
    return [word(v) for v in out + end]

@
modules = {}
for line in sys.stdin:
    words = line.split()
    m = modules.get(words[0])
    if m is None:
        m = modules[words[0]] = importlib.import_module("m" + words[0])
        for name in m.__all__:
            getattr(m, name)
    try:
        print(" ".join(say(m, words[1:])))
    except ValueError as e:
        print("! %s" % e)
`

// A program is a folder of modules for one run.
type program struct {
	folder string
	n      int
	more   string // code that runs before rows are read
}

func (p *program) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(p.folder, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := testenv.TrackInputs(name); err != nil {
		t.Fatal(err)
	}
}

// add writes a model's module.
func (p *program) add(t *testing.T, m *models.Model, r *scale.Ranges) {
	t.Helper()
	name := fmt.Sprintf("m%d", p.n)
	var b bytes.Buffer
	var err error
	if r == nil {
		err = pysource.Write(&b, m, name)
	} else {
		err = pysource.WriteScaled(&b, m, name, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range b.Bytes() {
		if c >= 0x80 || c < ' ' && c != '\n' {
			t.Fatalf("byte %d is %#x", i, c)
		}
	}
	p.write(t, name+".py", b.String())
	p.n++
}

// run returns the program's output for lines, without a warning. Python has no modules except its
// own.
func (p *program) run(t *testing.T, python string, lines []string) []string {
	t.Helper()
	p.write(t, "main.py", strings.Replace(kit, "@", p.more, 1))
	run := exec.Command(python, "-W", "error", "-S", "-B", filepath.Join(p.folder, "main.py"))
	run.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var errs bytes.Buffer
	run.Stderr = &errs
	out, err := run.Output()
	if err == nil && errs.Len() > 0 {
		err = errors.New("something is said")
	}
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, &errs)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines for %d", len(got), len(lines))
	}
	return got
}

// compare runs a program and compares its output.
func (p *program) compare(t *testing.T, python string, in, want []string) {
	t.Helper()
	got := p.run(t, python, in)
	for i := range in {
		if got[i] != want[i] {
			t.Fatalf("%.1000s\n%.1000s in Python, want\n%.1000s", in[i], got[i], want[i])
		}
	}
}

// agree compares the results of modules for rows with those of package predict, and returns how
// many numbers are the same.
func agree(t *testing.T, python string, trials []plantest.Trial) (numbers int) {
	t.Helper()
	p := &program{folder: t.TempDir()}
	for _, c := range trials {
		p.add(t, c.Model, c.Ranges)
	}
	in, want, err := plantest.Lines(trials)
	if err != nil {
		t.Fatal(err)
	}
	p.compare(t, python, in, want)
	for _, line := range want {
		numbers += len(strings.Fields(line))
	}
	return numbers
}
