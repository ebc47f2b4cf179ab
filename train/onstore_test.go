package train_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// fiveClasses returns rows of five classes.
func fiveClasses(t *testing.T, rows int) *format.Dataset {
	t.Helper()
	set, ok := generate.Lookup("gauss5")
	if !ok {
		t.Fatal("no data set gauss5")
	}
	return set.Generate(rows, 1)
}

// textOf returns a model of some rows as the text of a file.
func textOf(ctx context.Context, t *testing.T, by train.Trainer, d *format.Dataset) []byte {
	t.Helper()
	m, err := by.Train(ctx, d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := models.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shuffled returns the rows of a data set in another order, and for each row its place there.
func shuffled(d *format.Dataset) (x vec.Matrix, at []int) {
	order := train.PlainFolds(d.Len(), 1, train.NewRand(3)).Perm
	at = make([]int, len(order))
	for k, row := range order {
		at[row] = k
	}
	return d.X.Select(order), at
}

// trainersOfStores are trainers with a cost and a gamma.
func trainersOfStores(cost, gamma float64) map[string]train.StoreTrainer {
	k := kernel.RBF{Gamma: gamma}
	c, r, o := smo.DefaultCSVC(), smo.DefaultEpsilonSVR(), smo.DefaultOneClass()
	c.C, r.C, r.Kernel, o.Kernel = cost, cost, k, k
	return map[string]train.StoreTrainer{
		"classes":       train.OneVsOne{Solver: c, Kernel: k, Task: models.CSVC},
		"probabilities": train.OneVsOne{Solver: c, Kernel: k, Task: models.CSVC, Probability: true},
		"one-vs-rest":   train.OneVsRest{Solver: c, Kernel: k, Task: models.CSVC},
		"regression":    r,
		"one class":     o,
	}
}

// TestOnStore: models of parts of a data set are the same with the rows in a store, in whatever
// order they are there, whether it keeps kernel values or not, also one after the other in the
// threads and memory of one context.
func TestOnStore(t *testing.T) {
	d := fiveClasses(t, 400)
	x, at := shuffled(d)
	folds := train.PlainFolds(d.Len(), 3, train.NewRand(2))
	for _, bytes := range []int64{0, 1 << 20} {
		store := kernel.NewStore(&x)
		store.CacheValues(t.Context(), bytes)
		ctx, end := train.WithThreads(context.Background(), 2)
		for _, gamma := range []float64{0.25, 2} {
			for _, cost := range []float64{0.5, 32} {
				for f := range 3 {
					rows := folds.Perm[folds.Start[f]:folds.Start[f+1]]
					part := &format.Dataset{X: d.X.Select(rows)}
					places := make([]int, len(rows))
					for i, row := range rows {
						part.Y, places[i] = append(part.Y, d.Y[row]), at[row]
					}
					for name, by := range trainersOfStores(cost, gamma) {
						want := textOf(context.Background(), t, by, part)
						if got := textOf(ctx, t, by.OnStore(store, places), part); string(got) != string(want) {
							t.Errorf("%s, cost %v, gamma %v, fold %d, %d bytes for values: another model", name, cost, gamma, f, bytes)
						}
					}
				}
			}
		}
		end()
	}
}

// TestCrossValidateOnStore: a trainer on a store, with the rows in another order, cross-validates
// as one without, repeatedly, and then all values are there.
func TestCrossValidateOnStore(t *testing.T) {
	d := fiveClasses(t, 150)
	x, at := shuffled(d)
	for name, by := range trainersOfStores(2, 0.5) {
		store := kernel.NewStore(&x)
		store.CacheValues(t.Context(), 1<<20)
		folds := train.PlainFolds(d.Len(), 4, train.NewRand(2))
		want, err := train.CrossValidate(context.Background(), by, d, folds, train.NewRand(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			got, err := train.CrossValidate(context.Background(), by.OnStore(store, at), d, folds, train.NewRand(1), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: row %d is answered by %v, want %v", name, i, got[i], want[i])
					break
				}
			}
		}
	}
}

// TestNotOnStore: a store of other rows is a programmer's error.
func TestNotOnStore(t *testing.T) {
	d, other := fiveClasses(t, 60), fiveClasses(t, 50)
	store := kernel.NewStore(&other.X)
	for name, by := range trainersOfStores(2, 0.5) {
		for _, rows := range [][]int{nil, make([]int, 50), {}} {
			for what, f := range map[string]func(train.Trainer) error{
				"train": func(by train.Trainer) error {
					_, err := by.Train(context.Background(), d, train.NewRand(1))
					return err
				},
				"cross-validate": func(by train.Trainer) error {
					_, err := train.CrossValidate(context.Background(), by, d, train.PlainFolds(60, 3, train.NewRand(1)), train.NewRand(1), nil)
					return err
				},
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s: %s takes places of %d rows", name, what, len(rows))
						}
					}()
					t.Errorf("%s: %v", name, f(by.OnStore(store, rows)))
				}()
			}
		}
	}
}

