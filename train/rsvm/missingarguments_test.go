package rsvm

import (
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestMissingArguments: an argument that the caller left out is named by an error.
func TestMissingArguments(t *testing.T) {
	o := DefaultOptions()
	o.Kernel = kernel.RBF{Gamma: 1}
	if _, err := (Classifier{Options: o}).TrainStream(t.Context(), nil); !errors.Is(err, errNoRows) {
		t.Error(err)
	}
	if _, err := (Regression{Options: o}).TrainStream(t.Context(), nil); !errors.Is(err, errNoRows) {
		t.Error(err)
	}
	if err := new(Partial).Add(nil); !errors.Is(err, ErrMismatch) {
		t.Error(err)
	}
	if _, err := ReadPartial(nil); err == nil || err.Error() != "no file of partial sums" {
		t.Error(err)
	}
	if err := new(Partial).Write(nil); err == nil || err.Error() != "nothing to write partial sums to" {
		t.Error(err)
	}
}

// TestZeroSettings: the error for zero Options says what sets their fields.
func TestZeroSettings(t *testing.T) {
	err := (&Options{Kernel: kernel.RBF{Gamma: 1}, Cost: 1}).Validate()
	if want := "Alpha and Steps are 0: DefaultOptions sets them"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
