package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/slimsvm/slimsvm/train/cs"
)

// csSizes and csNu are the paper's stages for USPS.
var (
	csSizes = []int{500, 1000, 2000, 4000}
	csNu    = []float64{1.4, 1.6, 3, 6, 12}
)

const (
	csFinal = "7291/2007, 100, NLP"
	csTried = "the same, nu by the test rows"
	csDrawn = "the same, split drawn by the seed"
)

// uspsChain returns the chain of a seed.
func (b *bench) uspsChain(ctx context.Context, seed int) (*chain, error) {
	return keep(b, fmt.Sprint("chain", seed), func() (*chain, error) {
		d, err := b.load(ctx, usps)
		if err != nil {
			return nil, err
		}
		return b.chainOf(ctx, of8(d.Dataset, eight), csSizes, csNu, seed)
	})
}

// csJob appends a job on a chain.
func (t *table) csJob(name string, of func(b *bench, ctx context.Context, seed int) (*chain, error), rows []string, run func(ctx context.Context, c *chain, f *figures) error) {
	t.job(name, []*set{usps}, rows, func(ctx context.Context, b *bench, seed int) (f figures, err error) {
		c, err := of(b, ctx, seed)
		if err != nil {
			return nil, err
		}
		err = run(ctx, c, &f)
		return f, err
	})
}

const csUSPSAbout = `Digit 8 against the rest, raw pixels, kernel exp(-|x-y|^2/128). Samples are drawn from all 9298 rows, as many rows to
train as to test, with the classes in their shares; a figure of a seed is the mean of 10 draws (p = 10), the spread that of the
seeds. nu 1.4, 1.6, 3, 6, 12 as published, alpha 1.25, t = 10; a weight of step (c) is bounded by the coefficient that step (b)
gives the point where it begins. As in the paper the approximations begin at the points that do best on test rows, and the points
of the last rows have seen test rows. Of these rows the first has the official split and the nu published; the second the nu from
3 to 96, in steps of the root of 2 (steps of 2 had given 98.11 and 270 SVs), that does best on the test rows, the smallest of equals, which is how the paper says that it chose; the third nu 12 and a split drawn
by the seed. The official test rows are harder than the others: each of the 20 classifiers of the first two loses between
training and test, at least 0.51 points, 0.87 on average, those of drawn splits 0.02 on average (-0.45 to 0.33). The paper's loses 0.02. It says that the
split is that of an earlier work, which had the official one; by its figures the rows were drawn. So all three are beside it.
Correctness in per cent, rows with a multiplier (SVs), points with a coefficient.`

