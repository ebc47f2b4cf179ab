package compat_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLeanCommands: what LIBSVM's commands have in them is read and set up whenever one begins, and most of
// their work takes milliseconds. So packages that are large, or set much up, stay out.
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
