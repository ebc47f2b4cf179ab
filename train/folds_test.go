package train

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// fold returns the rows of fold i.
func (f Folds) fold(i int) []int { return f.Perm[f.Start[i]:f.Start[i+1]] }

// checkPartition tests that each of n rows is in one of k folds.
func (f Folds) checkPartition(t *rapid.T, n, k int) {
	t.Helper()
	if len(f.Start) != k+1 || f.Start[0] != 0 || f.Start[k] != n || !slices.IsSorted(f.Start) {
		t.Fatalf("%d folds of %d rows begin at %v", k, n, f.Start)
	}
	rows := slices.Sorted(slices.Values(f.Perm))
	for i, v := range rows {
		if i != v {
			t.Fatalf("%v is no permutation", f.Perm)
		}
	}
	if len(rows) != n {
		t.Fatalf("%d rows, want %d", len(rows), n)
	}
}

// TestPlainFolds: all rows are shuffled; fold f is [f n/k, (f+1) n/k) of them.
func TestPlainFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 80).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		f := PlainFolds(n, k, NewRand(5))
		f.checkPartition(t, n, k)
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		NewRand(5).Shuffle(want)
		if !slices.Equal(f.Perm, want) {
			t.Fatalf("rows %v, want %v", f.Perm, want)
		}
		for i := range k {
			if size := len(f.fold(i)); size < n/k || size > n/k+1 || f.Start[i] != i*n/k {
				t.Fatalf("%d folds of %d rows begin at %v", k, n, f.Start)
			}
		}
	})
}

// TestManyFolds: folds times rows may be too large for 32 bits.
func TestManyFolds(t *testing.T) {
	const n, k = 70_000, 50_000
	c := &Classes{Labels: []int{1}, Rows: [][]int{make([]int, n)}}
	for i := range n {
		c.Rows[0][i] = i
	}
	for name, f := range map[string]Folds{
		"plain":      PlainFolds(n, k, NewRand(1)),
		"stratified": StratifiedFolds(c, k, NewRand(1)),
	} {
		if err := f.Check(n - 2); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStratifiedFolds: each class is shuffled in turn, in the order of the classes; fold f holds,
// class after class, [f n/k, (f+1) n/k) of its n rows.
func TestStratifiedFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 1, 7, 7, 3.5}), 1, 80).Draw(t, "y")
		k := rapid.IntRange(1, len(y)).Draw(t, "k")
		c, err := GroupClasses(y, nil)
		if err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(c)
		f := StratifiedFolds(c, k, NewRand(9))
		if fmt.Sprint(c) != before {
			t.Fatal("the classes were changed")
		}
		f.checkPartition(t, len(y), k)
		rng := NewRand(9)
		want := make([][]int, k)
		for _, rows := range c.Rows {
			rows := slices.Clone(rows)
			rng.Shuffle(rows)
			for i := range k {
				want[i] = append(want[i], rows[i*len(rows)/k:(i+1)*len(rows)/k]...)
			}
		}
		for i := range k {
			if !slices.Equal(f.fold(i), want[i]) {
				t.Fatalf("fold %d is %v, want %v", i, f.fold(i), want[i])
			}
		}
	})
}

// TestCrossValidationFolds: the folds of each task. If there are to be more folds than rows, there
// are as many as rows, with a report.
func TestCrossValidationFolds(t *testing.T) {
	y := []float64{2, 2, 1, 1, 1, 2}
	n := len(y)
	stratified := func(k int) Folds {
		c, _ := GroupClasses(y, nil)
		return StratifiedFolds(c, k, NewRand(1))
	}
	plain := func(k int) Folds { return PlainFolds(n, k, NewRand(1)) }
	for _, c := range []struct {
		task    models.Task
		k       int
		want    Folds
		reduced []Event
	}{
		{models.CSVC, 2, stratified(2), nil},
		{models.NuSVC, 5, stratified(5), nil},
		{models.CSVC, 6, plain(6), nil}, // leave one out
		{models.NuSVC, 7, plain(6), []Event{FoldsReduced{7, 6}}},
		{models.CSVC, 1 << 30, plain(6), []Event{FoldsReduced{1 << 30, 6}}},
		{models.OneClass, 2, plain(2), nil},
		{models.EpsilonSVR, 5, plain(5), nil},
		{models.NuSVR, 9, plain(6), []Event{FoldsReduced{9, 6}}},
	} {
		var events []Event
		f, err := CrossValidationFolds(c.task, y, c.k, NewRand(1), func(e Event) { events = append(events, e) })
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(f) != fmt.Sprint(c.want) || !slices.Equal(events, c.reduced) {
			t.Errorf("%v, %d folds: %v and %v, want %v and %v", c.task, c.k, f, events, c.want, c.reduced)
		}
	}
	for _, c := range []struct {
		y    []float64
		k    int
		rng  *Rand
		want string
	}{
		{[]float64{1, 1e10, 2}, 2, NewRand(1), "row 2: label 1e+10 is no 32-bit integer"},
		{y, 1, NewRand(1), "a cross-validation of 1 folds, expected 2 or more"},
		{y, 0, NewRand(1), "a cross-validation of 0 folds, expected 2 or more"},
		{y, -1, NewRand(1), "a cross-validation of -1 folds, expected 2 or more"},
		{nil, 2, NewRand(1), "the data set has no rows"},
		{y, 2, nil, "no random stream to draw from: NewRand makes one"},
	} {
		if _, err := CrossValidationFolds(models.CSVC, c.y, c.k, c.rng, nil); err == nil || err.Error() != c.want {
			t.Errorf("%d folds of %v: error %v, want %s", c.k, c.y, err, c.want)
		}
	}
}

