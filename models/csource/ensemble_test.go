package csource_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/internal/plantest"
)

// TestEnsembles: compiled ensembles answer as package predict does, to the last bit, whether or not
// any member calls the row positive.
func TestEnsembles(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(23, 24))
	trials := plantest.Ensembles(rng)
	for _, options := range [][]string{nil, fused} {
		agree(t, cc, trials, options...)
	}
}

// TestImprobable: if all probabilities are 0, the answer is that of a member that calls the row
// positive, or the default.
func TestImprobable(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(25, 26))
	trials := plantest.Improbable(rng)
	agree(t, cc, trials)
}

// TestConsistent: pairs that are consistent with each other have equations with many solutions,
// except for rounding; the same solution is found.
func TestConsistent(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(29, 30))
	trials := plantest.Consistent(rng)
	agree(t, cc, trials)
}
