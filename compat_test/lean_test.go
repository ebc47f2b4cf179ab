package compat_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLeanCommands: what LIBSVM's commands have in them is read and set up whenever one begins, and
// most of their work takes milliseconds. So packages that are large, or set much up, stay out.
func TestLeanCommands(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"/libsvmfmt") {
		t.Fatalf("no libsvmfmt among %d packages", len(deps))
	}
	for _, large := range []string{"regexp", "net", "net/http", "text/template", "encoding/gob", "github.com/urfave/cli/v2", "gonum.org/v1/gonum/mat"} {
		if slices.Contains(deps, large) {
			t.Errorf("the commands have %s in them", large)
		}
	}
}

// TestLeanDataFiles: of weights that stand elsewhere than in the rows LIBSVM's commands know
// nothing, and what reads them is not linked into them; nor is a second table of capitals.
func TestLeanDataFiles(t *testing.T) {
	for _, name := range []string{"svm-train", "svm-predict", "svm-scale"} {
		program, err := os.ReadFile(filepath.Join(commands(t), name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(program, []byte("cmd/internal/datafile.DetectForeign")) {
			t.Fatalf("%s does not show the names of its functions", name)
		}
		for _, function := range []string{"datafile.(*weighing)", "datafile.ReadWeights", "strings.ToUpper"} {
			if bytes.Contains(program, []byte(function)) {
				t.Errorf("%s has %s in it", name, function)
			}
		}
	}
}