// memory is a trainer that keeps what it is given; its models answer with the number of rows of
// their training.
type memory struct {
	task  models.Task
	given *[]*format.Dataset
	err   error
}

func (t memory) Train(_ context.Context, d *format.Dataset, rng *Rand) (*models.Model, error) {
	*t.given = append(*t.given, d)
	if rng != nil {
		rng.Int()
	}
	m := &models.Model{Task: t.task, Kernel: kernel.Linear{}, Machines: []models.Machine{{Rho: -float64(d.Len())}}}
	if t.task.Classifies() {
		m.Labels, m.Group = []int{5, 6}, []int{0, 0}
		m.Machines[0].Neg = 1
		m.Probability = true // at value 20 the first class has a probability below one half
		m.Machines[0].Sigmoid = &models.Sigmoid{A: -1, B: 100}
	}
	return m, t.err
}

// rowsOf returns a data set whose row i has value i+1, target 10(i+1) and, with weights, weight
// i+1.
func rowsOf(n int, weights bool) *format.Dataset {
	d := new(format.Dataset)
	for i := range n {
		in := format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{float64(i + 1)}}, Y: float64(10 * (i + 1)), Weight: 1}
		if weights {
			in.Weight = float64(i + 1)
		}
		d.Append(in)
	}
	return d
}

// twice returns a data set of n classes of two rows each.
func twice(n int) *format.Dataset {
	d := rowsOf(2*n, false)
	for i := range d.Y {
		d.Y[i] = float64(i / 2)
	}
	return d
}

// TestCrossValidateNumbers: labels that look like numbers are told for all rows, however few of them
// a fold leaves.
func TestCrossValidateNumbers(t *testing.T) {
	d := rowsOf(3001, false)
	folds := Folds{Perm: make([]int, 3001), Start: []int{0, 2990, 3001}}
	for i := range folds.Perm {
		folds.Perm[i] = i
	}
	_, err := CrossValidate(t.Context(), OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}}, d, folds, NewRand(1), nil)
	want := "3001 classes in 3001 rows would need 4501500 machines; the labels look like numbers, which a regression predicts, or like names of the rows"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = OneVsRest{Solver: signs{}, Kernel: kernel.Linear{}}.Train(t.Context(), d, nil)
	if want := strings.Replace(want, "4501500", "3001", 1); err == nil || err.Error() != want {
		t.Errorf("one against the rest: %v, want %s", err, want)
	}
	var events []Event
	d, folds = rowsOf(101, false), PlainFolds(101, 101, NewRand(1)) // each fold leaves 100
	if _, err := CrossValidate(t.Context(), OneVsOne{Solver: signs{}, Kernel: kernel.Linear{}, Brief: true}, d, folds, NewRand(1), func(e Event) { events = append(events, e) }); err != nil || len(events) == 0 || events[0] != (ManyClasses{101, 101}) {
		t.Errorf("%v, %v", events, err)
	}
}

