package predict

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestFilterReuse: goroutines that come to a block of machines together pack it once, and a
// predictor that is used again packs the blocks of a model of the same size in the memory of the
// last ones.
func TestFilterReuse(t *testing.T) {
	defer func(was bool) { anyFilter = was }(anyFilter)
	anyFilter = true
	rng := rand.New(rand.NewPCG(17, 3))
	m := randomModel(rng, models.CSVC, kernel.RBF{Gamma: 0.25}, oneBlock+12, 300, false, false)
	var xs []vec.Vector
	for range filterRows {
		xs = append(xs, randomVector(rng, 5))
	}
	p := predictor(t, m)
	var before []*packed
	for round := range 3 {
		if round > 0 {
			p.Release()
			if err := p.Use(m); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				b := p.NewBatch()
				for range 5 {
					b.Answer(xs)
				}
			})
		}
		all.Wait()
		f := p.filter()
		if f == nil || !f.kept {
			t.Fatal("no filter with blocks")
		}
		for n := range f.ready {
			now := f.ready[n].Load()
			if now == nil {
				t.Fatalf("round %d: block %d of %d is not kept", round, n, len(f.ready))
			}
			if round == 0 {
				before = append(before, now)
			} else if now != before[n] {
				t.Errorf("round %d: block %d is packed in other memory", round, n)
			}
		}
	}
}
