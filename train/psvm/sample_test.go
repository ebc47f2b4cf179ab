package psvm

import (
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models"
)

// TestResample: to the first sample are added rows that are answered wrongly, from NextShare times
// as many draws as there are rows.
func TestResample(t *testing.T) {
	d := set(t, "isolated", 300)
	s := Default()
	s.Sampling, s.Iterations, s.FirstShare, s.NextShare = 2, 1, 0.1, 0.2
	r, rows := wholeRun(t, s, d)
	sample := r.draw(rows, 0.1, 300, 1)
	first, err := r.train(t.Context(), sample, 1, []Form{Others})
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := r.wrong(t.Context(), first[0].ensemble.model(), rows)
	if err != nil || len(wrong) < 10 {
		t.Fatalf("%d rows are answered wrongly, %v: the test tells nothing", len(wrong), err)
	}
	want := append(slices.Clone(sample), r.draw(wrong, 0.2, 300, 2)...)
	slices.Sort(want)
	want = slices.Compact(want)
	got, err := r.compare(t.Context(), rows, []Form{Others})
	if err != nil || !slices.Equal(got[0].rows, want) {
		t.Errorf("%d rows %v, %v, want %d", len(got[0].rows), got[0].rows, err, len(want))
	}
}

// TestProbability: a model has probabilities if its votes are probabilities or if they are asked
// for, and not if only the form of its training needs them.
func TestProbability(t *testing.T) {
	d := set(t, "striated", 60)
	for _, form := range []Form{Others, OthersLikely} {
		for _, ballot := range []models.Ballot{models.ByProbability, models.ByDecision} {
			for _, asked := range []bool{false, true} {
				s := Default()
				s.Iterations, s.Form, s.Ballot, s.Probability = 2, form, ballot, asked
				m, err := s.Train(t.Context(), d, nil)
				if err != nil {
					t.Fatal(err)
				}
				want := asked || ballot == models.ByProbability
				if m.Probability != want || len(m.Machines) == 0 {
					t.Errorf("%v, %v, asked for %v: %d machines, probabilities %v", form, ballot, asked, len(m.Machines), m.Probability)
				}
				for i := range m.Machines {
					if has := m.Machines[i].Sigmoid != nil; has != want {
						t.Fatalf("%v, %v, asked for %v: machine %d has a sigmoid: %v", form, ballot, asked, i, has)
					}
				}
			}
		}
	}
}
