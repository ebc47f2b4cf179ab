package models_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// ensemble is a sound ensemble.
const ensemble = `slimsvm_model 1
svm_type c_svc
kernel_type linear
nr_class 3
multiclass ensemble
vote probability
default 5
columns 5 label rho probA probB exemplar
method psvm
seed 1
total_sv 3
label 4 5 -6
SV
5 0.25 -1.5 0.125 7 1:0.12345678901234566 3:2 
4 -1 -2 0 8 2:4 
5 0.10000000000000001 0 -0.5 9 
`

const leanEnsemble = `slimsvm_model 1
svm_type c_svc
kernel_type linear
nr_class 2
multiclass ensemble
vote decision
default 1
columns 2 label rho
total_sv 1
label 1 -1
SV
-1 0.25 1:0.5 
`

func TestEnsembleReads(t *testing.T) {
	for name, text := range map[string]string{
		"ensemble":    ensemble,
		"lean":        leanEnsemble,
		"no machines": strings.NewReplacer("total_sv 1", "total_sv 0", "-1 0.25 1:0.5 \n", "").Replace(leanEnsemble),
		"count":       strings.Replace(ensemble, "probability", "count", 1),
		"with inputs": ensemble + "slimsvm inputs\nx\n",
	} {
		m := mustRead(t, text)
		if !m.Extended() || m.Vote != models.Ensemble {
			t.Errorf("%s: %v", name, m.Vote)
		}
		wantSameText(t, name, mustWrite(t, m), text)
		if _, err := models.Lower(m); !errors.Is(err, models.ErrEnsemble) {
			t.Errorf("%s: lowering it is %v", name, err)
		}
	}
	m := mustRead(t, ensemble)
	if m.Ballot != models.ByProbability || m.Default != 1 || !slices.Equal(m.Origin, []int{7, 8, 9}) || m.Machines[1].Pos != 0 {
		t.Errorf("read %+v", m)
	}
}

// TestLean: a lean ensemble has no exemplars, and sigmoids only where votes need them.
func TestLean(t *testing.T) {
	m := mustRead(t, ensemble)
	want := strings.NewReplacer("columns 5 label rho probA probB exemplar", "columns 4 label rho probA probB",
		" 7 1:", " 1:", " 8 2:", " 2:", "-0.5 9 ", "-0.5 ").Replace(ensemble)
	wantSameText(t, "by probability", mustWrite(t, m.Lean()), want)
	m.Ballot = models.ByDecision
	want = strings.NewReplacer("vote probability", "vote decision", "columns 4 label rho probA probB", "columns 2 label rho",
		" -1.5 0.125", "", " -2 0 2:", " 2:", " 0 -0.5 ", " ").Replace(want)
	wantSameText(t, "by decision", mustWrite(t, m.Lean()), want)
	if m.Origin == nil || m.Machines[0].Sigmoid == nil {
		t.Error("the model itself was changed")
	}
}

// ensembleFaults are malformed ensembles: what is put for what, and the error.
var ensembleFaults = []struct{ model, old, new, err string }{
	{"", "vote probability", "vote most", `6:6: vote is "most", expected probability, decision, count`},
	{"", "default 5", "default 7", `13: default is 7, which is no label`},
	{"", "default 5", "default x", `7:9: expected an integer as value of default, found "x"`},
	{"", "default 5\n", "", `12: default is missing`},
	{"", "columns 5 label rho probA probB exemplar\n", "", `12: columns is missing`},
	{"", "columns 5", "columns 6", `8:9: columns is "6", expected 2 to 5`},
	{"", "columns 5", "columns 4", `8:33: unknown key "exemplar"`},
	{"", "label rho probA", "rho label probA", `8:15: columns has "label", expected label, rho, probA, probB, exemplar in this order`},
	{"", "columns 5 label rho probA probB exemplar", "columns 3 label rho probA", `13: columns are label rho probA: label and rho must be there, and probA and probB belong together`},
	{"", "columns 5 label rho probA probB exemplar", "columns 2 rho exemplar", `13: columns are rho exemplar: label and rho must be there`},
	{"", "columns 5 label rho probA probB exemplar", "columns 2 label rho", `14:8: expected index:value, found "-1.5"`},
	{"lean", "vote decision", "vote probability", `11: votes are by probability, but there is no probability information`},
	{"", "kernel_type linear", "kernel_type rbf\ngamma 1", `14: kernel_type is rbf: the machines of an ensemble are linear`},
	{"", "total_sv 3", "total_sv 3\nrho 1 2 3", `12:1: rho is no key of an ensemble, whose lines have it`},
	{"", "total_sv 3", "total_sv 4", `16: the file ends where support vector 4 of 4 is expected`},
	{"", "5 0.25 -1.5", "6 0.25 -1.5", `14:1: the machine is for class 6, which is no label`},
	{"", "5 0.25 -1.5", "5.5 0.25 -1.5", `14:1: the machine is for class 5.5, which is no label`},
	{"", "5 0.25 -1.5", "5 inf -1.5", `14:3: coefficient "inf" is not finite`},
	{"", " 7 1:", " 0 1:", `14:1: the machine's exemplar is row 0, expected 1 to 2147483647`},
	{"", " 7 1:", " 7.5 1:", `14:1: the machine's exemplar is row 7.5, expected 1 to 2147483647`},
	{"", " 7 1:", " 1:", `14:19: expected coefficient 5 of 5, found "1:0.12345678901234566"`},
	{"", "svm_type c_svc", "svm_type one_class", `13: multiclass is of no use for svm_type one_class, which has one machine`},
	{"lean", "nr_class 2", "nr_class 1", `10:9: unknown key "-1"`},
}

