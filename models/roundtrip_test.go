package models_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// FuzzRead: no text makes Read panic or use memory out of proportion; a model that it accepts is
// written and read again as the same model.
func FuzzRead(f *testing.F) {
	for _, text := range soundSeeds(f) {
		if len(text) < 3000 {
			f.Add([]byte(text))
		}
	}
	for _, c := range append(headerFaults, vectorFaults...) {
		text := sound
		if c.model != "" {
			text = otherTasks[c.model]
		}
		f.Add([]byte(strings.Replace(text, c.old, c.new, 1)))
	}
	f.Add([]byte("svm_type c_svc kernel_type linear nr_class 1 total_sv 1 rho label 7 nr_sv 1\nSV\n1 1:2\n"))
	f.Fuzz(soundOrError)
}

// FuzzExtended does the same with texts that claim to be in the extended dialect.
func FuzzExtended(f *testing.F) {
	const mark = "slimsvm_model 1\n"
	for name, text := range extendedTexts {
		f.Add([]byte(strings.TrimPrefix(text, mark)))
		for _, c := range extendedFaults {
			if c.model == name {
				f.Add([]byte(strings.TrimPrefix(strings.Replace(text, c.old, c.new, 1), mark)))
			}
		}
	}
	for _, c := range ensembleFaults {
		text := ensemble
		if c.model == "lean" {
			text = leanEnsemble
		}
		f.Add([]byte(strings.TrimPrefix(text, mark)))
		f.Add([]byte(strings.TrimPrefix(strings.Replace(text, c.old, c.new, 1), mark)))
	}
	f.Fuzz(func(t *testing.T, data []byte) { soundOrError(t, append([]byte(mark), data...)) })
}

// soundOrError fails unless data are read, in little memory, either as a model that is written and
// read again as itself, or with an error that has a place.
func soundOrError(t *testing.T, data []byte) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := read(string(data))
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > memoryLimit(len(data)) {
		t.Fatalf("%d bytes for a text of %d", used, len(data))
	}
	if err != nil {
		wantPlaced(t, err, err.Error())
		return
	}
	first := mustWrite(t, m)
	again := mustRead(t, first)
	wantSameText(t, "written again", mustWrite(t, again), first)
	if fault := difference(again, m); fault != "" {
		t.Error(fault)
	}
}

// difference describes a difference between two models. It ignores the values of features, which
// are rounded when written, and the sign of zeros.
func difference(got, want *models.Model) string {
	if got.Task != want.Task || got.Kernel != want.Kernel || !equal(got.Labels, want.Labels) || !equal(got.Group, want.Group) ||
		got.Probability != want.Probability || got.Noise != want.Noise || want.Probability && !equal(got.DensityMarks, want.DensityMarks) ||
		got.Vote != want.Vote || got.Ballot != want.Ballot || got.Default != want.Default ||
		want.Vote == models.Ensemble && !equal(got.Origin, want.Origin) || !reflect.DeepEqual(got.Provenance, want.Provenance) || got.Extended() != want.Extended() ||
		string(got.Inputs) != string(want.Inputs) || len(got.Machines) != len(want.Machines) || got.Vectors.Len() != want.Vectors.Len() {
		return fmt.Sprintf("model is %+v, was %+v", got, want)
	}
	for p := range want.Machines {
		g, w := got.Machines[p], want.Machines[p]
		if g.Pos != w.Pos || g.Neg != w.Neg || g.Rho != w.Rho || !equal(g.Coef, w.Coef) || (g.Index != nil) != (want.Vote == models.Ensemble) ||
			(g.Sigmoid == nil) != (w.Sigmoid == nil) || g.Sigmoid != nil && *g.Sigmoid != *w.Sigmoid {
			return fmt.Sprintf("machine %d is %+v, was %+v", p+1, g, w)
		}
	}
	for i := range want.Vectors.Len() {
		g, w := got.Vectors.Row(i), want.Vectors.Row(i)
		if !equal(g.Index, w.Index) {
			return fmt.Sprintf("vector %d is %v, was %v", i+1, g, w)
		}
		for k, x := range w.Value {
			rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 7, 64), 64)
			if g.Value[k] != x && (want.Extended() || g.Value[k] != rounded) {
				return fmt.Sprintf("vector %d is %v, was %v", i+1, g, w)
			}
		}
	}
	return ""
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.Uint64(), math.Float64frombits),
		rapid.Float64Range(-2, 2),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 5e-324, math.MaxFloat64}),
	).Filter(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
}

