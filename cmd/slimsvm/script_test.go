package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"slimsvm": main})
}

// TestScript has the drop-in commands at hand too.
func TestScript(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../svm-train", "../svm-predict", "../svm-scale").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	commandtest.Scripts(t, func(env *testscript.Env) error {
		env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
		return nil
	})
}