func TestEnsembleFaults(t *testing.T) {
	texts := map[string]string{"": ensemble, "lean": leanEnsemble}
	for _, c := range ensembleFaults {
		m, err := read(change(t, texts[c.model], c.old, c.new))
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%q for %q:\n%v, want\n%s", c.new, c.old, err, c.err)
			continue
		}
		wantPlaced(t, err, err.Error())
	}
}

// anyEnsemble draws ensembles of all kinds.
func anyEnsemble() *rapid.Generator[*models.Model] {
	return rapid.Custom(func(t *rapid.T) *models.Model {
		number := numbers()
		labels := rapid.SliceOfNDistinct(rapid.IntRange(-1<<31, 1<<31-1), 2, 5, rapid.ID[int]).Draw(t, "labels")
		m := models.NewEnsemble(labels, rapid.IntRange(0, len(labels)-1).Draw(t, "default"), models.Ballot(rapid.IntRange(0, 2).Draw(t, "vote")))
		m.Probability = m.Ballot == models.ByProbability || rapid.Bool().Draw(t, "probability")
		if rapid.Bool().Draw(t, "exemplars") {
			m.Origin = []int{}
		}
		for range rapid.IntRange(0, 5).Draw(t, "machines") {
			index := rapid.SliceOfNDistinct(rapid.Int32Range(0, 1<<31-1), 0, 4, rapid.ID[int32]).Draw(t, "index")
			slices.Sort(index)
			w := vec.Vector{Index: index, Value: rapid.SliceOfN(number, len(index), len(index)).Draw(t, "w")}
			var s *models.Sigmoid
			if m.Probability {
				s = &models.Sigmoid{A: number.Draw(t, "A"), B: number.Draw(t, "B")}
			}
			m.AddMachine(rapid.IntRange(0, len(labels)-1).Draw(t, "class"), w, number.Draw(t, "rho"), s)
			if m.Origin != nil {
				m.Origin = append(m.Origin, rapid.IntRange(1, 1<<31-1).Draw(t, "exemplar"))
			}
		}
		return m
	})
}

// TestEnsembleRoundTrip: what is written is read back the same, and writes the same bytes.
func TestEnsembleRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyEnsemble().Draw(rt, "model")
		text := mustWrite(t, m)
		back := mustRead(t, text)
		if mustWrite(t, back) != text {
			rt.Fatalf("written again:\n%s\nwas:\n%s", mustWrite(t, back), text)
		}
		if back.Ballot != m.Ballot || back.Default != m.Default || !slices.Equal(back.Origin, m.Origin) || (back.Origin == nil) != (m.Origin == nil) {
			rt.Fatalf("read %+v, was %+v", back, m)
		}
		for i, w := range m.Machines {
			g := back.Machines[i]
			if g.Pos != w.Pos || g.Rho != w.Rho || w.Sigmoid != nil && *g.Sigmoid != *w.Sigmoid || !slices.Equal(back.Vectors.Row(i).Value, m.Vectors.Row(i).Value) {
				rt.Fatalf("machine %d is %+v, was %+v", i, g, w)
			}
		}
	})
}

func TestEnsembleInvalid(t *testing.T) {
	for name, change := range map[string]func(m *models.Model){
		"kernel":     func(m *models.Model) { m.Kernel = kernel.RBF{Gamma: 1} },
		"group":      func(m *models.Model) { m.Group = []int{1, 1, 1} },
		"vote":       func(m *models.Model) { m.Ballot = 3 },
		"default":    func(m *models.Model) { m.Default = 3 },
		"hyperplane": func(m *models.Model) { m.Machines = m.Machines[:2] },
		"class":      func(m *models.Model) { m.Machines[0].Pos = 3 },
		"other":      func(m *models.Model) { m.Machines[0].Neg = 0 },
		"index":      func(m *models.Model) { m.Machines[1].Index = []int32{0} },
		"coef":       func(m *models.Model) { m.Machines[1].Coef = []float64{2} },
		"exemplar":   func(m *models.Model) { m.Origin[0] = 0 },
		"sigmoid":    func(m *models.Model) { m.Machines[0].Sigmoid = nil },
	} {
		m := mustRead(t, ensemble)
		change(m)
		if m.Validate() == nil {
			t.Errorf("%s: valid", name)
		}
	}
}
