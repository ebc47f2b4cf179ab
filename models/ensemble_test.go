package models_test

import (
	"errors"
	"fmt"
	"math"
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

// memberEnsemble has a member of three classes, one of two and one of three.
const memberEnsemble = `slimsvm_model 1
svm_type c_svc
kernel_type linear
nr_class 3
multiclass ensemble
vote probability
default 5
columns 7 label against classes rho probA probB exemplar
method psvm
seed 1
total_sv 7
label 4 5 -6
SV
5 4 3 0.25 -1.5 0.125 7 1:0.12345678901234566 3:2 
5 -6 3 1 -2 0 7 2:4 
4 -6 3 2 0 -0.5 7 
4 -6 2 0.5 -1 0 8 2:1 
4 5 3 3 -1 0 9 2:2 
4 -6 3 4 -1 0 9 2:3 
5 -6 3 5 -1 0 9 2:4 
`

func TestEnsembleReads(t *testing.T) {
	for name, text := range map[string]string{
		"ensemble":    ensemble,
		"members":     memberEnsemble,
		"no members":  strings.Replace(memberEnsemble[:strings.Index(memberEnsemble, "5 4 3 0.25")], "total_sv 7", "total_sv 0", 1),
		"lean":        leanEnsemble,
		"no machines": strings.NewReplacer("total_sv 1", "total_sv 0", "-1 0.25 1:0.5 \n", "").Replace(leanEnsemble),
		"none yet":    strings.NewReplacer("total_sv 1", "total_sv 0", "-1 0.25 1:0.5 \n", "", "vote decision", "vote probability").Replace(leanEnsemble),
		"count":       strings.Replace(ensemble, "probability", "count", 1),
		"nu":          strings.Replace(memberEnsemble, "c_svc", "nu_svc", 1),
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
	m = mustRead(t, memberEnsemble)
	if !slices.Equal(m.Members, []int{0, 3, 4}) || m.CountMembers() != 3 {
		t.Errorf("members begin at %v", m.Members)
	}
	if planes, classes := m.Member(2); planes != (models.Span{From: 4, To: 7}) || classes != 3 {
		t.Errorf("the last member has %v and %d classes", planes, classes)
	}
	if c := m.Machines[2]; c.Pos != 0 || c.Neg != 2 {
		t.Errorf("the third hyperplane is of %d against %d", c.Pos, c.Neg)
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
	if c := m.Lean().Machines[0]; c.Sigmoid != nil {
		t.Errorf("a sigmoid that nothing needs: %+v", *c.Sigmoid)
	}
}

// TestAddMember: each pair of a member's classes has its own hyperplane, in the order given.
func TestAddMember(t *testing.T) {
	m := models.NewEnsemble([]int{4, 5, -6}, 1, models.ByProbability)
	m.Probability = true
	plane := func(index int32, rho float64) models.Plane {
		return models.Plane{W: vec.Vector{Index: []int32{index}, Value: []float64{rho / 2}}, Rho: rho, Sigmoid: &models.Sigmoid{A: -rho, B: 1}}
	}
	m.AddMember([]int{1, 0, 2}, []models.Plane{plane(1, 3), plane(2, 5), plane(3, 7)})
	m.AddMember([]int{2, 1}, []models.Plane{plane(4, 9)})
	wantSameText(t, "members", mustWrite(t, m), `slimsvm_model 1
svm_type c_svc
kernel_type linear
nr_class 3
multiclass ensemble
vote probability
default 5
columns 6 label against classes rho probA probB
total_sv 4
label 4 5 -6
SV
5 4 3 3 -3 1 1:1.5 
5 -6 3 5 -5 1 2:2.5 
4 -6 3 7 -7 1 3:3.5 
-6 5 2 9 -9 1 4:4.5 
`)
}

// TestLeanGrows: an addition to an ensemble does not change a lean one made of it before, nor the
// other way round.
func TestLeanGrows(t *testing.T) {
	plane := func(value float64) vec.Vector { return vec.Vector{Index: []int32{1}, Value: []float64{value}} }
	m := models.NewEnsemble([]int{3, 5}, 0, models.ByCount)
	for i := range 3 { // with room for more behind them
		m.AddMachine(0, plane(1), float64(i), nil)
	}
	lean, before := m.Lean(), m.SelectMembers([]int{0, 1, 2})
	lean.AddMachine(0, plane(7), 7, nil)
	m.AddMachine(1, plane(9), 9, nil)
	for value, grown := range map[float64]*models.Model{7: lean, 9: m} {
		want := before.SelectMembers([]int{0, 1, 2})
		want.AddMachine(int(value-7)/2, plane(value), value, nil)
		wantSameText(t, "grown", mustWrite(t, grown), mustWrite(t, want))
	}
}

// ensembleFaults are malformed ensembles: the text that is replaced, its replacement, and the
// error.
var ensembleFaults = []struct{ model, old, new, err string }{
	{"", "vote probability", "vote most", `6:6: vote is "most", expected probability, decision, count`},
	{"", "default 5", "default 7", `13: default is 7, which is no label`},
	{"", "default 5", "default x", `7:9: expected an integer as value of default, found "x"`},
	{"", ensemble[strings.Index(ensemble, "columns"):], "columns 5 label rho", `8: the file ends where a value of columns is expected`},
	{"", ensemble[strings.Index(ensemble, "vote"):], "vote", `6: the file ends where a value of vote is expected`},
	{"", "default 5\n", "", `12: default is missing`},
	{"", "columns 5 label rho probA probB exemplar\n", "", `12: columns is missing`},
	{"", "columns 5", "columns 8", `8:9: columns is "8", expected 2 to 7`},
	{"members", "columns 7 label against classes", "columns 6 label classes", `13: columns are label classes rho probA probB exemplar: label and rho must be there, and against and classes`},
	{"members", "5 4 3 0.25", "5 7 3 0.25", `14:1: the machine is against class 7, which is no label`},
	{"members", "5 4 3 0.25", "5 4 4 0.25", `14:1: the machine is of 4 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 4 1 0.25", `14:1: the machine is of 1 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 4 0 0.25", `14:1: the machine is of 0 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 4 -2 0.25", `14:1: the machine is of -2 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 4 1e9 0.25", `14:1: the machine is of 1e+09 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 4 2.5 0.25", `14:1: the machine is of 2.5 classes, expected 2 to 3`},
	{"members", "5 4 3 0.25", "5 5 3 0.25", `14:1: hyperplane 1 of a machine of 3 classes: it is against class 5, which the member has already`},
	{"members", "5 -6 3 1", "5 4 3 1", `15:1: hyperplane 2 of a machine of 3 classes: it is against class 4, which the member has already`},
	{"members", "5 -6 3 1", "4 -6 3 1", `15:1: hyperplane 2 of a machine of 3 classes: it is of class 4, expected the member's own, 5`},
	{"members", "4 -6 3 2", "5 -6 3 2", `16:1: hyperplane 3 of a machine of 3 classes: it is of class 5 against -6, expected 4 against -6`},
	{"members", "4 -6 3 2", "4 -6 2 2", `16:1: the hyperplane is of a machine of 2 classes, expected 1 more of one of 3`},
	{"cut", "total_sv 7", "total_sv 6", `19:1: the last machine is of 3 classes and lacks 1 of its hyperplanes`},
	{"", "columns 5", "columns 4", `8:33: unknown key "exemplar"`},
	{"", "label rho probA", "rho label probA", `8:15: columns has "label", expected label, against, classes, rho, probA, probB, exemplar in this order`},
	{"", "columns 5 label rho probA probB exemplar", "columns 3 label rho probA", `13: columns are label rho probA: label and rho must be there, and against and classes, probA and probB belong together`},
	{"", "columns 5 label rho probA probB exemplar", "columns 2 label exemplar", `13: columns are label exemplar: label and rho must be there`},
	{"", "columns 5 label rho probA probB exemplar", "columns 2 rho exemplar", `13: columns are rho exemplar: label and rho must be there`},
	{"", "columns 5 label rho probA probB exemplar", "columns 2 label rho", `14:8: expected index:value, found "-1.5"`},
	{"lean", "vote decision", "vote probability", `11: votes are by probability, but there is no probability information`},
	{"", "kernel_type linear", "kernel_type rbf\ngamma 1", `14: kernel_type is rbf: the machines of an ensemble are linear`},
	{"", "total_sv 3", "total_sv 3\nrho 1 2 3", `12:1: rho is no key of an ensemble, whose lines have it`},
	{"", "total_sv 3", "total_sv 5", `16: the file ends where support vector 4 of 5 is expected`},
	{"", "5 0.25 -1.5", "6 0.25 -1.5", `14:1: the machine is for class 6, which is no label`},
	{"", "5 0.25 -1.5", "5.5 0.25 -1.5", `14:1: the machine is for class 5.5, which is no label`},
	{"", "5 0.25 -1.5", "5 inf -1.5", `14:3: coefficient "inf" is not finite`},
	{"", " 7 1:", " 0 1:", `14:1: the machine's exemplar is row 0, expected 1 to 2147483647`},
	{"", " 7 1:", " 7.5 1:", `14:1: the machine's exemplar is row 7.5, expected 1 to 2147483647`},
	{"", " 7 1:", " 2147483648 1:", `14:1: the machine's exemplar is row 2.147483648e+09, expected 1 to 2147483647`},
	{"", " 7 1:", " 1:", `14:19: expected coefficient 5 of 5, found "1:0.12345678901234566"`},
	{"", "svm_type c_svc", "svm_type one_class", `13: multiclass is of no use for svm_type one_class, which has one machine`},
	{"lean", "nr_class 2", "nr_class 1", `10:9: unknown key "-1"`},
}

func TestEnsembleFaults(t *testing.T) {
	texts := map[string]string{
		"": ensemble, "lean": leanEnsemble, "members": memberEnsemble,
		"cut": strings.TrimSuffix(memberEnsemble, "5 -6 3 5 -1 0 9 2:4 \n"),
	}
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
		plane := func() models.Plane {
			index := rapid.SliceOfNDistinct(rapid.Int32Range(0, 1<<31-1), 0, 4, rapid.ID[int32]).Draw(t, "index")
			slices.Sort(index)
			p := models.Plane{W: vec.Vector{Index: index, Value: rapid.SliceOfN(number, len(index), len(index)).Draw(t, "w")}, Rho: number.Draw(t, "rho")}
			if m.Probability {
				p.Sigmoid = &models.Sigmoid{A: number.Draw(t, "A"), B: number.Draw(t, "B")}
			}
			return p
		}
		members := rapid.Bool().Draw(t, "members")
		for range rapid.IntRange(0, 5).Draw(t, "machines") {
			before := len(m.Machines)
			if members {
				classes := rapid.Permutation(makeRange(len(labels))).Draw(t, "classes")
				classes = classes[:rapid.IntRange(2, len(labels)).Draw(t, "of")]
				var planes []models.Plane
				for range models.Pairs(len(classes)) {
					planes = append(planes, plane())
				}
				m.AddMember(classes, planes)
			} else {
				p := plane()
				m.AddMachine(rapid.IntRange(0, len(labels)-1).Draw(t, "class"), p.W, p.Rho, p.Sigmoid)
			}
			if m.Origin != nil {
				row := rapid.IntRange(1, 1<<31-1).Draw(t, "exemplar")
				for range len(m.Machines) - before {
					m.Origin = append(m.Origin, row)
				}
			}
		}
		return m
	})
}

func makeRange(n int) []int {
	var list []int
	for i := range n {
		list = append(list, i)
	}
	return list
}

// TestEnsembleRoundTrip: a written ensemble is read back the same, and is written with the same
// bytes again.
func TestEnsembleRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyEnsemble().Draw(rt, "model")
		text := mustWrite(t, m)
		back := mustRead(t, text)
		if mustWrite(t, back) != text {
			rt.Fatalf("written again:\n%s\nwas:\n%s", mustWrite(t, back), text)
		}
		if back.Ballot != m.Ballot || back.Default != m.Default || !slices.Equal(back.Origin, m.Origin) || (back.Origin == nil) != (m.Origin == nil) || !slices.Equal(back.Members, m.Members) {
			rt.Fatalf("read %+v, was %+v", back, m)
		}
		for i, w := range m.Machines {
			g := back.Machines[i]
			if g.Pos != w.Pos || g.Neg != w.Neg || g.Rho != w.Rho || w.Sigmoid != nil && *g.Sigmoid != *w.Sigmoid || !slices.Equal(back.Vectors.Row(i).Value, m.Vectors.Row(i).Value) {
				rt.Fatalf("machine %d is %+v, was %+v", i, g, w)
			}
		}
	})
}

