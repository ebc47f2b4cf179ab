package main

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/psvm"
	"github.com/slimsvm/slimsvm/train/smo"
)

// shen is the thesis of the tables psvm/...
const shen = "A. T. Shen, Prototype support vector machines, Williams College, 2013"

var psvmTables = []table{
	psvmTable("psvm/clean", "Prototype machines", "Tables 5.2, 5.3 and 5.5", 0),
	psvmTable("psvm/noise", "Prototype machines, 10 % wrong labels", "Tables 5.5, 5.6 and 5.7", 0.1),
}

// A psvmSet is one of the thesis's, with its figures without and with wrong labels: PSVM,
// iteration, machines, the same with sampling, linear, quadratic.
type psvmSet struct {
	*set
	paper [2][8]float64
}

var unread = math.NaN() // illegible in the thesis as it is stored

var psvmSets = []psvmSet{
	{&set{name: "isolated", generated: "isolated", inputs: 2, classes: 2}, [2][8]float64{
		{90.9, unread, 323, 84.0, 6, 124, 62.5, 81.9}, {71.9, 6, 122, 68.8, 6, 70, 59.3, 75.5}}},
	{&set{name: "striated", generated: "striated", inputs: 2, classes: 2}, [2][8]float64{
		{97.3, 8, 149, 96.9, 6, 88, 48.5, 72.8}, {76.8, 6, 170, 75.1, 6, 93, 52.0, 66.8}}},
	{&set{name: "spirals", generated: "spirals", inputs: 2, classes: 2}, [2][8]float64{
		{21.8, 5, 47, 60.7, 4, 29, 0, 0}, {29.0, unread, 56, 57.8, 6, 20, 11.9, 10.3}}},
	{&set{name: mixedSpirals, generated: "spirals", inputs: 2, classes: 2}, [2][8]float64{}},
	{&set{name: "iris", file: "iris/iris", inputs: 4, classes: 3}, [2][8]float64{
		{96.0, 7, 54, 86.7, 8, 13, 98.7, 96.7}, {88.7, 8, 24, 76.7, 8, 11, 90.0, 90.0}}},
	{&set{name: "glass", file: "glass/glass", inputs: 9, classes: 6}, [2][8]float64{
		{52.8, 7, 35, 47.6, 7, 15, 63.5, 69.7}, {50.0, 8, 37, 43.4, unread, 20, 53.7, 61.6}}},
	{&set{name: "segment", file: "segment/segment", inputs: 19, classes: 7}, [2][8]float64{
		{95.2, 8, 453, 94.4, 8, 172, 96.3, 95.8}, {84.3, 8, 323, 80.6, 8, 164, 84.1, 67.8}}},
}

// A fitting trains a model on the rows of nine folds.
type fitting func(ctx context.Context, b *bench, rest *format.Dataset, seed int) (*models.Model, error)

var psvmColumns = []string{
	"PSVM", "iteration", "machines", "sampled", "its iteration", "its machines",
	"linear SVM", "quadratic SVM", "RBF SVM", "ESVM", "PSVM, p = 5 %",
	"literal", "literal: iteration", "literal: machines", "literal, sampled", "literal, sampled: iteration", "literal, sampled: machines",
	"one hyperplane", "one: iteration", "one: machines", "one, sampled", "one, sampled: iteration", "one, sampled: machines",
	"unpruned", "unpruned: machines", "unpruned, sampled", "unpruned, sampled: machines",
	"others", "others: machines", "others, sampled", "others, sampled: machines",
}

// unchosen has machines shifted in one form, others, and none left out, as in the columns
// that are of one hyperplane, of p = 5 %, and of iteration 0.
func unchosen(p *psvm.Trainer) { p.Form, p.Unpruned = psvm.Others, true }

