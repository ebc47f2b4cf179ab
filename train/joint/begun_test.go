package joint

import (
	"fmt"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestBegunOfVectorsThatStay: a model like one whose vectors moved from a chosen gamma may have
// vectors that had better stay where they start. They stay with the chosen gamma if that is better
// than the kernel's. Compared with the kernel's alone, moved vectors seem to gain much, and win.
func TestBegunOfVectorsThatStay(t *testing.T) {
	learn := set(t, "waveform", 300, 1)
	c := widthToChoose(models.CSVC, 1, 5, 60)
	m := trained(t, c, learn) // its vectors stay
	if parameter(m, "evaluations") != "0" {
		t.Fatalf("vectors moved: %+v", m.Provenance.Parameters)
	}
	chosen := parameter(m, begunWith)
	for k, p := range m.Provenance.Parameters { // as if they had moved
		if p.Name == "evaluations" {
			m.Provenance.Parameters[k].Value = "60"
		}
	}
	like := trained(t, c.WithSettingsOf(m).(Trainer), learn)
	if moved := parameter(like, "evaluations"); moved != "0" {
		t.Errorf("vectors moved for %s evaluations", moved)
	}
	if gamma := fmt.Sprint(like.Kernel.(kernel.RBF).Gamma); gamma != chosen {
		t.Errorf("vectors that stay have gamma %s, want %s", gamma, chosen)
	}
}
