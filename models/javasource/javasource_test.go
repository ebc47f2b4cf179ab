package javasource_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models/internal/plantest"
)

// Helpers that the tests of other writers use too.
var (
	row = plantest.Row
)

// TestBits: compiled for Java 8, models of all kinds answer as package predict does, to the last
// bit, for rows in both forms.
func TestBits(t *testing.T) {
	tools := compiler(t)
	rng := rand.New(rand.NewPCG(1, 2))
	probable, err := plantest.Probable(rng)
	if err != nil {
		t.Fatal(err)
	}
	n := agree(t, tools, slices.Concat(plantest.Kernels(rng), plantest.Smallest(rng), probable, plantest.Levels(),
		plantest.Precomputed(rng), plantest.Scaled(rng), plantest.Functions(rng)))
	if n < 20000 {
		t.Errorf("%d numbers compared", n)
	}
}

// TestEnsembles: so do ensembles.
func TestEnsembles(t *testing.T) {
	tools := compiler(t)
	rng := rand.New(rand.NewPCG(23, 24))
	agree(t, tools, slices.Concat(plantest.Ensembles(rng), plantest.Improbable(rng), plantest.Consistent(rng)))
}