// csUSPSTable is the paper's Table 1.
func csUSPSTable() table {
	t := table{
		name: "cs/usps", title: "Chunking-synthetic classifiers: USPS", source: gonzalez + ", Table 1", protocol: paper,
		about: csUSPSAbout, corner: "rows, points allowed, source", columns: csColumns, digits: csDigits, splits: 10, version: 3,
		paper: map[cell]float64{},
	}
	nlp := func(stage, allowed int, training, svs, testing float64) string {
		row := sizedRow(csSizes[stage], allowed, "NLP")
		csRow(t.paper, row, training, svs, testing, 0)
		return row
	}
	first, second, third, wide, fourth := nlp(0, 10, 98.24, 48, 96.04), nlp(1, 10, 98.38, 69, 97.77),
		nlp(2, 10, 97.99, 128, 97.77), nlp(2, 100, 98.42, 121, 98.17), nlp(3, 10, 97.92, 231, 97.83)
	few, all, twice := sizedRow(2000, 10, "training set"), sizedRow(2000, 2000, "training set"), sizedRow(4000, 20, "NLP")
	csRow(t.paper, few, 95.52, 240, 95.13, 0)
	csRow(t.paper, all, 99.87, 131, 98.37, 120.7)
	csRow(t.paper, twice, 98.42, 195, 98.33, 0)
	csRow(t.paper, csFinal, 98.30, 389, 98.28, 28)
	csRow(t.paper, csTried, 98.30, 389, 98.28, 28)
	csRow(t.paper, csDrawn, 98.30, 389, 98.28, 28)
	t.rows = []string{first, second, third, few, wide, all, fourth, twice, csFinal, csTried, csDrawn}
	t.csJob("stages", (*bench).uspsChain, []string{first, second, third, wide, fourth}, func(ctx context.Context, c *chain, f *figures) error {
		for stage, row := range []string{first, second, third, fourth} {
			c.step(stage, 'd').put(f, row)
		}
		c.step(2, 'b').put(f, wide)
		return nil
	})
	t.csJob("training set", (*bench).uspsChain, []string{few, all}, func(ctx context.Context, c *chain, f *figures) error {
		small, whole, err := c.largest(ctx, 2, c.settings.Runs)
		if err == nil {
			small.put(f, few)
			whole.put(f, all)
		}
		return err
	})
	t.csJob("alternate", (*bench).uspsChain, []string{twice}, func(ctx context.Context, c *chain, f *figures) error {
		m, err := c.alternate(ctx, 3)
		m.put(f, twice)
		return err
	})
	t.job("all rows", []*set{usps}, []string{csFinal, csTried, csDrawn}, func(ctx context.Context, b *bench, seed int) (f figures, err error) {
		c, err := b.uspsChain(ctx, seed)
		if err != nil {
			return nil, err
		}
		d, err := b.load(ctx, usps)
		if err != nil {
			return nil, err
		}
		centres, _ := cs.Coordinate(c.stages[3].Outcomes[0])
		drawn := rand.New(rand.NewPCG(uint64(seed), 5)).Perm(d.Len())
		for _, last := range []struct {
			row  string
			rows []int
			nu   []float64
		}{
			{csFinal, order(0, d.Len()), csNu[4:]},
			{csTried, order(0, d.Len()), []float64{3, 4.2, 6, 8.5, 12, 17, 24, 34, 48, 68, 96}},
			{csDrawn, drawn, csNu[4:]},
		} {
			var best *cs.Result
			for _, nu := range last.nu {
				r, err := cs.Classify(ctx, c.p, last.rows[:d.cut], centres, nu, c.settings.Steps, last.rows[d.cut:])
				if err != nil {
					return nil, err
				}
				if best == nil || r.HeldRight > best.HeldRight {
					best = r
				}
			}
			var m csMean
			m.add(&best.Metrics)
			m.put(&f, last.row)
		}
		return f, nil
	})
	return t
}

// csTextTable has the figures of the paper's text.
func csTextTable() table {
	t := table{
		name: "cs/usps-text", title: "Chunking-synthetic classifiers: USPS, figures of the text", source: gonzalez + ", section 3", protocol: paper,
		about: `As the table before. Steps: (b) classifies over the points given, (c) approximates, (d) classifies over the points of the
approximation. "largest" classifies over the ten points of the largest coefficients of the programme over the sample itself,
"random" over so many rows of the sample, "no box" leaves the bounds of step (c) out.`,
		corner: "", columns: csColumns, digits: csDigits, splits: 10, version: 2, paper: map[cell]float64{},
	}
	row := func(name string, training, svs, testing, points float64) string {
		csRow(t.paper, name, training, svs, testing, points)
		t.rows = append(t.rows, name)
		return name
	}
	steps := []struct {
		stage int
		step  byte
		row   string
	}{
		{0, 'b', row("500, step b", 98.94, 60.5, 96.16, 33.8)},
		{0, 'c', row("500, step c", 92.28, 0, 92.44, 0)},
		{0, 'd', row("500, step d", 98.24, 48.4, 96.04, 0)},
		{1, 'b', row("1000, step b", 98.78, 71.9, 98.02, 19.6)},
		{1, 'd', row("1000, step d", 98.38, 69.2, 97.77, 0)},
		{2, 'b', row("2000, step b", 98.42, 0, 98.17, 24)},
		{3, 'b', row("4000, step b", 98.18, 229.9, 98.03, 16.6)},
		{3, 'd', row("4000, step d", 97.92, 230.7, 97.83, 0)},
	}
	var names []string
	for _, s := range steps {
		names = append(names, s.row)
	}
	t.csJob("stages", (*bench).uspsChain, names, func(ctx context.Context, c *chain, f *figures) error {
		for _, s := range steps {
			c.step(s.stage, s.step).put(f, s.row)
		}
		return nil
	})
	free, freeD := row("500, step c, no box", 98.10, 0, 95.84, 0), row("500, step d, no box", 0, 0, 0, 0)
	t.csJob("no box", (*bench).uspsChain, []string{free, freeD}, func(ctx context.Context, c *chain, f *figures) error {
		var step, again csMean
		for run := range c.settings.Runs {
			task := c.task(0, run)
			task.Box = 0
			o, err := task.Do(ctx, c.p, nil)
			if err != nil {
				return err
			}
			step.add(&o.C.Metrics)
			again.add(&o.D.Metrics)
		}
		step.put(f, free)
		again.put(f, freeD)
		return nil
	})
	largest := []string{row("500, 10 largest", 96.8, 64.8, 95, 0), row("1000, 10 largest", 95.91, 0, 95.36, 0)}
	whole := row("1000, standard 1-norm", 99.29, 83.3, 97.95, 52.9)
	t.csJob("training set", (*bench).uspsChain, append(largest, whole), func(ctx context.Context, c *chain, f *figures) error {
		for stage, name := range largest {
			small, all, err := c.largest(ctx, stage, c.settings.Runs)
			if err != nil {
				return err
			}
			small.put(f, name)
			if stage == 1 {
				all.put(f, whole)
			}
		}
		return nil
	})
	random := map[int]string{100: row("2000, 100 random", 0, 0, 97.6, 0), 10: row("2000, 10 random", 0, 0, 0, 0)}
	t.csJob("random", (*bench).uspsChain, []string{random[100], random[10]}, func(ctx context.Context, c *chain, f *figures) error {
		for _, n := range []int{100, 10} {
			m, err := c.classify(ctx, 2, c.settings.Runs, c.random(n))
			if err != nil {
				return err
			}
			m.put(f, random[n])
		}
		return nil
	})
	twice := row("2000, alternate, step d", 98.22, 123.6, 97.93, 0)
	t.csJob("alternate", (*bench).uspsChain, []string{twice}, func(ctx context.Context, c *chain, f *figures) error {
		m, err := c.alternate(ctx, 2)
		m.put(f, twice)
		return err
	})
	return t
}

