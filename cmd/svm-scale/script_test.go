package main

import (
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/commandtest"
)

func TestScript(t *testing.T) { commandtest.Scripts(t) }
