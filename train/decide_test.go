package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestDecideFewRows: decision values are the same as for each row alone. Rows that are sparse and
// have many columns are decided a few at a time.
func TestDecideFewRows(t *testing.T) {
	const rows, entries = 300, 10
	for _, c := range []struct{ columns, most int }{{entries, predict.BatchRows}, {5000, fewRows}} {
		r := rand.New(rand.NewPCG(1, uint64(c.columns)))
		d := new(format.Dataset)
		for range rows {
			var x vec.Vector
			for k := range entries {
				x.Index = append(x.Index, int32(1+k*(c.columns/entries)+r.IntN(c.columns/entries)))
				x.Value = append(x.Value, r.NormFloat64())
			}
			d.X.Append(x)
		}
		coefs := make([]float64, 20)
		for i := range coefs {
			coefs[i] = r.NormFloat64()
		}
		m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 0.1}, Vectors: d.X.Slice(0, len(coefs)), Machines: []models.Machine{{Coef: coefs}}}
		p, err := predict.New(m)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]int, rows)
		for i := range all {
			all[i] = rows - 1 - i
		}
		got, most := make([]float64, rows), 0
		err = Decide(context.Background(), p, &d.X, all, func(b *predict.Batch, r, k int) {
			b.Decisions(got[k:k+1], r)
			most = max(most, r+1)
		})
		if err != nil {
			t.Fatal(err)
		}
		if most != c.most {
			t.Errorf("%d columns: batches of %d rows, want %d", c.columns, most, c.most)
		}
		for k, row := range all {
			var want [1]float64
			p.Decisions(want[:], d.X.Row(row))
			if math.Float64bits(got[k]) != math.Float64bits(want[0]) {
				t.Errorf("%d columns: row %d: %v, want %v", c.columns, row, got[k], want[0])
			}
		}
	}
}

// TestAnswerProbabilities: each row of a long list has the probabilities that it has alone.
func TestAnswerProbabilities(t *testing.T) {
	const rows = 700
	r := rand.New(rand.NewPCG(2, 1))
	m := models.NewEnsemble([]int{5, 6, 7}, 0, models.ByDecision)
	m.Probability = true
	var xs vec.Matrix
	for i := range rows {
		x := vec.Vector{Index: []int32{1, 2}, Value: []float64{r.NormFloat64(), r.NormFloat64()}}
		xs.Append(x)
		if i < 40 {
			m.AddMember([]int{i % 3, (i + 1) % 3}, []models.Plane{{W: x, Rho: 1, Sigmoid: &models.Sigmoid{A: -1}}})
		}
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	all, seen := make([]int, rows), make([]bool, rows)
	for i := range all {
		all[i] = rows - 1 - i
	}
	err = AnswerProbabilities(context.Background(), p, &xs, all, func(b *predict.Batch, r, k int) {
		got, want := make([]float64, 3), make([]float64, 3)
		answer, _ := b.Probabilities(got, r)
		if wanted, _ := p.Probabilities(want, xs.Row(all[k])); answer != wanted || !slices.Equal(got, want) {
			t.Errorf("row %d: %v with %v, want %v with %v", all[k], answer, got, wanted, want)
		}
		seen[k] = true
	})
	if err != nil || slices.Contains(seen, false) {
		t.Errorf("%v, or rows were left out", err)
	}
}

// TestDecideCancelled: answers that were not computed because the context is done are no answers.
func TestDecideCancelled(t *testing.T) {
	d := rowsOf(5, false)
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Vectors: d.X.Slice(0, 1), Machines: []models.Machine{{Coef: []float64{1}}}}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	take := func(*predict.Batch, int, int) { t.Error("a row is answered") }
	for name, f := range map[string]func() error{
		"Decide": func() error { return Decide(ctx, p, &d.X, []int{0, 1}, take) },
		"Answer": func() error { return Answer(ctx, p, &d.X, []int{0, 1}, take) },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecideManyRows: sparse rows are decided a few at a time however many there are, also if rows
// times columns is too large for a 32-bit int.
func TestDecideManyRows(t *testing.T) {
	const rows, columns = 20_000, 1_000_000
	var x vec.Matrix
	for i := range rows {
		x.Append(vec.Vector{Index: []int32{int32(i + 1), columns}, Value: []float64{1, 1}})
	}
	m := &models.Model{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Vectors: x.Slice(0, 1), Machines: []models.Machine{{Coef: []float64{1}}}}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	if err := Decide(context.Background(), p, &x, make([]int, 200), func(_ *predict.Batch, r, _ int) { most = max(most, r+1) }); err != nil {
		t.Fatal(err)
	}
	if most != fewRows {
		t.Errorf("batches of %d rows, want %d", most, fewRows)
	}
}