// TestSelectMembers: all members are the model itself, some are their lines in the given order, and
// none a model that can be written.
func TestSelectMembers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyEnsemble().Draw(rt, "model")
		text := mustWrite(t, m)
		var all, some []int
		for i := range m.CountMembers() {
			all = append(all, i)
			if rapid.Bool().Draw(rt, "stays") {
				some = append(some, i)
			}
		}
		if got := mustWrite(t, m.SelectMembers(all)); got != text {
			rt.Fatalf("all members are\n%s\nof\n%s", got, text)
		}
		head, body, _ := strings.Cut(text, "SV\n")
		lines := strings.SplitAfter(body, "\n")
		n := 0
		var want strings.Builder
		for _, i := range some {
			planes, _ := m.Member(i)
			for at := planes.From; at < planes.To; at++ {
				want.WriteString(lines[at])
				n++
			}
		}
		head = strings.Replace(head, fmt.Sprintf("total_sv %d\n", len(m.Machines)), fmt.Sprintf("total_sv %d\n", n), 1)
		if got := mustWrite(t, m.SelectMembers(some)); got != head+"SV\n"+want.String() {
			rt.Fatalf("members %v are\n%s\nof\n%s", some, got, text)
		}
	})
}

// TestEnsembleOwnsLabels: a change of the labels that an ensemble was made of does not change it.
func TestEnsembleOwnsLabels(t *testing.T) {
	labels := []int{3, 5}
	m := models.NewEnsemble(labels, 0, models.ByCount)
	labels[0] = 9
	if m.Labels[0] != 3 {
		t.Errorf("labels %v, want 3 and 5", m.Labels)
	}
}