func psvmTable(name, title, tables string, noise float64) table {
	t := table{
		name: name, title: title, source: shen + ", " + tables, protocol: paper,
		about:  psvmAbout,
		corner: "data", columns: psvmColumns,
		digits: map[string]int{},
		compare: [][2]string{
			{"PSVM", "linear SVM"}, {"sampled", "linear SVM"}, {"PSVM", "quadratic SVM"}, {"PSVM", "RBF SVM"}, {"PSVM", "sampled"}, {"PSVM", "ESVM"},
			{"PSVM", "unpruned"}, {"sampled", "unpruned, sampled"}, {"unpruned", "others"}, {"unpruned, sampled", "others, sampled"},
		},
		splits: 5, version: 4, paper: map[cell]float64{},
	}
	for _, column := range psvmColumns {
		if strings.HasSuffix(column, "machines") {
			t.digits[column] = 0
		}
	}
	if noise > 0 {
		t.about += "\nA tenth of the rows, drawn by the split's number, have a wrong label, in the folds left out too."
	}
	for _, s := range psvmSets {
		t.rows = append(t.rows, s.name)
		which := 0
		if noise > 0 {
			which = 1
		}
		for k, v := range s.paper[which] {
			if !math.IsNaN(v) && s.name != mixedSpirals {
				t.paper[cell{s.name, psvmColumns[k]}] = v
				if k < 6 {
					t.paper[cell{s.name, psvmColumns[11+k]}] = v
				}
			}
		}
		job := func(of string, columns []string, run fitting) {
			t.jobs = append(t.jobs, job{
				name: s.name + "/" + of, rows: []string{s.name}, columns: columns, sets: []*set{s.set},
				run: func(ctx context.Context, b *bench, seed int) (figures, error) {
					return b.psvmTenfold(ctx, s, noise, seed, columns, run)
				},
			})
		}
		prototypes := func(change func(*psvm.Trainer)) fitting {
			return func(ctx context.Context, b *bench, rest *format.Dataset, seed int) (*models.Model, error) {
				p := psvm.Default()
				p.HardNegatives = 0.005 // the thesis's
				p.Seed, p.Threads = uint64(seed), b.threads
				change(&p)
				return p.Train(ctx, rest, nil)
			}
		}
		machine := func(k kernel.Kernel) fitting {
			return func(ctx context.Context, b *bench, rest *format.Dataset, seed int) (*models.Model, error) {
				return train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: k, Task: models.CSVC, Threads: b.threads}.Train(ctx, rest, nil)
			}
		}
		gamma := 1 / float64(s.inputs)
		job("chosen", psvmColumns[0:3], prototypes(func(*psvm.Trainer) {}))
		job("chosen sampled", psvmColumns[3:6], prototypes(func(p *psvm.Trainer) { p.Sampling = psvm.Rounds }))
		job("linear", psvmColumns[6:7], machine(kernel.Linear{}))
		job("rbf", psvmColumns[8:9], machine(kernel.RBF{Gamma: gamma}))
		job("esvm", psvmColumns[9:10], prototypes(func(p *psvm.Trainer) { unchosen(p); p.Iterations = 0 }))
		job("p5", psvmColumns[10:11], prototypes(func(p *psvm.Trainer) { unchosen(p); p.HardNegatives = 0.05 }))
		literal := func(p *psvm.Trainer) { p.Form, p.Unpruned, p.EqualCosts, p.Single = psvm.Literal, true, true, true }
		job("literal", psvmColumns[11:14], prototypes(literal))
		job("literal sampled", psvmColumns[14:17], prototypes(func(p *psvm.Trainer) { literal(p); p.Sampling = psvm.Rounds }))
		job("one", psvmColumns[17:20], prototypes(func(p *psvm.Trainer) { unchosen(p); p.Single = true }))
		job("one sampled", psvmColumns[20:23], prototypes(func(p *psvm.Trainer) { unchosen(p); p.Single, p.Sampling = true, psvm.Rounds }))
		job("unpruned", psvmColumns[23:25], prototypes(func(p *psvm.Trainer) { p.Unpruned = true }))
		job("unpruned sampled", psvmColumns[25:27], prototypes(func(p *psvm.Trainer) { p.Unpruned, p.Sampling = true, psvm.Rounds }))
		job("others", psvmColumns[27:29], prototypes(unchosen))
		job("others sampled", psvmColumns[29:31], prototypes(func(p *psvm.Trainer) { unchosen(p); p.Sampling = psvm.Rounds }))
		job("quadratic", psvmColumns[7:8], machine(kernel.Poly{Degree: 2, Gamma: gamma}))
	}
	return t
}

// mixedSpirals is the name of spirals in stratified folds.
const mixedSpirals = "spirals, mixed"

// everyFold returns all rows but each folds-th, and those.
func everyFold(d *format.Dataset, folds, fold int) (rest, held *format.Dataset) {
	var in, out []int
	for i := range d.Len() {
		if i%folds == fold {
			in = append(in, i)
		} else {
			out = append(out, i)
		}
	}
	of := &data{Dataset: d}
	return of.pick(out), of.pick(in)
}

// psvmTenfold is a complete run of ten folds of a method: accuracy and, where there are
// columns for them, the iteration chosen and the number of machines.
func (b *bench) psvmTenfold(ctx context.Context, s psvmSet, noise float64, seed int, columns []string, run fitting) (figures, error) {
	all, err := b.load(ctx, s.set)
	if err != nil {
		return nil, err
	}
	split, rows := foldOf, rand.New(rand.NewPCG(uint64(seed), 0)).Perm(all.Len())
	if s.name == "spirals" {
		split, rows = everyFold, order(0, all.Len())
	}
	d := all.pick(rows)
	if noise > 0 {
		d.Y = generate.Mislabel(d.Y, noise, uint64(seed))
	}
	folds := outerFolds
	if b.quick {
		folds = 2
	}
	sums := make([]float64, 3)
	for fold := range folds {
		rest, held := split(d, folds, fold)
		if s.name == "segment" && (columns[0] == "quadratic SVM" || noise > 0 && columns[0] == "linear SVM") {
			rest, held = standardise(rest, held)
		}
		m, err := run(ctx, b, rest, seed)
		if err != nil {
			return nil, err
		}
		wrong, err := b.errorRate(ctx, m, held)
		if err != nil {
			return nil, err
		}
		sums[0] += (100 - wrong) / float64(folds)
		machines := float64(m.CountMembers()) / float64(folds)
		switch len(columns) {
		case 2:
			sums[1] += machines
		case 3:
			sums[1] += float64(bestIteration(m)) / float64(folds)
			sums[2] += machines
		}
	}
	var f figures
	for k, column := range columns {
		f.add(s.name, column, sums[k])
	}
	return f, nil
}

// bestIteration returns the iteration that an ensemble is of, as its file says.
func bestIteration(m *models.Model) int {
	for _, p := range m.Provenance.Parameters {
		if p.Name == "best_iteration" {
			n, err := strconv.Atoi(p.Value)
			if err == nil {
				return n
			}
		}
	}
	panic("papertables: an ensemble without its iteration")
}