// TestGrown: rows that were appended after the store was made are a programmer's error too. The
// store does not know them: they might not be zeros and ones, for example, as all others are.
func TestGrown(t *testing.T) {
	d := fiveClasses(t, 60)
	store := kernel.NewStore(&d.X)
	d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{0.3}}, Y: 1, Weight: 1})
	for name, by := range trainersOfStores(2, 0.5) {
		func() {
			defer func() {
				if said := recover(); said != "train: 61 rows on a store of 60" {
					t.Errorf("%s: %v", name, said)
				}
			}()
			_, err := by.OnStore(store, nil).Train(context.Background(), d, train.NewRand(1))
			t.Errorf("%s: %v", name, err)
		}()
	}
}

// TestOtherStore: a store of other rows, such as those before scaling, is a mistake that is
// reported. Otherwise the model would be a mixture of two data sets. Rows that list zeros are the
// same as those that do not.
func TestOtherStore(t *testing.T) {
	d := fiveClasses(t, 60)
	scaled, listed := new(format.Dataset), new(format.Dataset)
	for i, y := range d.Y {
		x := d.X.Row(i).Clone()
		listed.Append(format.Instance{X: vec.Vector{Index: append(x.Index, 99), Value: append(x.Value, 0)}, Y: y, Weight: 1})
		x = x.Clone()
		for k := range x.Value {
			x.Value[k] /= 2
		}
		scaled.Append(format.Instance{X: x, Y: y, Weight: 1})
	}
	store := kernel.NewStore(&d.X)
	rng := train.NewRand(1)
	folds := train.PlainFolds(60, 3, rng)
	reversed := make([]int, 60)
	for i := range reversed {
		reversed[i] = 59 - i
	}
	for name, by := range trainersOfStores(2, 0.5) {
		for what, f := range map[string]func(by train.Trainer, d *format.Dataset) error{
			"train": func(by train.Trainer, d *format.Dataset) error {
				_, err := by.Train(context.Background(), d, train.NewRand(1))
				return err
			},
			"cross-validate": func(by train.Trainer, d *format.Dataset) error {
				_, err := train.CrossValidate(context.Background(), by, d, folds, train.NewRand(1), nil)
				return err
			},
		} {
			said := func(by train.Trainer, d *format.Dataset) (said any) {
				defer func() { said = recover() }()
				if err := f(by, d); err != nil {
					t.Errorf("%s, %s: %v", name, what, err)
				}
				return nil
			}
			if got := said(by.OnStore(store, nil), scaled); got != "train: row 1 differs from row 1 of the store" {
				t.Errorf("%s, %s of scaled rows: %v", name, what, got)
			}
			if got := said(by.OnStore(store, reversed), d); got != "train: row 1 differs from row 60 of the store" {
				t.Errorf("%s, %s of rows in another order: %v", name, what, got)
			}
			if got := said(by.OnStore(store, nil), listed); got != nil {
				t.Errorf("%s, %s of rows that list zeros: %v", name, what, got)
			}
		}
	}
}
