package joint

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestMissingArguments: an argument that the caller left out is named by an error. WithSettingsOf without a
// model changes nothing.
func TestMissingArguments(t *testing.T) {
	d, classes := set(t, "moons", 20, 1), [][]int{{0, 1}, {2, 3}}
	for _, b := range []Basis{KMeans{}, RandomRows{}} {
		if _, err := b.Vectors(t.Context(), nil, classes, 2, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != "no rows" {
			t.Errorf("%s of no rows: %v", b.Name(), err)
		}
		if _, err := b.Vectors(t.Context(), &d.X, classes, 2, nil); !errors.Is(err, train.ErrNoRand) {
			t.Errorf("%s without a random stream: %v", b.Name(), err)
		}
	}
	if l, is := Default().WithSettingsOf(nil).(Trainer); !is || l.oneCost {
		t.Errorf("like no model: %+v", l)
	}
}

// TestZeroSettings: the error for a zero Trainer says what sets its fields.
func TestZeroSettings(t *testing.T) {
	err := Trainer{Kernel: kernel.RBF{Gamma: 1}}.Validate()
	if want := "Vectors and WeightEvaluations are 0: Default sets them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
