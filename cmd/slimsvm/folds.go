package main

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

// A validation trains and tests on the folds of a problem, repetition after
// repetition; the folds of one are drawn when the first of them is begun. Each fold
// has a random stream that is known beforehand, so that the results do not depend on
// the order in which they are done.
type validation struct {
	*problem
	c        *cli.Context
	rows     []int // numbers of the rows that folds are made of
	features int

	y      []float64    // labels of the rows
	groups []int        // of the rows; nil: there are none
	forker train.Forker // knows how many numbers a training draws; nil: it does not
	rng    *train.Rand  // draws folds
	drawn  uint32       // folds so far, with those that have no rows
	folds  int          // with rows, in each repetition
	ranked bool         // labels are ranked
	cache  *foldCache   // of all points of a grid, or of all repetitions; nil: there are no others
	queue
	done atomic.Int64 // folds
}

// A part is one fold: the rows held back are perm[begin:end], those to train on the
// others, by their place in validation.rows.
type part struct {
	number     uint32          // among those of all repetitions
	fold       train.FoldError // without an error: which it is
	perm       []int
	begin, end int
	rng        *train.Rand
	answers    []float64 // to the rows held back
	truth      []float64
	weights    []float64
	warner     warner // keeps the warnings

	// of a classifier or a one-class model
	labels      []string  // that the model knows
	answerTexts []string  // to the rows held back; of a regression, with --out
	truthTexts  []string  // of these rows
	chances     []float64 // with --out, probabilities of each row, one for each of the labels; nil: there are none
	scores      []float64 // where labels are ranked, of each row one for each of the labels; nil: there are none

	mean float64 // of a regression's targets in training

	ctx    context.Context
	cancel context.CancelFunc
	ended  bool
	err    error
}

func (t *part) held() []int { return t.perm[t.begin:t.end] }

func (t *part) rest() []int { return slices.Concat(t.perm[:t.begin], t.perm[t.end:]) }

// newValidation returns the validation of a problem, of which the first repetition is
// drawn.
func newValidation(p *problem, c *cli.Context, whole *prepared, w *watcher) (*validation, error) {
	v := &validation{
		problem: p, c: c, rows: p.labelled(whole), features: whole.data.X.MaxIndex(),
		y: whole.data.Y, rng: train.NewRand(uint32(c.Uint64("seed"))), ranked: c.Bool("stats") || c.String("roc") != "",
	}
	if err := v.checkEnoughRows(); err != nil {
		return nil, p.in.at(err)
	}
	if p.groups != nil {
		v.groups = make([]int, len(v.rows))
		for k, i := range v.rows {
			v.groups[k] = p.groups[i]
		}
		if err := p.ungrouped(v.rows); err != nil {
			return nil, err
		}
	}
	v.forker, _ = whole.trainer.(train.Forker)
	v.queue.more, v.queue.left = func() ([]*part, error) { return v.draw(nil) }, c.Int("repeat")-1
	first, err := v.draw(w.report)
	if err != nil {
		return nil, p.place(err, whole.encoding)
	}
	v.queue.parts, v.folds = first, len(first)
	if n := int(v.drawn); v.folds < n {
		w.warn("%d of %d folds %s empty, since no class has as many rows as there are folds, and %s", n-v.folds, n,
			phrase.Agree(n-v.folds, "is", "are"), phrase.Agree(n-v.folds, "is left out", "are left out"))
	}
	if v.groups != nil {
		v.warnGroups(w, whole.encoding)
	} else {
		v.warnSmallClasses(w, whole.encoding)
	}
	v.warnOneClassLabels(w, whole.encoding)
	return v, nil
}

// warnOneClassLabels warns of labels of numbered features that do not say what is inside and what outside of a
// one-class model: no answer is any of them. Of declared columns they are errors, which the folds tell.
func (v *validation) warnOneClassLabels(w *watcher, encoding *encode.Encoding) {
	if v.method.Task != models.OneClass || encoding != nil {
		return
	}
	others, first := 0, 0.0
	for _, y := range v.y {
		if y != 1 && y != -1 {
			if others++; others == 1 {
				first = y
			}
		}
	}
	switch {
	case others == len(v.y):
		w.warn("%s: no label is 1 (inside) or -1 (outside), but %s for example: the score means nothing", v.in.path, phrase.Label(first))
	case others > 0:
		w.warn("%s: %d of %d rows %s a label that is neither 1 (inside) nor -1 (outside), such as %s, and %s as wrong", v.in.path, others, len(v.y),
			phrase.Agree(others, "has", "have"), phrase.Label(first), phrase.Agree(others, "counts", "count"))
	}
}