func TestEnsembleInvalid(t *testing.T) {
	for _, c := range []struct {
		text, err string
		change    func(m *models.Model)
	}{
		{memberEnsemble, "", func(*models.Model) {}},
		{memberEnsemble, "member 1 has the hyperplanes from 2 to 3 of 7", func(m *models.Model) { m.Members[0] = 1 }},
		{memberEnsemble, "member 1 has 5 hyperplanes, which are not those of 2 to 3 classes", func(m *models.Model) { m.Members[1] = 5 }},
		{memberEnsemble, "member 1 has the hyperplanes from 1 to 100 of 7", func(m *models.Model) { m.Members[1] = 100 }},
		{memberEnsemble, "member 1 has the hyperplanes from 1 to 0 of 7", func(m *models.Model) { m.Members[1] = 0 }},
		{memberEnsemble, "member 1 has 7 hyperplanes, which are not those of 2 to 3 classes", func(m *models.Model) { m.Members = m.Members[:1] }},
		{memberEnsemble, "member 2 has 4 hyperplanes, which are not those of 2 to 3 classes", func(m *models.Model) { m.Members = m.Members[:2] }},
		{memberEnsemble, "member 1 has 6 hyperplanes, which are not those of 2 to 3 classes", func(m *models.Model) { m.Members = []int{0, 6} }},
		{memberEnsemble, "0 members have 7 hyperplanes", func(m *models.Model) { m.Members = []int{} }},
		{memberEnsemble, "8 members have 7 hyperplanes", func(m *models.Model) { m.Members = []int{0, 1, 2, 3, 4, 5, 6, 7} }},
		{memberEnsemble, "machine 2 is of classes 1 and -1, expected two of 3", func(m *models.Model) { m.Machines[1].Neg = models.Rest }},
		{memberEnsemble, "machine 2 is of classes 3 and 2, expected two of 3", func(m *models.Model) { m.Machines[1].Pos = 3 }},
		{memberEnsemble, "machine 2 is of classes -1 and 2, expected two of 3", func(m *models.Model) { m.Machines[1].Pos = -1 }},
		{memberEnsemble, "machine 2 is of classes 1 and 3, expected two of 3", func(m *models.Model) { m.Machines[1].Neg = 3 }},
		{memberEnsemble, "member 3, hyperplane 2: it is of class 5, expected the member's own, 4", func(m *models.Model) { m.Machines[5].Pos = 1 }},
		{memberEnsemble, "member 3, hyperplane 2: it is of class -6, expected the member's own, 4", func(m *models.Model) { m.Machines[5].Pos = 2 }},
		{memberEnsemble, "member 3, hyperplane 2: it is against class 5, which the member has already", func(m *models.Model) { m.Machines[5].Neg = 1 }},
		{memberEnsemble, "member 3, hyperplane 3: it is of class 5 against 4, expected 5 against -6", func(m *models.Model) { m.Machines[6].Neg = 0 }},
		{ensemble, "", func(*models.Model) {}},
		{ensemble, "the machines of an ensemble are linear, the kernel is rbf", func(m *models.Model) { m.Kernel = kernel.RBF{Gamma: 1} }},
		{ensemble, "the hyperplanes of an ensemble are not grouped by class", func(m *models.Model) { m.Group = []int{1, 1, 1} }},
		{ensemble, "unknown vote 3", func(m *models.Model) { m.Ballot = 3 }},
		{ensemble, "unknown vote -1", func(m *models.Model) { m.Ballot = -1 }},
		{ensemble, "default class 3 of 3", func(m *models.Model) { m.Default = 3 }},
		{ensemble, "default class -1 of 3", func(m *models.Model) { m.Default = -1 }},
		{ensemble, "3 hyperplanes for 2 machines", func(m *models.Model) { m.Machines = m.Machines[:2] }},
		{ensemble, "machine 1 is of classes 3 and -1, expected one of 3 and -1", func(m *models.Model) { m.Machines[0].Pos = 3 }},
		{ensemble, "machine 1 is of classes -1 and -1, expected one of 3 and -1", func(m *models.Model) { m.Machines[0].Pos = -1 }},
		{ensemble, "machine 1 is of classes 1 and 0, expected one of 3 and -1", func(m *models.Model) { m.Machines[0].Neg = 0 }},
		{ensemble, "machine 2 of an ensemble is not its hyperplane 2", func(m *models.Model) { m.Machines[1].Index = []int32{0} }},
		{ensemble, "machine 2 of an ensemble is not its hyperplane 2", func(m *models.Model) { m.Machines[1].Index = []int32{} }},
		{ensemble, "machine 2 of an ensemble is not its hyperplane 2", func(m *models.Model) { m.Machines[1].Index = []int32{1, 2} }},
		{ensemble, "machine 2 of an ensemble is not its hyperplane 2", func(m *models.Model) { m.Machines[1].Coef = []float64{2} }},
		{ensemble, "machine 2 of an ensemble is not its hyperplane 2", func(m *models.Model) { m.Machines[1].Coef = []float64{1, 1} }},
		{ensemble, "machine 3 of an ensemble has rho -Inf", func(m *models.Model) { m.Machines[2].Rho = math.Inf(-1) }},
		{ensemble, "machine 1 has row 0 as exemplar", func(m *models.Model) { m.Origin[0] = 0 }},
		{ensemble, "2 origins for 3 vectors", func(m *models.Model) { m.Origin = m.Origin[:2] }},
		{ensemble, "machine 1: no probability information", func(m *models.Model) { m.Machines[0].Sigmoid = nil }},
		{ensemble, "votes are by probability, but there is no probability information", func(m *models.Model) { m.Probability = false }},
	} {
		m := mustRead(t, c.text)
		c.change(m)
		if err := m.Validate(); err == nil && c.err != "" || err != nil && err.Error() != c.err {
			t.Errorf("%v, want %s", err, c.err)
		}
	}
}

