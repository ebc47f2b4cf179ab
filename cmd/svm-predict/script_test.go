package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"svm-predict": main})
}

func TestScript(t *testing.T) { commandtest.Scripts(t) }