// warnSmallClasses warns of classes with too few rows for folds: of one row, which is answered by a model
// that does not know the class, and of fewer than there are folds, if other classes have as many.
func (v *validation) warnSmallClasses(w *watcher, encoding *encode.Encoding) {
	if !v.method.Task.Classifies() {
		return
	}
	rows := map[float64]int{}
	for _, y := range v.y {
		rows[math.Trunc(y)+0]++ // as training cuts labels; not -0
	}
	lone, rare := 0, 0
	spread := v.folds == int(v.drawn) && v.folds < len(v.y) // not with empty folds, nor where each row is one
	var ofLone, ofRare float64                              // the first of them
	for _, y := range v.y {
		y = math.Trunc(y) + 0
		switch n := rows[y]; {
		case n == 1:
			if lone++; lone == 1 {
				ofLone = y
			}
		case n > 1 && n < v.folds && spread:
			if rare++; rare == 1 {
				ofRare = y
			}
			rows[y] = -n // told
		}
	}
	named := func(y float64) string { return phrase.Word(answerText(v.method.Task, encoding, y)) }
	switch {
	case lone == 1:
		w.warn("label %s has only 1 row: the model that predicts it does not know the label, and it counts as wrong", named(ofLone))
	case lone > 1:
		w.warn("%d of %d labels have only 1 row, such as %s: the models that predict these rows do not know the labels, and they count as wrong", lone, len(rows), named(ofLone))
	}
	switch {
	case rare == 1:
		w.warn("label %s has %d rows: some of %d folds have none of them", named(ofRare), -rows[ofRare], v.folds)
	case rare > 1:
		w.warn("%d of %d labels have fewer rows than the %d folds, such as %s: some folds have none of them", rare, len(rows), v.folds, named(ofRare))
	}
}

// checkEnoughRows returns an error if there are too few rows for folds.
func (v *validation) checkEnoughRows() error {
	switch {
	case len(v.rows) > 1:
		return nil
	case v.problem.rows.Len() > 1:
		return errors.New("1 row with a label is too few for cross-validation")
	}
	return errors.New("1 row is too few for cross-validation")
}

// leastRows returns the number of rows that a training needs: a regression's
// probabilities come from a cross-validation.
func (v *validation) leastRows() int {
	if v.c.Bool("probability") && v.method.Task.Regresses() {
		return 2
	}
	return 1
}

// draw draws the folds of one repetition, and leaves out those without rows. The
// random numbers are those of svm-train -v: folds, and then what the training of each
// fold draws, be there rows in it or not.
func (v *validation) draw(report train.Report) ([]*part, error) {
	folds, err := partition.Folds(v.method.Task, v.y, v.groups, v.c.Int("folds"), v.rng, report)
	if err != nil {
		return nil, err
	}
	if err := folds.Check(v.leastRows()); err != nil {
		return nil, err
	}
	var parts []*part
	for f := range len(folds.Start) - 1 {
		t := &part{
			number: v.drawn,
			fold:   train.FoldError{Fold: f, Folds: len(folds.Start) - 1},
			perm:   folds.Perm, begin: folds.Start[f], end: folds.Start[f+1],
			warner: warner{kept: true},
		}
		if v.forker != nil {
			stream := *v.rng
			t.rng = &stream
			rest := t.rest()
			d := &format.Dataset{Y: make([]float64, len(rest))}
			for k, i := range rest {
				d.Y[k] = v.y[i]
			}
			v.rng.Skip(v.forker.Draws(d))
		} else {
			t.rng = train.NewRand(mixSeed(uint32(v.c.Uint64("seed")), v.drawn))
		}
		v.drawn++
		if t.begin < t.end {
			parts = append(parts, t)
		}
	}
	return parts, nil
}