// TestCrossValidate: each fold is predicted by a model of the rows of the other folds, with their
// targets and weights, fold after fold.
func TestCrossValidate(t *testing.T) {
	folds := Folds{Perm: []int{3, 0, 4, 2, 1}, Start: []int{0, 2, 2, 3, 5}} // one fold is empty
	for _, weights := range []bool{false, true} {
		d := rowsOf(5, weights)
		var given []*format.Dataset
		got, err := CrossValidate(context.Background(), memory{models.EpsilonSVR, &given, nil}, d, folds, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := []float64{3, 3, 3, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("predictions %v, want %v", got, want)
		}
		want := [][]float64{{5, 3, 2}, {4, 1, 5, 3, 2}, {4, 1, 3, 2}, {4, 1, 5}}
		if len(given) != len(want) {
			t.Fatalf("%d trainings, want %d", len(given), len(want))
		}
		for f, part := range given {
			var rows []float64
			for i := range part.Len() {
				v := part.X.Row(i).At(1)
				rows = append(rows, v)
				if part.Y[i] != 10*v {
					t.Errorf("fold %d: row %v has target %v", f, v, part.Y[i])
				}
				if weights && part.Weight[i] != v || !weights && part.Weight != nil {
					t.Errorf("fold %d: row %v has weights %v", f, v, part.Weight)
				}
			}
			if !slices.Equal(rows, want[f]) || part.X.Len() != part.Len() {
				t.Errorf("fold %d is trained on %v, want %v", f, rows, want[f])
			}
		}
	}
}

// TestCrossValidateByProbability: a classifier with probabilities answers by these, as svm-train -v
// does with -b 1.
func TestCrossValidateByProbability(t *testing.T) {
	d := rowsOf(6, false)
	var given []*format.Dataset
	rng := NewRand(1)
	folds := PlainFolds(6, 3, rng)
	twin := *rng
	got, err := CrossValidate(context.Background(), memory{models.CSVC, &given, nil}, d, folds, rng, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got {
		if p != 6 { // by the decision value 4 it would be 5
			t.Errorf("row %d: %v, want 6", i, p)
		}
	}
	for range 3 {
		twin.Int()
	}
	if *rng != twin {
		t.Error("the trainings did not draw from the stream of the folds")
	}
	m, _ := memory{models.CSVC, &given, nil}.Train(context.Background(), d, nil)
	if p, err := predict.New(m); err != nil || p.Predict(d.X.Row(0)) != 5 {
		t.Errorf("the test is void: by decision value the answer is not 5 (%v)", err)
	}
}

func TestCrossValidateErrors(t *testing.T) {
	var given []*format.Dataset
	failure := errors.New("failure")
	_, err := CrossValidate(context.Background(), memory{models.EpsilonSVR, &given, failure}, rowsOf(4, false), PlainFolds(4, 2, NewRand(1)), nil, nil)
	if !errors.Is(err, failure) || len(given) != 1 {
		t.Errorf("error %v after %d trainings, want %v after one", err, len(given), failure)
	}
	given = nil
	_, err = CrossValidate(t.Context(), memory{models.EpsilonSVR, &given, nil}, rowsOf(4, false), Folds{[]int{0, 1, 2, 3}, []int{0, 0, 4}}, nil, nil)
	if err == nil || err.Error() != "fold 2 of 2 holds 4 of the 4 rows: too few are left to train on" || len(given) != 0 {
		t.Errorf("all rows in one fold: error %v after %d trainings", err, len(given))
	}
}

// TestFoldsCheck: Check tests that each fold leaves enough rows, and that every row is in one fold.
// CrossValidate refuses what Check refuses, and folds of other data.
func TestFoldsCheck(t *testing.T) {
	for _, c := range []struct {
		start []int
		least int
		want  string
	}{
		{[]int{0, 2, 4}, 2, ""},
		{[]int{0, 2, 4}, 3, "fold 1 of 2 holds 2 of the 4 rows: too few are left to train on"},
		{[]int{0, 0, 4}, 1, "fold 2 of 2 holds 4 of the 4 rows: too few are left to train on"},
		{[]int{0, 1, 4}, 1, ""},
		{[]int{0, 1, 4}, 2, "fold 2 of 2 holds 3 of the 4 rows: too few are left to train on"},
		{[]int{0, 4}, 1, "fold 1 of 1 holds 4 of the 4 rows: too few are left to train on"},
	} {
		got := ""
		if err := (Folds{[]int{3, 1, 0, 2}, c.start}).Check(c.least); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v, at least %d: %q, want %q", c.start, c.least, got, c.want)
		}
	}
	whole := []int{3, 1, 0, 2}
	for _, c := range []struct {
		folds Folds
		want  string
	}{
		{Folds{}, "there are no folds"},
		{Folds{whole, []int{0}}, "there are no folds"},
		{Folds{nil, []int{0, 0}}, "fold 1 of 1 holds 0 of the 0 rows: too few are left to train on"},
		{Folds{whole, []int{0, 2, 3}}, "the folds hold Perm[0:3], expected Perm[0:4], all rows"},
		{Folds{whole, []int{1, 2, 4}}, "the folds hold Perm[1:4], expected Perm[0:4], all rows"},
		{Folds{whole, []int{-1, 2, 4}}, "the folds hold Perm[-1:4], expected Perm[0:4], all rows"},
		{Folds{whole, []int{0, 2, 9}}, "the folds hold Perm[0:9], expected Perm[0:4], all rows"},
		{Folds{whole, []int{0, 3, 2, 4}}, "fold 2 of 3 ends at 2, before it begins at 3"},
		{Folds{whole, []int{0, 9, 4}}, "fold 2 of 2 ends at 4, before it begins at 9"},
		{Folds{[]int{3, 1, 0, 4}, []int{0, 2, 4}}, "Perm[3] is 4, expected one of the rows 0 to 3"},
		{Folds{[]int{3, -1, 0, 2}, []int{0, 2, 4}}, "Perm[1] is -1, expected one of the rows 0 to 3"},
		{Folds{[]int{3, 1, 3, 2}, []int{0, 2, 4}}, "Perm[2] is 3, a row that stands before it already"},
		{Folds{[]int{1, 0, 2}, []int{0, 2, 3}}, "folds of 3 rows for 4"},
	} {
		var given []*format.Dataset
		_, err := CrossValidate(t.Context(), memory{models.EpsilonSVR, &given, nil}, rowsOf(4, false), c.folds, nil, nil)
		if err == nil || err.Error() != c.want || len(given) > 0 {
			t.Errorf("%v: error %v after %d trainings, want %s", c.folds, err, len(given), c.want)
		}
	}
}

// canceller is a Forker that cancels the context when it is asked how many numbers it draws.
type canceller struct {
	memory
	cancel func()
	asked  *int
}

func (t canceller) Fork(Report) Trainer { return t }
func (t canceller) Workers() int        { return 1 }

func (t canceller) Draws(*format.Dataset) int {
	*t.asked++
	t.cancel()
	return 1
}

// TestCrossValidateCancelled: a cancelled cross-validation does not go on until the numbers of all
// folds are drawn, which takes a time of rows times folds.
func TestCrossValidateCancelled(t *testing.T) {
	why := errors.New("not needed any more")
	ctx, stop := context.WithCancelCause(context.Background())
	cancel := func() { stop(why) }
	defer cancel()
	d, asked := rowsOf(50, false), 0
	c := canceller{memory{models.EpsilonSVR, new([]*format.Dataset), nil}, cancel, &asked}
	_, err := CrossValidate(ctx, c, d, PlainFolds(50, 50, NewRand(1)), NewRand(1), nil)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

// TestCrossValidatePrecomputed: faults of rows of kernel values are reported also if a fold holds
// the rows back: no model is trained on these, but they are predicted.
func TestCrossValidatePrecomputed(t *testing.T) {
	for _, short := range []bool{false, true} {
		d := new(format.Dataset)
		for i := range 6 {
			x := vec.Vector{Index: []int32{0}, Value: []float64{float64(i + 1)}}
			for k := range 6 {
				x.Index, x.Value = append(x.Index, int32(k+1)), append(x.Value, float64(1+i%2*k))
			}
			if short && i == 2 {
				x.Index, x.Value = x.Index[:6], x.Value[:6]
			}
			d.Append(format.Instance{X: x, Y: float64(i % 2), Weight: 1})
		}
		folds := Folds{Perm: []int{2, 3, 0, 1, 4, 5}, Start: []int{0, 2, 6}}
		_, err := CrossValidate(t.Context(), OneVsOne{Solver: signs{}, Kernel: kernel.Precomputed{}}, d, folds, nil, nil)
		want := "<nil>"
		if short {
			want = "fold 1 of 2: row 3: kernel values end at 5, expected 6"
		}
		if fmt.Sprint(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// counting is signs that counts its problems.
type counting struct {
	signs
	n *atomic.Int64
}

func (s counting) Solve(ctx context.Context, p *Problem) (*Solution, error) {
	s.n.Add(1)
	return s.signs.Solve(ctx, p)
}

// TestCrossValidateMany: with more than 10,000 machines no fold is begun before the one before it
// has ended, so that only the machines of one fold are in memory.
func TestCrossValidateMany(t *testing.T) {
	const classes = 144
	perm := make([]int, classes) // one row of each class; each fold leaves half of them
	for i := range perm {
		perm[i] = i
	}
	var solved atomic.Int64
	var told []int64
	o := OneVsOne{Solver: counting{n: &solved}, Kernel: kernel.Linear{}, Threads: 2, Brief: true}
	_, err := CrossValidate(t.Context(), o, rowsOf(classes, false), Folds{Perm: perm, Start: []int{0, classes / 2, classes}}, NewRand(1), func(e Event) {
		if _, ok := e.(FoldDone); ok {
			told = append(told, solved.Load())
		}
	})
	if pairs := int64(models.Pairs(classes / 2)); err != nil || !slices.Equal(told, []int64{pairs, 2 * pairs}) {
		t.Errorf("%d problems had been solved when a fold was done, error %v, want %d each", told, err, pairs)
	}
}