// csStandardTable is the programmes that the paper could not solve.
func csStandardTable() table {
	const four, all = "4000/4000, 4000", "7291/2007, 7291"
	t := table{
		name: "cs/standard", title: "Chunking-synthetic classifiers: standard programmes of USPS", source: gonzalez + ", section 3", protocol: paper,
		about: `Digit 8 against the rest: the 1-norm programme whose points are all rows that it learns from. The paper's solver had not
enough memory for that of 4000 rows, and was not tried on all 7291. nu 6 and 12; one draw a seed of 4000 rows, the official
split of all.`,
		corner: "rows, points allowed", rows: []string{four, all}, columns: append([]string{"pivots", "CPU seconds"}, csColumns...), digits: map[string]int{"pivots": 0}, splits: 3, version: 2,
	}
	for k, v := range csDigits {
		t.digits[k] = v
	}
	solve := func(ctx context.Context, c *chain, rows, held []int, nu float64, row string) (f figures, err error) {
		steps := c.settings.Steps
		steps.MatrixMB = 1000
		begin := cpuSeconds()
		r, err := cs.Classify(ctx, c.p, rows, c.rowsAs(rows), nu, steps, held)
		if err != nil {
			return nil, err
		}
		var m csMean
		m.add(&r.Metrics)
		f.add(row, "pivots", float64(r.Pivots))
		f.add(row, "CPU seconds", tenths(cpuSeconds()-begin))
		m.put(&f, row)
		return f, nil
	}
	t.job("4000", []*set{usps}, []string{four}, func(ctx context.Context, b *bench, seed int) (f figures, err error) {
		d, err := b.load(ctx, usps)
		if err != nil {
			return nil, err
		}
		task := &cs.Task{Stage: 3, Seed: uint64(seed), Rows: 4000, HeldOut: 4000, Nu: csNu[3]}
		if b.quick {
			task.Rows, task.HeldOut = d.Len()/3, d.Len()/3
		}
		c := &chain{p: of8(d.Dataset, eight), settings: cs.Default()}
		rows, held := task.Sample(c.p)
		return solve(ctx, c, rows, held, task.Nu, four)
	})
	t.job("7291", []*set{usps}, []string{all}, func(ctx context.Context, b *bench, seed int) (f figures, err error) {
		if seed > 1 {
			return nil, nil // there is one split
		}
		d, err := b.load(ctx, usps)
		if err != nil {
			return nil, err
		}
		c := &chain{p: of8(d.Dataset, eight), settings: cs.Default()}
		return solve(ctx, c, order(0, d.cut), order(d.cut, d.Len()), csNu[4], all)
	})
	return t
}
