// Package examples holds the tests of the examples.
package examples

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// sources looks at what the commands are made of.
var sources = sync.OnceValue(func() error { return testenv.TrackSources("./examples/...", "./cmd/...") })

// output runs a command in the module's root and returns what it prints. The command may read what
// lies in this folder, and build any of the module's.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	given, err := filepath.Glob("*.sh")
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Glob("data/*")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(testenv.TrackInputs(append(given, data...)...), sources()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = ".."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	return string(out)
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.out")
	if err != nil || len(files) == 0 {
		t.Fatalf("no outputs to compare with: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".out")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if name == "library" {
				got = output(t, "go", "run", "./examples/library")
			} else {
				// the scripts' words beside our commands
				for _, tool := range []string{"sh", "awk", "cat", "cmp", "cut", "dirname", "grep", "gzip", "head", "ls", "mkdir", "mktemp", "paste", "rm", "tail"} {
					if _, err := exec.LookPath(tool); err != nil {
						testenv.SkipMissing(t, "the script is not run", err)
					}
				}
				got = output(t, "sh", "examples/"+name+".sh")
			}
			if got != string(want) {
				t.Errorf("printed\n%s\nexpected\n%s", got, want)
			}
		})
	}
}

// TestScriptsListed: every script has an output to compare with, and a line in the README.
func TestScriptsListed(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	scripts, _ := filepath.Glob("*.sh")
	if len(scripts) < 2 {
		t.Fatal("no scripts found")
	}
	for _, script := range scripts {
		if script == "commands.sh" { // which the others read
			continue
		}
		if !bytes.Contains(readme, []byte("sh examples/"+script)) {
			t.Errorf("README.md does not list %s", script)
		}
		if _, err := os.Stat("testdata/" + strings.TrimSuffix(script, ".sh") + ".out"); err != nil {
			t.Error(err)
		}
	}
}

func TestData(t *testing.T) {
	t.Parallel()
	for file, args := range map[string][]string{
		"moons.train":  {"moons", "300", "1"},
		"moons.test":   {"moons", "1000", "2"},
		"sinc.train":   {"sinc", "200", "1"},
		"sinc.test":    {"sinc", "200", "2"},
		"gauss5.train": {"gauss5", "500", "1"},
	} {
		want, err := os.ReadFile("data/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if got := output(t, "go", append([]string{"run", "./examples/makedata"}, args...)...); got != string(want) {
			t.Errorf("makedata %s no longer makes data/%s", strings.Join(args, " "), file)
		}
	}
}

// TestMakedataWords: words that are too few or too many are an error, not the list of sets.
func TestMakedataWords(t *testing.T) {
	t.Parallel()
	if got := output(t, "go", "run", "./examples/makedata"); !strings.Contains(got, "moons\n") {
		t.Errorf("no moons in %q", got)
	}
	for _, words := range [][]string{{"moons"}, {"moons", "300"}, {"moons", "300", "1", "2"}} {
		cmd := exec.Command("go", append([]string{"run", "./examples/makedata"}, words...)...)
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "expected NAME ROWS SEED, or none") {
			t.Errorf("%s: %v, %q", words, err, out)
		}
	}
}