// mixSeed returns the seed of a numbered part: the last step of MurmurHash3, which
// maps different numbers to different seeds.
func mixSeed(seed, n uint32) uint32 {
	h := seed + n*0x9e3779b9
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// run does all parts on the given number of threads, and returns the error of the
// first that failed: parts behind it are given up, those before it are not.
func (v *validation) run(ctx context.Context, threads int, sum func(*part)) error {
	var wait sync.WaitGroup
	for _, share := range shares(threads, int(min(v.total(), int64(threads)))) {
		wait.Go(func() {
			ctx, end := train.WithThreads(ctx, share) // memory goes from fold to fold
			defer end()
			for t := v.take(ctx); t != nil; t = v.take(ctx) {
				err := v.train(t.ctx, t, share)
				if err == nil {
					v.done.Add(1)
				}
				v.end(t, err, sum)
			}
		})
	}
	wait.Wait()
	if err := v.queue.err(); err != nil {
		return err
	}
	return ctx.Err()
}

// total returns the number of parts of all repetitions.
func (v *validation) total() int64 { return int64(v.folds) * int64(v.c.Int("repeat")) }

// shares divides threads among as many parts as can be done at once.
func shares(threads, parts int) []int {
	list := make([]int, min(threads, parts))
	for i := range list {
		list[i] = threads / len(list)
		if i < threads%len(list) {
			list[i]++
		}
	}
	return list
}

// train trains on a part's rows, on a number of threads, and predicts those held
// back.
func (v *validation) train(ctx context.Context, t *part, threads int) error {
	w := &watcher{warner: warner{kept: true}}
	problem := *v.problem
	problem.threads, problem.part = threads, true
	rest := t.rest()
	problem.places = v.places.selected(v.numbers(rest))
	rows, err := v.cache.of(ctx, v, &problem, t, rest)
	if err != nil {
		return err
	}
	fold, err := problem.trained(ctx, v.c, rows.Problem, v.features, w)
	if err != nil {
		return err
	}
	m, err := v.cache.trainer(rows, fold).Train(ctx, fold.data, t.rng)
	if err != nil {
		in := t.fold
		in.Err = err
		return v.placeIn(&in, rest, fold.encoding)
	}
	t.warner.said = w.said
	p, err := predict.New(m)
	if err != nil {
		return err
	}
	defer p.Release()
	test := rows.test
	if m.Task.Regresses() {
		t.mean = meanTarget(fold)
	} else {
		t.labels = labelsOf(m, fold.encoding)
	}
	t.weights = test.Weight
	if t.weights == nil {
		t.weights = slices.Repeat([]float64{1}, test.Len())
	}
	for i := range test.Len() {
		if err := p.Check(test.X.Row(i)); err != nil {
			return v.placeIn(&train.RowError{Row: i, Err: err}, t.held(), fold.encoding)
		}
	}
	if t.answers, err = v.newRanker(p).answer(ctx, t, &test.X); err != nil {
		return err
	}
	out := v.c.String("out") != ""
	for i, y := range test.Y {
		if out || !m.Task.Regresses() {
			t.answerTexts = append(t.answerTexts, answerText(m.Task, fold.encoding, t.answers[i]))
		}
		if fold.encoding != nil && m.Task.Regresses() {
			t.answers[i], y = fold.encoding.Target(t.answers[i]), fold.encoding.Target(y)
		}
		if fold.encoding != nil && m.Task == models.OneClass {
			if y = insideOf(fold.encoding, y, ""); math.IsNaN(y) {
				return hinted{v.in.at(errors.New("the labels do not say which rows are inside")), "a one-class method is scored by labels 1 and -1"}
			}
		}
		t.truth = append(t.truth, y)
		if !m.Task.Regresses() {
			t.truthTexts = append(t.truthTexts, answerText(m.Task, fold.encoding, y))
		}
	}
	return nil
}

// meanTarget returns the mean of the targets that a regression is trained on.
func meanTarget(p *prepared) float64 {
	if p.encoding != nil {
		return p.encoding.ClassColumn().Fill
	}
	var s predict.Scores
	for i, y := range p.data.Y {
		weight := 1.0
		if p.data.Weight != nil {
			weight = p.data.Weight[i]
		}
		s.AddWeighted(y, y, weight)
	}
	return s.MeanTruth()
}

// labels returns the labels of the rows in the order of a classifier of all rows: that in which they
// first occur, but 1 before -1, or with --as weka-smo that of their declaration; nil of a regression.
func (v *validation) labels(encoding *encode.Encoding) []string {
	switch task := v.method.Task; {
	case task == models.OneClass:
		return labelsOf(&models.Model{Task: task}, encoding)
	case task.Regresses():
		return nil
	default:
		classes, err := train.GroupClasses(v.y, nil)
		if err != nil {
			return nil // which drawing the folds has told
		}
		if o, is := v.forker.(train.OneVsOne); is && o.SortClasses {
			slices.Sort(classes.Labels)
		}
		labels := make([]string, len(classes.Labels))
		for i, y := range classes.Labels {
			labels[i] = answerText(task, encoding, float64(y))
		}
		return labels
	}
}

// placeIn is place for an error of some of the rows.
func (v *validation) placeIn(err error, places []int, encoding *encode.Encoding) error {
	return v.place(ofRows(ofRows(err, places), v.rows), encoding)
}

// labelled returns the numbers of the raw rows that are in the encoded data.
func (p *problem) labelled(whole *prepared) []int {
	if whole.encoding == nil {
		return upTo(p.rows.Len())
	}
	return withLabel(p.rows, p.in.header, p.encode.Class)
}

// withLabel returns the numbers of the rows that have a label, in the column that they were encoded by.
func withLabel(d *format.Dataset, h *format.Header, className string) (rows []int) {
	class, _ := encode.FindClass(h, className)
	for i := range d.Len() {
		if !math.IsNaN(d.X.Row(i).At(int32(class))) {
			rows = append(rows, i)
		}
	}
	return rows
}

// numbers returns the numbers of the rows at some places of v.rows.
func (v *validation) numbers(places []int) []int {
	numbers := make([]int, len(places))
	for k, i := range places {
		numbers[k] = v.rows[i]
	}
	return numbers
}

// selectRows returns the rows at some places of v.rows.
func (v *validation) selectRows(places []int) *format.Dataset {
	chosen := v.numbers(places)
	from := v.problem.rows
	d := &format.Dataset{Header: from.Header, X: from.X.Select(chosen), Weight: from.Weights(chosen)}
	for _, i := range chosen {
		d.Y = append(d.Y, from.Y[i])
	}
	return d
}
