package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// patient is the command with an hour to stop by itself after a signal.
func patient() {
	launch.Grace = time.Hour
	main()
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"slimsvm": main, "patient": patient})
}

// TestScript has the drop-in commands at hand too.
func TestScript(t *testing.T) {
	bin := t.TempDir()
	if err := testenv.Build(bin, "./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale"); err != nil {
		t.Fatal(err)
	}
	commandtest.Scripts(t, func(env *testscript.Env) error {
		env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
		return nil
	})
}
