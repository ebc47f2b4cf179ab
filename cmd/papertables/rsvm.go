package main

import (
	"context"
	"slices"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// changLee is the paper of the tables rsvm/...
const changLee = "C.-C. Chang and Y.-J. Lee, Generating the reduced set by systematic sampling, IDEAL 2004"

var rsvmTables = []table{smoothTable(paper), smoothTable(honest)}

// A smoothSet is one of the paper's Table 1, or another in its manner.
type smoothSet struct {
	*set
	random int       // size of RSVM's reduced set
	grown  int       // most vectors of SSRSVM
	small  bool      // SSVM has all rows as vectors, and parameters are chosen anew for every run
	scaled bool      // features lie between -1 and 1, and stay as they are
	paper  []float64 // in the order of smoothColumns without svm-train's; 0: none
}

var smoothSets = []smoothSet{
	{&set{name: "Ionosphere", file: "ionosphere/ionosphere", inputs: 34, classes: 2}, 35, 24, true, false, []float64{97.43, 20, 0.562, 96.87, 35, 0.641, 96.61, 14.219, 95.16, 0.172}},
	{&set{name: "Cleveland", file: "cleveland/cleveland", inputs: 13, classes: 2}, 30, 24, true, false, []float64{86.20, 20.6, 0.562, 85.94, 30, 0.375, 86.61, 7.25, 85.86, 3.546}},
	{&set{name: "BUPA", file: "bupa/bupa", inputs: 6, classes: 2}, 35, 21, true, false, []float64{74.80, 17.8, 0.468, 74.87, 35, 0.5, 74.47, 10.156, 73.64, 0.462}},
	{&set{name: "Pima", file: "pima/pima", inputs: 8, classes: 2}, 50, 20, true, false, []float64{78.00, 17.4, 0.969, 77.86, 50, 1.516, 77.34, 68.156, 75.52, 26.844}},
	{&set{name: "Mushroom, codes", file: "mushroom/mushroom.codes22", inputs: 22, classes: 2}, 215, 94, false, false, []float64{89.23, 79, 74.687, 89.39, 215, 171.25, 0, 0, 89.19, 171.484}},
	{&set{name: "Face", file: "face/face", inputs: 361, classes: 2}, 70, 50, false, false, []float64{98.51, 42.2, 73.812, 98.39, 70, 115.266, 0, 0, 98.15, 318.94}},
	{&set{name: "Mushroom, one-hot", file: "mushroom/mushroom.onehot", inputs: 22, classes: 2}, 215, 94, false, true, nil},
	{&set{name: "heart", file: "heart/heart_scale", inputs: 13, classes: 2}, 27, 24, true, true, nil},
	{&set{name: "german_numer", file: "german_numer/german.numer", inputs: 24, classes: 2}, 100, 50, true, false, nil},
	{&set{name: "diabetes", file: "diabetes/diabetes_scale", inputs: 8, classes: 2}, 50, 20, true, true, nil},
	{&set{name: "spambase", file: "spambase/spambase", inputs: 57, classes: 2}, 200, 100, false, false, nil},
	{&set{name: "tictactoe", file: "tictactoe/tictactoe.onehot27", inputs: 27, classes: 2}, 96, 48, true, true, nil},
}

// The methods of the table, and what a column holds of each.
const (
	bySystematic = "SSRSVM"
	byRandom     = "RSVM"
	byFull       = "SSVM"
	bySMO        = "C-SVC"
	byOriginal   = "`svm-train`"
	byFold       = ", by fold" // chosen so
)

var smoothColumns = []string{
	bySystematic, bySystematic + " size", bySystematic + " s", byRandom, byRandom + " size", byRandom + " s",
	byFull, byFull + " s", bySMO, bySMO + " s", byOriginal, byOriginal + " s",
}

// smoothTable is the paper's Table 1.
func smoothTable(p protocol) table {
	t := table{
		name: "rsvm/" + string(p), title: "Smooth support vector machines with rectangular kernels, protocol " + string(p), source: changLee + ", Table 1", protocol: p,
		about: `Test correctness in per cent of tenfold cross-validation, the mean size of the reduced set, and the CPU seconds of
the ten trainings (the paper's on a 1.47 GHz Athlon of 2002). A split is a complete tenfold run with folds of its own.
Features are standardised by the training part, except for heart, diabetes and the one-hot sets, which are scaled as they come. ` + smoothChoice[p] + `

SSVM takes SSRSVM's nu and gamma` + smoothFull[p] + `, and LIBSVM's ` + "`svm-train` the choice of C-SVC" + `. SSRSVM grows to 1.2 times the paper's mean
size in vectors (heart as Cleveland, diabetes as Pima; others to half of RSVM's), or until no training row is wrong, and the
last round counts, as in algorithm 3.1. SSVM has on sets of more than 1000 rows, where the paper ran out of memory, 500
rows drawn by chance as vectors. Of equal rows, which spambase and Ionosphere have, one is a vector. tictactoe and Mushroom's second row are one-hot; Mushroom's first row has a number for
each category, which is a bad coding.`,
		corner: "data", columns: smoothColumns,
		compare: [][2]string{{bySystematic, byRandom}, {byRandom, bySMO}},
		splits:  5, version: smoothVersion, digits: map[string]int{}, summary: steepest,
	}
	if p == paper {
		t.columns = append(slices.Clone(t.columns), bySystematic+byFold, byRandom+byFold, byFull+byFold)
	}
	for _, c := range []string{bySystematic, byRandom, byFull, bySMO, byOriginal} {
		t.digits[c+byFold] = 2
		t.digits[c], t.digits[c+" s"] = 2, 2
	}
	t.paper = map[cell]float64{}
	for i := range smoothSets {
		s := &smoothSets[i]
		t.rows = append(t.rows, s.name)
		for k, v := range s.paper {
			if v != 0 {
				t.paper[cell{s.name, smoothColumns[k]}] = v
			}
		}
		for _, m := range []string{bySystematic, byRandom, byFull, bySMO, byOriginal} {
			j := job{name: s.name + "/" + m, rows: []string{s.name}, columns: []string{m, m + " s"}, sets: []*set{s.set}}
			if m == byOriginal {
				j.name, j.programs = s.name+"/original", []string{"svm-train"}
			}
			j.run = func(ctx context.Context, b *bench, split int) (figures, error) { return b.tenfold(ctx, s, m, p, split) }
			t.jobs = append(t.jobs, j)
		}
	}
	return t
}

// smoothFull says where SSVM does not take the parameters of SSRSVM.
var smoothFull = map[protocol]string{paper: " except on Ionosphere and Pima, where it chooses for itself"}

var smoothChoice = map[protocol]string{
	paper: `

The paper says that "all parameters in our experiments were chosen for optimal performance on a tuning set, a surrogate for a
test set", and prints none of them; it shows one tenfold run. Here every run has, for each method by itself, the parameters with the best
tenfold correctness of that very run, test rows included, one setting for all ten folds: on Ionosphere and Pima nu of 1, 3, 10, 30, ...,
10000, gamma of 0.03, 0.06, 0.1, 0.2, 0.3, 0.6, 1, 2, 3 over the number of features, and for SSRSVM also k of algorithm 3.1, of 5, 2, 1: the
best of 243 for SSRSVM, of 81 for RSVM and SSVM, of 45 for C-SVC (C of 1, 3, 10, 30, 100). So much choice by test rows makes figures that are too high
(of 25 settings, as the other sets have, the best of SSRSVM for Ionosphere had a mean of 96.07): the table of the honest protocol has what a user
can expect. The other sets have nu of 1, 10, ..., 10000, gamma of 0.03, 0.1, 0.3, 1, 3, C of 1,
10, 100, and k 5; with more than 1000 rows the first fold of the first run chooses for all. *By fold* is the correctness if each fold
chose by its own test rows.`,
	honest: `nu is one of 1, 10, ..., 10000 and gamma
one of 0.03, 0.1, 0.3, 1, 3 over the number of features; C-SVC has C of 1, 10, 100. They are chosen inside each training part by
threefold cross-validation on at most 400 of its rows, for each method by itself; k of algorithm 3.1 is 5.`,
}

// smoothVersion is that of the tables' procedure, and of what is chosen for them.
const smoothVersion = 4

// fullVectors is the number of vectors of SSVM on large sets.
const fullVectors = 500

// smoothTrainer returns a trainer by one of the methods.
func (b *bench) smoothTrainer(s *smoothSet, method string, p smoothParameters, seed int, report train.Report) train.Trainer {
	if method == bySMO || method == byOriginal {
		return b.trainer(models.OneVsOne, p.cost, p.gamma)
	}
	o := rsvm.DefaultOptions()
	o.Kernel, o.Cost, o.Seed, o.Threads, o.Report = kernel.RBF{Gamma: p.gamma}, p.cost, uint64(seed), b.threads, report
	switch {
	case method == bySystematic:
		grown := rsvm.DefaultSystematic()
		grown.Parts = p.parts
		grown.MaxVectors, grown.Last, grown.Patience = s.grown, true, s.grown // the paper does not keep an earlier round
		o.Set = grown
	case method == byRandom:
		o.Set = rsvm.Random{Vectors: s.random}
	case s.small:
		o.Set = rsvm.Full{}
	default:
		o.Set = rsvm.Random{Vectors: fullVectors}
	}
	return rsvm.Classifier{Options: o}
}

// tenfold runs a method on ten folds.
func (b *bench) tenfold(ctx context.Context, s *smoothSet, method string, p protocol, split int) (f figures, err error) {
	d, err := b.load(ctx, s.set)
	if err != nil {
		return nil, err
	}
	folds, err := tenFolds(d, split)
	if err != nil {
		return nil, err
	}
	var chosen figures
	r := &smoothRun{bench: b, s: s, method: method, seed: split}
	gradient := 0.0
	for k := range len(folds.Start) - 1 {
		of, test := s.fold(d, folds, k)
		chosen, err = b.smoothChoose(ctx, s, d, of, p, s.choosing(method, p), split, k)
		if err == nil {
			gradient = max(gradient, chosen.at("gradient", ""))
			err = r.add(ctx, of, test, parametersOf(chosen))
		}
		if err != nil {
			return nil, err
		}
	}
	f.add(s.name, method, 100*r.right/r.rows)
	if method == bySystematic || method == byRandom {
		f.add(s.name, method+" size", r.vectors/float64(len(folds.Start)-1))
	}
	f.add(s.name, method+" s", r.cpu)
	if method == bySystematic || method == byRandom || method == byFull {
		f.add(s.name, method+gradientColumn, max(gradient, r.solved.gradient))
	}
	if p == paper && s.small && (method == bySystematic || method == byRandom || method == byFull && s.fullChooses(p)) {
		f.add(s.name, method+byFold, chosen.at("by fold, %", ""))
	}
	return f, nil
}

// choosing returns the method whose parameters a method takes.
func (s *smoothSet) choosing(method string, p protocol) string {
	switch {
	case method == byFull && !s.fullChooses(p):
		return bySystematic
	case method == byOriginal:
		return bySMO
	}
	return method
}

// fullChooses reports whether SSVM, which is slow, chooses parameters for itself.
func (s *smoothSet) fullChooses(p protocol) bool { return p == paper && s.small && s.paper != nil }

func tenFolds(d *data, seed int) (train.Folds, error) {
	return train.CrossValidationFolds(models.CSVC, d.Y, 10, train.NewRand(uint32(seed)), nil)
}

// fold returns the rows outside and inside of a fold.
func (s *smoothSet) fold(d *data, folds train.Folds, k int) (rest, test *format.Dataset) {
	from, to := folds.Start[k], folds.Start[k+1]
	out := append(append([]int(nil), folds.Perm[:from]...), folds.Perm[to:]...)
	rest, test = d.pick(out), d.pick(folds.Perm[from:to])
	if s.scaled {
		return rest, test
	}
	return standardise(rest, test)
}

// A smoothRun sums up the folds of a run.
type smoothRun struct {
	*bench
	s                         *smoothSet
	method                    string
	seed                      int
	right, rows, vectors, cpu float64
	solved                    solved
}

// add trains on rows and tests on others.
func (r *smoothRun) add(ctx context.Context, of, test *format.Dataset, p smoothParameters) error {
	var m *models.Model
	var err error
	if r.method == byOriginal {
		var cpu float64
		m, cpu, err = r.original(ctx, of, p.cost, p.gamma)
		r.cpu += cpu
	} else {
		before := cpuSeconds()
		m, err = r.smoothTrainer(r.s, r.method, p, r.seed, r.solved.note).Train(ctx, of, nil)
		r.cpu += cpuSeconds() - before
	}
	if err == nil {
		err = r.solved.check()
	}
	if err != nil {
		return err
	}
	scores, err := r.scores(ctx, m, test)
	if err != nil {
		return err
	}
	r.right += float64(scores.Accuracy() * float64(test.Len()))
	r.rows += float64(test.Len())
	r.vectors += float64(m.Vectors.Len())
	return nil
}
