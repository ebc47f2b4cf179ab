package train_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// classes returns rows of k classes, about each rows of every class, with a share of their
// features.
func classes(rng *rand.Rand, k, each, features int, share float64) *format.Dataset {
	d := &format.Dataset{}
	for range k * each {
		y := rng.IntN(k)
		x := vec.Vector{}
		for j := range int32(features) {
			if rng.Float64() < share {
				x.Index, x.Value = append(x.Index, j+1), append(x.Value, rng.NormFloat64()+float64(y*int(j)%3))
			}
		}
		d.Append(format.Instance{X: x, Y: float64(y), Weight: 1})
	}
	return d
}

// TestCalibrateSoon: pairs of few rows, whose machines take kernel values from one table and are
// computed one after the other, have the same sigmoids, coefficients and events as otherwise.
func TestCalibrateSoon(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 31))
	sets := map[string]*format.Dataset{
		"dense": classes(rng, 7, 5, 4, 1), "sparse": classes(rng, 5, 12, 300, 0.02), "one row a class": classes(rng, 12, 1, 3, 1),
		"more than a table has": classes(rng, 40, 30, 6, 1),
	}
	weighted := classes(rng, 6, 6, 4, 1)
	weighted.Weight = make([]float64, weighted.Len())
	for i := range weighted.Weight {
		weighted.Weight[i] = 0.5 + rng.Float64()
	}
	sets["weights"] = weighted
	nu := smo.DefaultNuSVC()
	nu.Nu = 0x1p-7
	for name, d := range sets {
		for at, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.25}, kernel.Linear{}, kernel.Poly{Degree: 3, Gamma: 0.5, Coef0: 1}, kernel.Sigmoid{Gamma: 0.125}} {
			if len(d.Y) > 1000 && at > 0 {
				continue
			}
			for which, solver := range []train.Solver{smo.DefaultCSVC(), smo.CSVC{C: 64, Options: smo.DefaultOptions()}, nu} {
				task := models.CSVC
				if which == 2 {
					task = models.NuSVC
				}
				for _, threads := range []int{1, 3} {
					var want string
					for _, soon := range []int{0, 20, 64} {
						got := func() string {
							defer train.FindSoon(soon)()
							var events []train.Event
							report := func(e train.Event) { events = append(events, e) }
							o := train.OneVsOne{Solver: solver, Kernel: k, Task: task, Probability: true, Report: report, Threads: threads}
							m, err := o.Train(context.Background(), d, train.NewRand(1))
							if err != nil {
								return err.Error()
							}
							var text bytes.Buffer
							if err := models.Write(&text, m); err != nil {
								t.Fatal(err)
							}
							return fmt.Sprintf("%+v\n%s", events, &text)
						}()
						if want == "" {
							want = got
						}
						if got != want {
							t.Errorf("%s, %T, solver %d, %d threads: other events or another model if pairs of up to %d rows are soon done", name, k, which, threads, soon)
						}
					}
				}
			}
		}
	}
}

// limited is a solver that reports a fault of each machine.
type limited struct{ smo.CSVC }

func (l limited) Solve(ctx context.Context, p *train.Problem) (*train.Solution, error) {
	p.Report.Send(train.IterationLimit{Iterations: len(p.Y)})
	return l.CSVC.Solve(ctx, p)
}

