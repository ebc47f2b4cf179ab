package train_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestReportPanics: the value that a Report panics with reaches the caller, by itself or wrapped in
// an error.
func TestReportPanics(t *testing.T) {
	d := classes(rand.New(rand.NewPCG(7, 8)), 4, 30, 4, 1)
	mine := errors.New("mine")
	for _, threads := range []int{1, 4} {
		func() {
			defer func() {
				value := recover()
				err, _ := value.(error)
				switch {
				case !errors.Is(err, mine):
					t.Errorf("%d threads: panic %v", threads, value)
				case threads == 1 && value != mine:
					t.Errorf("one thread: panic %v, want the value itself", value)
				case !strings.HasPrefix(err.Error(), "mine"):
					t.Errorf("%d threads: panic %q", threads, err)
				}
			}()
			_, err := train.OneVsOne{
				Solver: smo.DefaultCSVC(), Task: models.CSVC, Kernel: kernel.RBF{Gamma: 0.25}, Threads: threads,
				Report: func(train.Event) { panic(mine) },
			}.Train(t.Context(), d, nil)
			t.Errorf("%d threads: Train returns, error %v", threads, err)
		}()
	}
}
