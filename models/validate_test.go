package models_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// classifier returns a sound model of three classes over five vectors.
func classifier() *models.Model {
	m := &models.Model{
		Task:   models.CSVC,
		Kernel: kernel.RBF{Gamma: 1},
		Origin: []int{1, 3, 4, 7, 9},
		Labels: []int{5, -3, 8},
		Group:  []int{2, 1, 2},
		Machines: []models.Machine{
			{Pos: 0, Neg: 1, Coef: []float64{1, 2, -3}},
			{Pos: 0, Neg: 2, Coef: []float64{1, -1}, Index: []int32{1, 3}, Rho: math.Inf(1)},
			{Pos: 1, Neg: 2, Coef: []float64{}, Index: []int32{}, Rho: 2},
		},
		Probability: true,
	}
	for i := range m.Machines {
		m.Machines[i].Sigmoid = &models.Sigmoid{A: -1, B: float64(i)}
	}
	for i := range 5 {
		m.Vectors.Append(vec.Vector{Index: []int32{int32(i)}, Value: []float64{1}})
	}
	return m
}

// function returns a sound model with one machine over two vectors, which are rows for a
// precomputed kernel.
func function(task models.Task) *models.Model {
	m := &models.Model{
		Task:         task,
		Kernel:       kernel.Precomputed{},
		Machines:     []models.Machine{{Coef: []float64{1, -1}}},
		Probability:  true,
		Noise:        0.5,
		DensityMarks: []float64{-4, -3, -2, -1, -1, 1, 2, 3, 4, 5},
	}
	m.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{1}})
	m.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{7}})
	return m
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	regression := func() *models.Model { return function(models.NuSVR) }
	oneClass := func() *models.Model { return function(models.OneClass) }
	for _, c := range []struct {
		name  string
		of    func() *models.Model
		spoil func(*models.Model)
		err   string
	}{
		{"sound classifier", classifier, func(m *models.Model) {}, ""},
		{"sound regression", regression, func(m *models.Model) {}, ""},
		{"sound one-class model", oneClass, func(m *models.Model) {}, ""},
		{"no origins", classifier, func(m *models.Model) { m.Origin = nil }, ""},
		{"rho -inf", oneClass, func(m *models.Model) { m.Machines[0].Rho = -inf }, ""},
		{"a pointer to a kernel", classifier, func(m *models.Model) { m.Kernel = &kernel.Linear{} }, "a kernel of type *kernel.Linear, expected the value that it points to"},
		{"noise unused", regression, func(m *models.Model) { m.Probability, m.Noise = false, nan }, ""},
		{"no marks needed", oneClass, func(m *models.Model) { m.Probability, m.DensityMarks = false, nil }, ""},
		{"no sigmoid needed", classifier, func(m *models.Model) { m.Probability, m.Machines[1].Sigmoid = false, nil }, ""},

		{"task", classifier, func(m *models.Model) { m.Task = 5 }, "unknown task 5"},
		{"negative task", classifier, func(m *models.Model) { m.Task = -1 }, "unknown task -1"},
		{"no kernel", classifier, func(m *models.Model) { m.Kernel = nil }, "no kernel"},
		{"gamma", classifier, func(m *models.Model) { m.Kernel = kernel.RBF{Gamma: nan} }, "gamma NaN is not finite"},
		{"coef0", classifier, func(m *models.Model) { m.Kernel = kernel.Sigmoid{Coef0: inf} }, "coef0 +Inf is not finite"},
		{"poly gamma", classifier, func(m *models.Model) { m.Kernel = kernel.Poly{Gamma: -inf} }, "gamma -Inf is not finite"},
		{"degree", classifier, func(m *models.Model) { m.Kernel = kernel.Poly{Degree: -1} }, "degree -1 is negative"},
		{"negative gamma", classifier, func(m *models.Model) { m.Kernel = kernel.Poly{Gamma: -1} }, ""},
		{"poly coef0", classifier, func(m *models.Model) { m.Kernel = kernel.Poly{Coef0: nan} }, "coef0 NaN is not finite"},
		{"sigmoid gamma", classifier, func(m *models.Model) { m.Kernel = kernel.Sigmoid{Gamma: inf} }, "gamma +Inf is not finite"},
		{"vector descending", classifier, func(m *models.Model) {
			m.Vectors.Append(vec.Vector{Index: []int32{5, 2}, Value: []float64{1, 1}})
			m.Vectors = m.Vectors.Select([]int{0, 1, 2, 5, 4})
		}, "vector 4: index 2 follows index 5: indices must increase"},
		{"vector negative", regression, func(m *models.Model) {
			m.Vectors = *rows(m.Vectors.Row(0), vec.Vector{Index: []int32{-1, 0}, Value: []float64{1, 1}})
		}, "vector 2: index -1 is negative"},
		{"vector infinite", oneClass, func(m *models.Model) {
			m.Vectors = *rows(vec.Vector{Index: []int32{0, 1}, Value: []float64{1, -inf}}, m.Vectors.Row(1))
		}, "vector 1: feature 1 is -Inf, expected a finite number"},
		{"origins", classifier, func(m *models.Model) { m.Origin = m.Origin[:4] }, "4 origins for 5 vectors"},

		{"no labels", classifier, func(m *models.Model) { m.Labels = nil }, "a classifier without classes"},
		{"label twice", classifier, func(m *models.Model) { m.Labels[2] = 5 }, "label 5 stands for two classes"},
		{"too few groups", classifier, func(m *models.Model) { m.Group = m.Group[:2] }, "3 classes but 2 counts of vectors"},
		{"negative group", classifier, func(m *models.Model) { m.Group[0] = -2 }, "a class cannot have -2 of 5 vectors"},
		{"huge group", classifier, func(m *models.Model) { m.Group[1] = math.MaxInt }, fmt.Sprintf("a class cannot have %d of 5 vectors", math.MaxInt)},
		{"groups", classifier, func(m *models.Model) { m.Group[1] = 2 }, "the classes have 6 vectors, the model 5"},
		{"machine missing", classifier, func(m *models.Model) { m.Machines = m.Machines[:2] }, "2 machines for 3 classes, expected 3"},
		{"machines swapped", classifier, func(m *models.Model) { m.Machines[0], m.Machines[1] = m.Machines[1], m.Machines[0] }, "machine 1 is of classes 0 and 2, expected 0 and 1"},
		{"machine reversed", classifier, func(m *models.Model) { m.Machines[2].Pos, m.Machines[2].Neg = 2, 1 }, "machine 3 is of classes 2 and 1, expected 1 and 2"},
		{"machine of another first class", classifier, func(m *models.Model) { m.Machines[2].Pos = 0 }, "machine 3 is of classes 0 and 2, expected 1 and 2"},
		{"vectors of one class", classifier, func(m *models.Model) {
			m.Labels, m.Group, m.Machines = m.Labels[:1], []int{5}, nil
		}, "5 vectors in a model of one class"},
		{"labels of a regression", regression, func(m *models.Model) { m.Labels = []int{1} }, "a model of task nu_svr has one machine and no classes"},
		{"group of a one-class model", oneClass, func(m *models.Model) { m.Group = []int{2} }, "a model of task one_class has one machine and no classes"},
		{"vote of a regression", regression, func(m *models.Model) { m.Vote = models.OneVsRest }, "a model of task nu_svr has one machine and no classes"},
		{"two machines", regression, func(m *models.Model) { m.Machines = append(m.Machines, m.Machines[0]) }, "a model of task nu_svr has one machine and no classes"},
		{"no machine", oneClass, func(m *models.Model) { m.Machines = nil }, "a model of task one_class has one machine and no classes"},

		{"no such vote", classifier, func(m *models.Model) { m.Vote = 7 }, "unknown vote 7"},
		{"one against the rest", classifier, func(m *models.Model) { m.Vote = models.OneVsRest }, "machines of one class against the rest need vectors that are not grouped by class"},
		{"coefficient missing", classifier, func(m *models.Model) { m.Machines[0].Coef = m.Machines[0].Coef[:2] }, "machine 1: 3 vectors but 2 coefficients"},
		{"no index list", classifier, func(m *models.Model) { m.Machines[1].Index = nil }, "machine 2: 4 vectors but 2 coefficients"},
		{"index missing", classifier, func(m *models.Model) { m.Machines[1].Index = []int32{1} }, "machine 2: 1 indices but 2 coefficients"},
		{"coefficients of a regression", regression, func(m *models.Model) { m.Machines[0].Coef = []float64{1} }, "machine 1: 2 vectors but 1 coefficients"},
		{"no such vector", classifier, func(m *models.Model) { m.Machines[1].Index[1] = 5 }, "machine 2: no vector 5"},
		{"negative index", classifier, func(m *models.Model) { m.Machines[1].Index[0] = -1 }, "machine 2: no vector -1"},
		{"index twice", classifier, func(m *models.Model) { m.Machines[1].Index[1] = 1 }, "machine 2: vector 1 follows vector 1: indices must increase"},
		{"indices descending", classifier, func(m *models.Model) { m.Machines[1].Index = []int32{3, 1} }, "machine 2: vector 1 follows vector 3: indices must increase"},
		{"vector of another class", classifier, func(m *models.Model) { m.Machines[1].Index[0] = 2 }, "machine 2: vector 2 is of neither class"},
		{"coefficient", classifier, func(m *models.Model) { m.Machines[0].Coef[1] = nan }, "machine 1: coefficient NaN is not finite"},
		{"rho", classifier, func(m *models.Model) { m.Machines[2].Rho = nan }, "machine 3: rho is not a number"},

		{"sigmoid missing", classifier, func(m *models.Model) { m.Machines[1].Sigmoid = nil }, "machine 2: no probability information"},
		{"sigmoid", classifier, func(m *models.Model) { m.Machines[1].Sigmoid.B = inf }, "machine 2: sigmoid {-1 +Inf} is not finite"},
		{"the sigmoid's slope", classifier, func(m *models.Model) { m.Machines[1].Sigmoid.A = nan }, "machine 2: sigmoid {NaN 1} is not finite"},
		{"infinite noise", regression, func(m *models.Model) { m.Noise = inf }, "noise scale +Inf, expected a finite number from 0 on"},
		{"noise", regression, func(m *models.Model) { m.Noise = nan }, "noise scale NaN, expected a finite number from 0 on"},
		{"negative noise", regression, func(m *models.Model) { m.Noise = -1 }, "noise scale -1, expected a finite number from 0 on"},
		{"no noise", regression, func(m *models.Model) { m.Noise = 0 }, ""},
		{"marks", oneClass, func(m *models.Model) { m.DensityMarks = m.DensityMarks[:9] }, "9 density marks, expected 10"},
		{"mark", oneClass, func(m *models.Model) { m.DensityMarks[9] = inf }, "density mark +Inf is not finite"},
		{"marks descending", oneClass, func(m *models.Model) { m.DensityMarks[3] = -2.5 }, "density marks do not increase: -2.5 follows -2"},
		{"first marks descending", oneClass, func(m *models.Model) { m.DensityMarks[0] = -2.5 }, "density marks do not increase: -3 follows -2.5"},
		{"method", oneClass, func(m *models.Model) { m.Provenance = &models.Provenance{} }, `method "" is not a word`},
		{"parent", oneClass, func(m *models.Model) { m.Provenance = &models.Provenance{Method: "a", Parent: -1} }, "a parent of -1 vectors"},
		{"parameter", oneClass, func(m *models.Model) {
			m.Provenance = &models.Provenance{Method: "a", Parameters: []models.Parameter{{"b", "c"}, {"d e", "f"}}}
		}, `parameter "d e" with value "f": not a word each`},
		{"value of a parameter", oneClass, func(m *models.Model) {
			m.Provenance = &models.Provenance{Method: "a", Parameters: []models.Parameter{{"b", "c\n"}}}
		}, `parameter "b" with value "c\n": not a word each`},
		{"serial missing", regression, func(m *models.Model) { m.Vectors = *rows(vec.Vector{}, m.Vectors.Row(1)) }, "vector 1: first column must be 0:sample_serial_number"},
		{"serial", regression, func(m *models.Model) {
			m.Vectors = *rows(m.Vectors.Row(0), vec.Vector{Index: []int32{0}, Value: []float64{0.5}})
		}, "vector 2: sample_serial_number out of range: 0.5"},
	} {
		m := c.of()
		c.spoil(m)
		err := m.Validate()
		if err == nil && c.err != "" || err != nil && err.Error() != c.err {
			t.Errorf("%s: %v, want %s", c.name, err, c.err)
		}
		var b bytes.Buffer
		if got := models.Write(&b, m); (got == nil) != (err == nil) || err != nil && (got.Error() != err.Error() || b.Len() > 0) {
			t.Errorf("%s: Write returns %v after %d bytes, Validate %v", c.name, got, b.Len(), err)
		}
	}
}

