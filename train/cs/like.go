package cs

import (
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

var _ train.Chooser = Trainer{}

// Like implements train.Chooser. The machines of the result have the costs of the last stage that
// were chosen for those of m that tell the same classes apart; others choose for themselves.
func (t Trainer) Like(m *models.Model) train.Trainer {
	if m == nil || m.Provenance == nil {
		return t
	}
	for _, p := range m.Provenance.Parameters {
		nus := strings.Split(p.Value, ",")
		if p.Name != "nu" || len(nus) != len(m.Machines) {
			continue
		}
		t.chosen = map[sides]float64{}
		for k, text := range nus {
			if nu, err := strconv.ParseFloat(text, 64); err == nil && positive("cost", nu) == nil {
				t.chosen[sidesOf(m, &m.Machines[k])] = nu
			}
		}
	}
	return t
}

// sides are the labels that a machine tells apart, in either order: of others that have classes
// in another order, machines have them the other way round.
type sides struct {
	one, other int
	rest       bool // one is told from all others
}

// sidesOf returns those of a machine of a model.
func sidesOf(m *models.Model, machine *models.Machine) sides {
	one := m.Labels[machine.Pos]
	if machine.Neg == models.Rest {
		return sides{one: one, rest: true}
	}
	other := m.Labels[machine.Neg]
	return sides{one: min(one, other), other: max(one, other)}
}

// costs returns the costs of the last stage of a model's machines; 0: one is to be chosen. nil: of all.
func (t *Trainer) costs(m *models.Model) []float64 {
	if t.chosen == nil {
		return nil
	}
	nus := make([]float64, len(m.Machines))
	for k := range m.Machines {
		nus[k] = t.chosen[sidesOf(m, &m.Machines[k])]
	}
	return nus
}
