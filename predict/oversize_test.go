package predict

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A batch of too many rows panics in every way to fill it and for every model, before anything is
// computed: not only where more than BatchRows rows happen to be computed together.
func TestBatchOfTooManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	xs := make([]vec.Vector, BatchRows+1)
	for i := range xs {
		xs[i] = randomVector(rng, 7)
	}
	want := fmt.Sprintf("predict: %d rows in a batch, expected at most %d", BatchRows+1, BatchRows)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{Gamma: 0.5}, kernel.Sigmoid{Gamma: 0.1}} {
		for _, classes := range []int{2, 5, 200} { // of 200, values are computed later
			p, err := New(randomModel(rng, models.CSVC, k, classes, 6, false, false))
			if err != nil {
				t.Fatal(err)
			}
			b := p.NewBatch()
			for name, fill := range map[string]func([]vec.Vector){
				"Answer":              b.Answer,
				"AnswerProbabilities": b.AnswerProbabilities,
				"Decide":              b.Decide,
				"DecideMembers":       func(xs []vec.Vector) { b.DecideMembers(xs, false) },
				"DecideVotes":         b.DecideVotes,
			} {
				func() {
					defer func() {
						if got := recover(); got != want {
							t.Errorf("%s of %T, %d classes: panic %v, want %v", name, k, classes, got, want)
						}
					}()
					fill(xs)
				}()
				if b.Len() != 0 {
					t.Fatalf("%s of %T, %d classes: the batch has %d rows", name, k, classes, b.Len())
				}
			}
			if b.Answer(xs[:BatchRows]); b.Predict(BatchRows-1) != p.Predict(xs[BatchRows-1]) {
				t.Errorf("%T, %d classes: a full batch answers differently", k, classes)
			}
		}
	}
}
