package csource_test

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/internal/plantest"
)

// TestEnsembles: compiled, ensembles answer as package predict does, to the last bit, whether members speak
// or none does.
func TestEnsembles(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(23, 24))
	trials := plantest.Ensembles(rng)
	for _, options := range [][]string{nil, fused} {
		agree(t, cc, trials, options...)
	}
}

// TestImprobable: where all probabilities are 0 the answer is that of a member who speaks, or the default.
func TestImprobable(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(25, 26))
	trials := plantest.Improbable(rng)
	agree(t, cc, trials)
}

// TestConsistent: of pairs that agree with each other, whose equations have many solutions but for rounding,
// the same one is found.
func TestConsistent(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(29, 30))
	trials := plantest.Consistent(rng)
	agree(t, cc, trials)
}