// TestBrief: Brief leaves out the events that say that all is well, and no others, and the model is
// the same.
func TestBrief(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 41))
	d := classes(rng, 6, 30, 3, 1)
	for _, probability := range []bool{false, true} {
		for _, threads := range []int{1, 2} {
			var texts [2]bytes.Buffer
			var kinds [2][]string
			for at, brief := range []bool{false, true} {
				assembled := 0
				o := train.OneVsOne{Solver: limited{smo.DefaultCSVC()}, Kernel: kernel.RBF{Gamma: 0.5}, Probability: probability, Threads: threads,
					Brief: brief, Weights: []train.ClassWeight{{Label: 77, Weight: 2}}}
				o.Report = func(e train.Event) {
					switch e.(type) {
					case train.Progress, train.GradientRebuilt, train.Solved, train.SlowShrinking:
						if brief {
							t.Errorf("told of %+v", e)
						}
						return
					case train.ModelAssembled:
						if assembled++; brief && assembled > 1 {
							t.Errorf("told of %+v, of a machine", e)
						}
						return
					}
					kinds[at] = append(kinds[at], fmt.Sprintf("%T", e))
					if e, is := e.(train.IterationLimit); is {
						kinds[at] = append(kinds[at], fmt.Sprint(e))
					}
				}
				m, err := o.Train(context.Background(), d, train.NewRand(1))
				if err != nil {
					t.Fatal(err)
				}
				if err := models.Write(&texts[at], m); err != nil {
					t.Fatal(err)
				}
				if assembled == 0 {
					t.Errorf("brief %v: no event of the model", brief)
				}
			}
			if texts[0].String() != texts[1].String() {
				t.Errorf("probability %v: another model", probability)
			}
			if !slices.Equal(kinds[0], kinds[1]) || !slices.Contains(kinds[0], "train.WeightUnused") || !slices.Contains(kinds[0], "train.IterationLimit") {
				t.Errorf("probability %v: events %v, of brief ones %v", probability, kinds[0], kinds[1])
			}
		}
	}
}

// raceEnabled is set by the race detector's build.
var raceEnabled bool

// TestSmallMachines: thousands of machines of few rows leave little memory in use.
func TestSmallMachines(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has pools drop what they are given")
	}
	const k = 60
	rng := rand.New(rand.NewPCG(5, 51))
	for name, d := range map[string]*format.Dataset{"dense": classes(rng, k, 4, 5, 1), "sparse": classes(rng, k, 4, 2000, 0.01), "larger": classes(rng, k, 25, 5, 1)} {
		for _, threads := range []int{1, 2} {
			o := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.25}, Probability: true, Brief: true, Threads: threads,
				Report: func(train.Event) {}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := o.Train(context.Background(), d, train.NewRand(1))
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			machines := 6 * len(m.Machines)
			// 3 MB for the model, the solver's memory and rows of some hundreds of kilobytes, and
			// what each machine leaves
			most := uint64(3<<20 + 250*machines)
			if bytes := after.TotalAlloc - before.TotalAlloc; bytes > most {
				t.Errorf("%s, %d threads: %d machines took %d bytes, want at most %d", name, threads, machines, bytes, most)
			} else {
				t.Logf("%s, %d threads: %d machines took %d bytes", name, threads, machines, bytes)
			}
		}
	}
}

// TestSmallPairs: each of thousands of pairs of few rows takes the memory of its machine, and nothing for its events.
func TestSmallPairs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has pools drop what they are given")
	}
	const k, each = 300, 2
	rng := rand.New(rand.NewPCG(6, 61))
	d := &format.Dataset{}
	for i := range k * each {
		x := vec.Vector{}
		for j := range int32(20) {
			x.Index, x.Value = append(x.Index, j+1), append(x.Value, rng.NormFloat64())
		}
		d.Append(format.Instance{X: x, Y: float64(i % k), Weight: 1})
	}
	for _, threads := range []int{1, 2} {
		o := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.05}, Brief: true, Threads: threads, Report: func(train.Event) {}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := o.Train(context.Background(), d, nil)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		machines := len(m.Machines)
		own := int(unsafe.Sizeof(models.Machine{})) + 2*each*8
		each := int(after.TotalAlloc-before.TotalAlloc-1<<20) / machines // a megabyte for what does not depend on their number
		if each > own {
			t.Errorf("%d threads: %d bytes for each of %d machines, of which its own are %d", threads, each, machines, own)
		}
	}
}