// anyModel draws models of all kinds, with empty classes, and machines with and without lists of
// their vectors.
func anyModel() *rapid.Generator[*models.Model] {
	return rapid.Custom(func(t *rapid.T) *models.Model {
		number := numbers()
		draw := func(name string) float64 { return number.Draw(t, name) }
		m := &models.Model{
			Task:        models.Task(rapid.IntRange(0, 4).Draw(t, "task")),
			Probability: rapid.Bool().Draw(t, "probability"),
		}
		m.Kernel = rapid.SampledFrom([]kernel.Kernel{
			kernel.Linear{},
			kernel.Poly{Degree: rapid.IntRange(0, math.MaxInt32).Draw(t, "degree"), Gamma: draw("gamma"), Coef0: draw("coef0")},
			kernel.RBF{Gamma: draw("gamma")},
			kernel.Sigmoid{Gamma: draw("gamma"), Coef0: draw("coef0")},
			kernel.Precomputed{},
		}).Draw(t, "kernel")
		total := rapid.IntRange(0, 6).Draw(t, "vectors")
		m.Machines = []models.Machine{{}}
		if m.Task.Classifies() {
			m.Machines = nil
			m.Labels = rapid.SliceOfNDistinct(rapid.IntRange(math.MinInt32, math.MaxInt32), 1, 5, rapid.ID[int]).Draw(t, "labels")
			k := len(m.Labels)
			shared := rapid.Bool().Draw(t, "shared")
			if shared && rapid.Bool().Draw(t, "one against the rest") {
				m.Vote = models.OneVsRest
			}
			if k == 1 {
				total = 0
			}
			if !shared {
				m.Group = make([]int, k)
				total = 0
			}
			for c := range m.Group {
				if k > 1 {
					m.Group[c] = rapid.IntRange(0, 3).Draw(t, "group")
				}
				total += m.Group[c]
			}
			for i := range k {
				if m.Vote == models.OneVsRest {
					m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: models.Rest})
					continue
				}
				for j := i + 1; j < k; j++ {
					m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: j})
				}
			}
		}
		if m.Group == nil && rapid.Bool().Draw(t, "provenance") {
			m.Provenance = anyProvenance().Draw(t, "provenance")
		}
		for range total {
			if _, ok := m.Kernel.(kernel.Precomputed); ok {
				m.Vectors.Append(vec.Vector{Index: []int32{0}, Value: []float64{float64(rapid.IntRange(1, math.MaxInt32).Draw(t, "serial"))}})
				continue
			}
			index := rapid.SliceOfNDistinct(rapid.Int32Range(0, math.MaxInt32), 0, 4, rapid.ID[int32]).Draw(t, "index")
			slices.Sort(index)
			x := vec.Vector{Index: index, Value: make([]float64, len(index))}
			for k := range x.Value {
				x.Value[k] = draw("value")
			}
			m.Vectors.Append(x)
		}
		start := m.GroupStart()
		for p := range m.Machines {
			c := &m.Machines[p]
			c.Rho = rapid.OneOf(number, rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1)})).Draw(t, "rho")
			listed := rapid.Bool().Draw(t, "listed")
			if listed {
				c.Index = []int32{}
			}
			for _, s := range c.Spans(start) {
				for i := s.From; i < s.To; i++ {
					if listed && rapid.Bool().Draw(t, "left out") {
						continue
					}
					if listed {
						c.Index = append(c.Index, int32(i))
					}
					c.Coef = append(c.Coef, draw("coefficient"))
				}
			}
			if m.Task.Classifies() && m.Probability {
				c.Sigmoid = &models.Sigmoid{A: draw("A"), B: draw("B")}
			}
		}
		if m.Probability && m.Task.Regresses() {
			m.Noise = math.Abs(draw("noise"))
		}
		if m.Probability && m.Task == models.OneClass {
			m.DensityMarks = rapid.SliceOfN(number, models.Marks, models.Marks).Draw(t, "marks")
			slices.Sort(m.DensityMarks)
		}
		if rapid.Bool().Draw(t, "inputs") {
			m.Inputs = []byte("x\n")
		}
		return m
	})
}

func anyProvenance() *rapid.Generator[*models.Provenance] {
	word := rapid.SampledFrom([]string{"shared", "x", "SV", "rho", "1e-3", "é", "=:,"})
	parameter := rapid.Custom(func(t *rapid.T) models.Parameter {
		return models.Parameter{Name: word.Draw(t, "name"), Value: word.Draw(t, "value")}
	})
	return rapid.Custom(func(t *rapid.T) *models.Provenance {
		p := &models.Provenance{Method: word.Draw(t, "method"), Seed: rapid.Uint64().Draw(t, "seed"), Parent: rapid.IntRange(0, 3).Draw(t, "parent")}
		for range rapid.IntRange(0, 2).Draw(t, "parameters") {
			p.Parameters = append(p.Parameters, parameter.Draw(t, "parameter"))
		}
		return p
	})
}

// full returns m with machines that have a coefficient for every vector of their classes, 0 for
// those that they do not list.
func full(m *models.Model) *models.Model {
	f := *m
	f.Machines = slices.Clone(m.Machines)
	start := m.GroupStart()
	for p := range f.Machines {
		c := &f.Machines[p]
		if c.Index == nil {
			continue
		}
		all := map[int]float64{}
		for k, i := range c.Index {
			all[int(i)] = c.Coef[k]
		}
		c.Index, c.Coef = nil, nil
		for _, s := range c.Spans(start) {
			for i := s.From; i < s.To; i++ {
				c.Coef = append(c.Coef, all[i])
			}
		}
	}
	return &f
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyModel().Draw(rt, "model")
		if err := m.Validate(); err != nil {
			rt.Fatal(err)
		}
		var b strings.Builder
		if err := models.Write(&b, m); err != nil {
			rt.Fatal(err)
		}
		again, err := read(b.String())
		if err != nil {
			rt.Fatalf("%v\nin\n%s", err, b.String())
		}
		if fault := difference(again, full(m)); fault != "" {
			rt.Fatalf("%s\nin\n%s", fault, b.String())
		}
		var c strings.Builder
		if err := models.Write(&c, again); err != nil || c.String() != b.String() {
			rt.Fatalf("written again, %v:\n%s\nwas\n%s", err, c.String(), b.String())
		}
	})
}
