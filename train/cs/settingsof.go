package cs

import (
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

var _ train.Chooser = Trainer{}

// WithSettingsOf implements train.Chooser. The machines of the result have the costs of the last
// stage that were chosen for those of m that tell the same classes apart; others choose for
// themselves.
func (t Trainer) WithSettingsOf(m *models.Model) train.Trainer {
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

// sides are the labels that a machine tells apart, in either order: in a model that has the classes
// in another order, the machine may have them the other way round.
type sides struct {
	one, other int
	rest       bool // one against all others
}

// sidesOf returns the sides of a machine of a model.
func sidesOf(m *models.Model, machine *models.Machine) sides {
	one := m.Labels[machine.Pos]
	if machine.Neg == models.Rest {
		return sides{one: one, rest: true}
	}
	other := m.Labels[machine.Neg]
	return sides{one: min(one, other), other: max(one, other)}
}

// costs returns the cost of errors of each machine of a model in the last stage: 0 if it is to be
// chosen. If all are to be chosen, costs returns nil.
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
