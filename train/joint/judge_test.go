package joint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestGains: a gain counts if it is more than the given number of standard deviations of the
// difference. Rows that both answer wrongly do not count.
func TestGains(t *testing.T) {
	for _, c := range []struct {
		mended, spoilt, both int
		deviations           float64
		want                 bool
	}{
		{0, 0, 5, 0, false},
		{1, 0, 0, 0.5, true}, // 1 of 1
		{1, 0, 90, 0.5, true},
		{1, 1, 0, 0, false},
		{6, 3, 0, 0.5, true}, // 3, deviation 3
		{6, 3, 0, 1, false},
		{9, 1, 0, 2, true}, // 8, deviation 3.2
		{9, 1, 0, 3, false},
		{8, 2, 40, 2, false}, // 6, deviation 3.2
	} {
		var before, after judgement
		for kind, n := range []int{c.mended, c.spoilt, c.both} {
			for range n {
				wrong := [][2]float64{{1, 0}, {0, 1}, {1, 1}}[kind]
				before.wrong, after.wrong = append(before.wrong, wrong[0]), append(after.wrong, wrong[1])
			}
		}
		if got := after.gains(before, c.deviations); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if a, b := (judgement{doubt: 2}), (judgement{doubt: 3}); !a.gains(b, 9) || b.gains(a, 0) {
		t.Error("of regressions the smaller loss counts")
	}
}

// TestWins: another width is taken if it gains more than chance might, of a regression too, and is
// better than the best so far.
func TestWins(t *testing.T) {
	losses := func(all ...float64) (j judgement) {
		for _, v := range all {
			j.losses, j.doubt = append(j.losses, v), j.doubt+v
		}
		return j
	}
	given := losses(5, 5, 5, 5, 5, 5)
	for _, c := range []struct {
		now, best judgement
		want      bool
	}{
		{losses(4, 4, 4, 4, 4, 4), given, true},                     // 6, deviation 2.4
		{losses(4, 4, 4, 6, 4, 4), given, false},                    // 4, deviation 2.4: less than two
		{losses(0, 5, 5, 5, 5, 5), given, false},                    // one row
		{losses(4, 4, 4, 4, 4, 4), losses(3, 3, 3, 4, 4, 4), false}, // not the best
		{losses(6, 6, 6, 6, 6, 6), losses(9, 9, 9, 9, 9, 9), false}, // a loss
		{losses(4, 4, 4, 4, 4, 4), losses(4, 4, 4, 5, 5, 5), true},  // the best
	} {
		if got := (&search{own: 400}).wins(c.now, given, c.best); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestDeviations: few rows have to gain more.
func TestDeviations(t *testing.T) {
	for rows, want := range map[int]float64{1: 2, 500: 2, 800: 1.25, 1000: 1, 2000: 0.5, 50000: 0.5} {
		if got := deviations(rows); got != want {
			t.Errorf("%d rows: %v, want %v", rows, got, want)
		}
	}
}

// TestBestOf: of several choices, the one with the fewest errors on the way is taken, for as many
// iterations as it then had made, if that gains enough over the best start; else the vectors of that
// start stay. curves are the losses of a regression: of the start, then look by look.
func TestBestOf(t *testing.T) {
	for _, c := range []struct {
		curves             [][]float64
		choice, iterations int
	}{
		{[][]float64{{9, 5, 3, 4, 4}}, 0, 2 * lookEvery},
		{[][]float64{{9, 2, 3, 4, 4}}, 0, lookEvery},
		{[][]float64{{9, 5, 4, 3, 2}}, 0, 4 * lookEvery},
		{[][]float64{{9, 5, 3, 3}}, 0, 2 * lookEvery}, // of equally good looks the first
		{[][]float64{{9, 5, 3, 4}, {8, 7, 7, 2}, {7, 6}}, 1, 3 * lookEvery},
		{[][]float64{{9, 5, 3, 4}, {2}}, 1, 0}, // the start is better than all looks
		{[][]float64{{4, 5, 6}, {3, 4, 4}}, 1, 0},
	} {
		var curves []trial
		all := make([]choice, len(c.curves))
		for k, losses := range c.curves {
			all[k].start = k
			var curve []judgement
			for _, loss := range losses {
				curve = append(curve, judgement{doubt: loss})
			}
			curves = append(curves, trial{curve: curve})
		}
		if got := (&search{own: 5000}).bestOf(all, curves); got.start != c.choice || got.iterations != c.iterations {
			t.Errorf("%v: choice %d, %d iterations, want %d, %d", c.curves, got.start, got.iterations, c.choice, c.iterations)
		}
	}
}

// TestStays: vectors stay where they are if nothing can be gained, as on the rows of waveform.
func TestStays(t *testing.T) {
	g, ok := generate.Lookup("waveform")
	if !ok {
		t.Fatal("no data set waveform")
	}
	d := g.Generate(300, 1)
	c := small(nil)
	c.Kernel, c.Vectors, c.Cost, c.Evaluations, c.Starts = kernel.RBF{Gamma: 0.002}, 5, 1, 60, []Basis{KMeans{}}
	text := func() string {
		m, err := c.Train(t.Context(), d, train.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(m.Vectors, m.Machines[0].Coef)
	}
	moved := text()
	if c.Evaluations = 0; moved != text() {
		t.Error("vectors have moved")
	}
}

// TestJudge: rows count by their weights: wrong answers, and the doubt of all rows, which is 1 for an
// answer wrong by the margin, 0 for one right by the margin and linear between.
func TestJudge(t *testing.T) {
	const rows, inputs, vectors, gamma = 2*chunkRows + 5, 2, 4, 0.3
	for _, c := range []struct {
		loss    Loss
		outputs int
		margin  float64 // of the difference of two outputs
	}{{SquaredHinge, 1, 1}, {SquaredHinge, 3, 2}, {Multiclass, 3, 1}} {
		o, p := random(t, kernel.RBF{Gamma: gamma}, c.loss, rows, inputs, vectors, c.outputs)
		r := rand.New(rand.NewPCG(1, 2))
		var x vec.Matrix
		var all []int
		y, weight := make([]target, rows), make([]float64, rows)
		wrong, doubt := 0.0, 0.0
		for i := range rows {
			at := []float64{r.NormFloat64(), r.NormFloat64()}
			x.Append(vec.Vector{Index: []int32{1, 2}, Value: at})
			all = append(all, i)
			y[i].class, weight[i] = r.IntN(max(2, c.outputs)), r.ExpFloat64()
			f := make([]float64, c.outputs, c.outputs+1)
			for l := range f {
				f[l] = -p.rho[l]
				for j := range vectors {
					a, b := at[0]-p.z[j*inputs], at[1]-p.z[j*inputs+1]
					f[l] += p.b[j*c.outputs+l] * math.Exp(-gamma*(a*a+b*b))
				}
			}
			if c.outputs == 1 {
				f = append(f, 0)
			}
			best := math.Inf(-1) // of the other classes
			for l, v := range f {
				if l != y[i].class {
					best = max(best, v)
				}
			}
			ahead := f[y[i].class] - best
			if ahead < 0 {
				wrong += weight[i]
			}
			doubt += weight[i] * min(1, max(0, (1-ahead/c.margin)/2))
		}
		o.chunks = newChunks(&x, all, inputs, o.vectors, y, weight)
		s := &search{Trainer: Default()}
		j := s.judge(t.Context(), o, &candidate{point: *p, loss: c.loss})
		if len(j.wrong) != rows || !(math.Abs(j.errors()-wrong) <= 1e-9*wrong) || !(math.Abs(j.doubt-doubt) <= 1e-9*doubt) {
			t.Errorf("%s, %d outputs: wrong %v, doubt %v, want %v and %v", c.loss, c.outputs, j.errors(), j.doubt, wrong, doubt)
		}
	}
}

// polite is a loss that yields the processor to other threads.
type polite struct{}

func (polite) of([]float64, target) float64 {
	for range 20 {
		runtime.Gosched()
	}
	return 1
}

// TestManyJudges: no more threads work on a judgement than scratch has room for, however many there
// are. With one more, they would wait for each other for ever.
func TestManyJudges(t *testing.T) {
	o, p := random(t, kernel.RBF{Gamma: 0.4}, Squared, 40*chunkRows, 2, 3, 1)
	o.loss = polite{}
	o.scratch = make(chan *scratch, 100)
	ctx, end := team.With(t.Context(), 64)
	defer end()
	s := &search{Trainer: Default()}
	s.Task = models.EpsilonSVR
	if j := s.judge(ctx, o, &candidate{point: *p}); j.doubt == 0 {
		t.Error("no judgement")
	}
	if n := len(o.scratch); n > strips {
		t.Errorf("%d threads were at work, %d have room", n, strips)
	}
}
