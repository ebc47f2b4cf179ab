package catalog

import (
	"testing"

	"github.com/slimsvm/slimsvm/train/psvm"
)

// TestOneHyperplane: without the option, the trainer decides; with =false, machines have a
// hyperplane for each pair of classes however many there are.
func TestOneHyperplane(t *testing.T) {
	for _, name := range []string{"psvm", "esvm"} {
		m, err := FindMethod(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			values        Values
			single, pairs bool
		}{{Values{}, false, false}, {Values{"one-hyperplane": true}, true, false}, {Values{"one-hyperplane": false}, false, true}} {
			trainer, err := m.New(Parameters{Cost: 1, Values: c.values})
			if err != nil {
				t.Fatal(err)
			}
			if p := trainer.(psvm.Trainer); p.Single != c.single || p.Pairs != c.pairs {
				t.Errorf("%s, %v: single %v, pairs %v", name, c.values, p.Single, p.Pairs)
			}
		}
	}
}
