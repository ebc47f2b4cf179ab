package main

import (
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
)

// patient is the command with an hour to stop by itself after a signal.
func patient() {
	launch.Grace = time.Hour
	main()
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"svm-train": main, "patient": patient})
}

func TestScript(t *testing.T) { commandtest.Scripts(t) }
