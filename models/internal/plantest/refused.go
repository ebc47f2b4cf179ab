package plantest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/internal/plan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// CheckRefused returns an error unless a writer of models in a language refuses a name, writing
// nothing, with the error that names has for it, or accepts it if that is "<nil>"; an invalid
// model; and ranges of other rows; and returns the error of a file that cannot be written.
func CheckRefused(language string, names map[string]string, write func(w io.Writer, m *models.Model, name string) error,
	writeScaled func(w io.Writer, m *models.Model, name string, r *scale.Ranges) error) error {
	rng := rand.New(rand.NewPCG(7, 8))
	m := Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 2, First: 1, Width: 2, Density: 1}.Model(rng)
	for name, want := range names {
		var b bytes.Buffer
		if err := write(&b, m, name); fmt.Sprint(err) != want || err != nil && b.Len() > 0 {
			return fmt.Errorf("%q: %v and %d bytes, want %s", name, err, b.Len(), want)
		}
	}
	r := &scale.Ranges{X: &scale.Features{Limits: scale.Limits{Upper: 1}, Ranges: []scale.Feature{{Index: 0, Range: scale.Range{Max: 1}}}}}
	ranges := "the ranges are not those of the model's rows: they have feature 0, and in " + language + " features are numbered from 1 where they are scaled"
	if err := writeScaled(io.Discard, m, "m", r); !errors.Is(err, plan.ErrRanges) || err.Error() != ranges {
		return fmt.Errorf("ranges of other rows: %v, want %s", err, ranges)
	}
	m.Machines = nil
	if write(io.Discard, m, "m") == nil {
		return errors.New("a model without its machine is written")
	}
	m = Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 900, First: 1, Width: 2, Density: 1}.Model(rng)
	if err := write(fullFile{}, m, "m"); !errors.Is(err, errFull) {
		return fmt.Errorf("a full file: %v", err)
	}
	return nil
}

// A fullFile takes nothing.
type fullFile struct{}

var errFull = errors.New("full")

func (fullFile) Write([]byte) (int, error) { return 0, errFull }
