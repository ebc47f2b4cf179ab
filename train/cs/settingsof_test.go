package cs

import (
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestWithSettingsOf: for other rows, the machines have the costs that were chosen for those of a model, also
// if their classes come in another order or are fewer. Without such a model, each machine chooses.
func TestWithSettingsOf(t *testing.T) {
	d := manyClasses(4, 12)
	for i := range d.Y { // labels that overlap, so that costs matter
		if i%5 == 0 {
			d.Y[i] = d.Y[(i*7)%len(d.Y)]
		}
	}
	reversed := slices.Clone(allRows(d.Len()))
	slices.Reverse(reversed)
	var few []int
	for _, i := range reversed {
		if d.Y[i] != 2 {
			few = append(few, i)
		}
	}
	costs := func(m *models.Model) map[sides]string {
		nus, of := strings.Split(parameterOf(m, "nu"), ","), map[sides]string{}
		for k := range m.Machines {
			of[sidesOf(m, &m.Machines[k])] = nus[k]
		}
		return of
	}
	for _, rest := range []bool{false, true} {
		for seed := range uint64(3) {
			s := Trainer{Settings: Default(), Kernel: kernel.RBF{Gamma: 0.5}, OneVsRest: rest, Threads: 1}
			s.Runs, s.Seed, s.Sizes = 2, seed, []int{16}
			m, err := s.Train(t.Context(), d, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, differ := costs(m), 0
			for _, rows := range [][]int{reversed, few} {
				part := &format.Dataset{X: d.X.Select(rows)}
				for _, i := range rows {
					part.Y = append(part.Y, d.Y[i])
				}
				own, err := s.Train(t.Context(), part, nil)
				if err != nil {
					t.Fatal(err)
				}
				like, err := s.WithSettingsOf(m).Train(t.Context(), part, nil)
				if err != nil {
					t.Fatal(err)
				}
				got, chosen := costs(like), costs(own)
				for of, nu := range got {
					if nu != want[of] {
						t.Errorf("rest %v, seed %d: the machine of %v has cost %s, want %s", rest, seed, of, nu, want[of])
					}
					if nu != chosen[of] {
						differ++
					}
				}
			}
			if differ == 0 {
				t.Errorf("rest %v, seed %d: all would have chosen these costs", rest, seed)
			}
			for name, m := range map[string]*models.Model{
				"no provenance": {}, "no costs": {Provenance: &models.Provenance{Method: "cs"}},
				"more costs than machines": {Provenance: &models.Provenance{Parameters: []models.Parameter{{Name: "nu", Value: "1,2"}}}},
			} {
				if l, is := s.WithSettingsOf(m).(Trainer); !is || l.costs(&models.Model{}) != nil {
					t.Errorf("like a model with %s: %v", name, l)
				}
			}
		}
	}
}

func parameterOf(m *models.Model, name string) string {
	for _, p := range m.Provenance.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}