// TestParseBallot: a ballot is read by its name, and no other text is one.
func TestParseBallot(t *testing.T) {
	for name, want := range map[string]models.Ballot{"probability": models.ByProbability, "decision": models.ByDecision, "count": models.ByCount} {
		if got, err := models.ParseBallot(name); err != nil || got != want || got.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "Count", "most"} {
		want := fmt.Sprintf("no vote %q: there are probability, decision, count", name)
		if _, err := models.ParseBallot(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for ballot, want := range map[models.Ballot]string{-1: "Ballot(-1)", 3: "Ballot(3)"} {
		if got := ballot.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestManyLabels: ensembles of very many labels are read in a time that is not the number of labels
// times that of lines, which would be minutes.
func TestManyLabels(t *testing.T) {
	header := func(k int, columns string, lines int) *strings.Builder {
		b := new(strings.Builder)
		fmt.Fprintf(b, "slimsvm_model 1\nsvm_type c_svc\nkernel_type linear\nnr_class %d\nmulticlass ensemble\nvote count\ndefault 0\ncolumns %s\ntotal_sv %d\nlabel", k, columns, lines)
		for i := range k {
			fmt.Fprint(b, " ", i)
		}
		b.WriteString("\nSV\n")
		return b
	}
	const k = 300_000
	alone := header(k, "2 label rho", k)
	for i := range k {
		fmt.Fprintln(alone, k-1-i, 0)
	}
	m, err := models.Read(strings.NewReader(alone.String()))
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Machines {
		if m.Machines[i].Pos != k-1-i {
			t.Fatalf("machine %d is for class %d", i, m.Machines[i].Pos)
		}
	}
	const few = 65_000 // the most whose pairs 32 bits can count
	one := header(few, "4 label against classes rho", few-1)
	for i := range few - 1 {
		fmt.Fprintln(one, 0, i+1, few, 0)
	}
	want := fmt.Sprintf("the last machine is of %d classes and lacks %d of its hyperplanes", few, (few-1)*(few-2)/2)
	if _, err := models.Read(strings.NewReader(one.String())); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