// TestWideIntegers: integers that model files cannot hold are refused, rather than written to files
// that nobody can read.
func TestWideIntegers(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("there are none")
	}
	wide := int64(1) << 40
	for _, c := range []struct {
		spoil func(*models.Model)
		err   string
	}{
		{func(m *models.Model) { m.Labels[0] = int(wide) }, "label 1099511627776, expected -2147483648 to 2147483647"},
		{func(m *models.Model) { m.Labels[2] = int(-wide) }, "label -1099511627776, expected -2147483648 to 2147483647"},
		{func(m *models.Model) { m.Labels[0], m.Labels[1] = math.MaxInt32, math.MinInt32 }, "<nil>"},
		{func(m *models.Model) { m.Kernel = kernel.Poly{Degree: int(wide)} }, "degree 1099511627776 is more than 2147483647"},
		{func(m *models.Model) { m.Kernel = kernel.Poly{Degree: math.MaxInt32} }, "<nil>"},
		{func(m *models.Model) { m.Provenance = &models.Provenance{Method: "m", Parent: int(wide)} }, "a parent of 1099511627776 vectors"},
		{func(m *models.Model) { *m = *mustRead(t, ensemble); m.Origin[1] = int(wide) }, "machine 2 has row 1099511627776 as exemplar"},
	} {
		m := classifier()
		c.spoil(m)
		var b bytes.Buffer
		if err := models.Write(&b, m); fmt.Sprint(err) != c.err || fmt.Sprint(m.Validate()) != c.err {
			t.Errorf("%v, want %s", err, c.err)
		} else if err == nil {
			if _, err := models.Read(&b); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestNoModel: a nil model yields an error and no panic.
func TestNoModel(t *testing.T) {
	_, lowered := models.Lower(nil)
	for name, err := range map[string]error{
		"Validate": (*models.Model)(nil).Validate(), "Write": models.Write(io.Discard, nil), "Lower": lowered,
	} {
		if err == nil || err.Error() != "no model" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func rows(vectors ...vec.Vector) *vec.Matrix {
	var m vec.Matrix
	for _, v := range vectors {
		m.Append(v)
	}
	return &m
}

func TestTask(t *testing.T) {
	for task, c := range map[models.Task]struct {
		name                  string
		classifies, regresses bool
	}{
		models.CSVC:       {"c_svc", true, false},
		models.NuSVC:      {"nu_svc", true, false},
		models.OneClass:   {"one_class", false, false},
		models.EpsilonSVR: {"epsilon_svr", false, true},
		models.NuSVR:      {"nu_svr", false, true},
		7:                 {"Task(7)", false, false},
		-1:                {"Task(-1)", false, false},
	} {
		if task.String() != c.name || task.Classifies() != c.classifies || task.Regresses() != c.regresses {
			t.Errorf("%d: %v, %t, %t, want %+v", task, task, task.Classifies(), task.Regresses(), c)
		}
	}
}

func TestPairs(t *testing.T) {
	for k, want := range []int{0, 0, 1, 3, 6, 10, 15} {
		if got := models.Pairs(k); got != want {
			t.Errorf("Pairs(%d) = %d, want %d", k, got, want)
		}
	}
	for _, k := range []int{46340, 46341, 46342, 65535, 65536, 65537, 65538, 92682, 1 << 17, math.MaxInt32 - 1, math.MaxInt32} {
		want := min(uint64(k)*uint64(k-1)/2, math.MaxInt)
		if got := models.Pairs(k); uint64(got) != want {
			t.Errorf("Pairs(%d) = %d, want %d", k, got, want)
		}
	}
}

// TestManyPairs: a model with more pairs than 32 bits can count lacks most of them, and is not
// taken for one with few.
func TestManyPairs(t *testing.T) {
	const k, few = 65537, 32768 // k*(k-1) is 2*few modulo 1<<32
	var b strings.Builder
	fmt.Fprintf(&b, "svm_type c_svc\nkernel_type linear\nnr_class %d\ntotal_sv 2\nrho%s\nlabel", k, strings.Repeat(" 0", few))
	for i := range k {
		fmt.Fprint(&b, " ", i)
	}
	b.WriteString("\nnr_sv 1" + strings.Repeat(" 0", k-2) + " 1\nSV\n")
	for range 2 {
		b.WriteString(strings.Repeat("1 ", k-1) + "1:1\n")
	}
	want := fmt.Sprintf(`expected a number as value of rho, found "label" (value 32769 of %d)`, models.Pairs(k))
	if _, err := models.Read(strings.NewReader(b.String())); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
