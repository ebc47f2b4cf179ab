package mkc

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/internal/onenorm"
	"github.com/slimsvm/slimsvm/train/internal/team"
)

// readData reads a data set in LIBSVM's format.
func readData(t testing.TB, file string) (x vec.Matrix, y []float64) {
	t.Helper()
	in, err := format.Open(testenv.Shared(t, "data", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		words := strings.Fields(s.Text())
		y = append(y, number(words[0]))
		var v vec.Vector
		for _, w := range words[1:] {
			i, value, _ := strings.Cut(w, ":")
			v.Index, v.Value = append(v.Index, int32(number(i))), append(v.Value, number(value))
		}
		x.Append(v)
	}
	if x.Len() == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return x, y
}

// An instance is a programme with its costs.
type instance struct {
	x, c   vec.Matrix
	d      []float64
	k      kernel.Kernel
	cy, cv []float64
}

func (in *instance) setCosts(nu float64) *instance {
	for range in.d {
		in.cy = append(in.cy, nu)
	}
	for range in.c.Len() {
		in.cv = append(in.cv, 1)
	}
	return in
}

// usps8 returns the stored programme of that name, of pixels with three decimals.
func usps8(t testing.TB) *instance {
	x, y := readData(t, "usps/usps.libsvm.zst")
	text, err := os.ReadFile(testenv.Shared(t, "golden", "lp", "usps8-centres.txt"))
	if err != nil {
		t.Fatal(err)
	}
	in := &instance{x: x, k: kernel.RBF{Gamma: 1.0 / 128}}
	for _, label := range y {
		d := -1.0
		if label == 9 {
			d = 1
		}
		in.d = append(in.d, d)
	}
	var centres []int
	for _, word := range strings.Fields(string(text)) {
		i, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		centres = append(centres, i-1)
	}
	in.c = x.Select(centres)
	return in.setCosts(12)
}

// mushroom returns a programme with every 20th row as a centre.
func mushroom(t testing.TB) *instance {
	x, y := readData(t, "mushroom/mushroom.codes22.libsvm.zst")
	in := &instance{x: x, k: kernel.RBF{Gamma: 0.01}}
	for _, label := range y {
		d := -1.0
		if label == y[0] {
			d = 1
		}
		in.d = append(in.d, d)
	}
	var centres []int
	for i := 0; len(centres) < 400; i += 20 {
		centres = append(centres, i)
	}
	in.c = x.Select(centres)
	return in.setCosts(10)
}

// square returns a programme with all of n points on a board as centres.
func square(t testing.TB, n int) *instance {
	set, ok := generate.Lookup("checkerboard")
	if !ok {
		t.Fatal("no checkerboard")
	}
	d := set.Generate(n, 1)
	return (&instance{x: d.X, c: d.X, d: d.Y, k: kernel.RBF{Gamma: 6.0 / 2500}}).setCosts(10)
}

func (in *instance) programme(t testing.TB, ctx context.Context, keep int) *onenorm.Programme {
	p, err := onenorm.New(ctx, in.k, &in.x, in.d, &in.c, keep)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestUSPS: the stored optimum of 7291 rows by 100 centres, with its counts.
func TestUSPS(t *testing.T) {
	in := usps8(t)
	ctx := context.Background()
	sol, err := in.programme(t, ctx, 1<<28).Solve(ctx, in.cy, in.cv)
	if err != nil {
		t.Fatal(err)
	}
	const want = 3859.44676101
	count := func(is []bool) (n int) {
		for _, is := range is {
			if is {
				n++
			}
		}
		return n
	}
	missed := make([]bool, len(sol.Y))
	for i, y := range sol.Y {
		missed[i] = y > 1e-7*slices.Max(sol.Y)
	}
	if u, tt, y := count(sol.Vectors), count(sol.Rows), count(missed); !(math.Abs(sol.Objective-want) <= 1e-9*want) || u != 78 || tt != 365 || y != 286 {
		t.Errorf("objective %.12g, %d u, %d t, %d y; want %v, 78, 365, 286", sol.Objective, u, tt, y, want)
	}
}

// BenchmarkProgramme measures one linear programme, kernel included.
func BenchmarkProgramme(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(testing.TB) *instance
		keep int
	}{
		{"checkerboard 1000x1000", func(t testing.TB) *instance { return square(t, 1000) }, 1 << 30},
		{"usps 7291x100", usps8, 1 << 30},
		{"mushroom 8124x400", mushroom, 1 << 30},
		{"checkerboard 4000x4000, kept 64 MB", func(t testing.TB) *instance { return square(t, 4000) }, 1 << 23},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s threads %d", c.name, threads), func(b *testing.B) {
				in := c.make(b)
				ctx, stop := team.With(context.Background(), threads)
				defer stop()
				pivots := 0
				for b.Loop() {
					sol, err := in.programme(b, ctx, c.keep).Solve(ctx, in.cy, in.cv)
					if err != nil {
						b.Fatal(err)
					}
					pivots = sol.Pivots
				}
				b.ReportMetric(float64(pivots), "pivots")
			})
		}
	}
}

// BenchmarkLinearisation reports the time of the first programme of the minimal kernel algorithm,
// and the longest and the mean of the others, which begin with the last basis.
func BenchmarkLinearisation(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(testing.TB) *instance
	}{
		{"checkerboard", func(t testing.TB) *instance { return square(t, 1000) }},
		{"usps", usps8},
		{"mushroom", mushroom},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := c.make(b)
			ctx := context.Background()
			var first, longest, later time.Duration
			steps := 0
			for b.Loop() {
				s := Default()
				run := &linearisation{solver: s, lps: in.programme(b, ctx, 1<<30), weight: in.cy, points: in.c.Len()}
				for !run.finished {
					start := time.Now()
					if err := run.step(ctx); err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); len(run.pivots) == 1 {
						first += took
					} else {
						later += took
						longest = max(longest, took)
						steps++
					}
				}
			}
			b.ReportMetric(first.Seconds()*1e3/float64(b.N), "first-ms")
			b.ReportMetric(longest.Seconds()*1e3, "longest-later-ms")
			b.ReportMetric(later.Seconds()*1e3/float64(steps), "mean-later-ms")
		})
	}
}

// TestUnscaledSpam: with features that are not scaled, most values of the kernel are nearly 0, and
// many rows are the same. Steps must not go in circles among these until the programme counts as
// not solvable.
func TestUnscaledSpam(t *testing.T) {
	if os.Getenv("SLIMSVM_LIVE") != "full" {
		t.Skip("takes half a minute; SLIMSVM_LIVE=full")
	}
	x, y := readData(t, "spambase/spambase.libsvm.zst")
	s := Default()
	s.Programmes = 1
	r, err := s.Classify(t.Context(), &train.Problem{X: x, Y: y, Kernel: kernel.RBF{Gamma: 1. / 57}})
	if err != nil {
		t.Fatal(err)
	}
	if most := 2 * (x.Len() + ColumnsOf(x.Len())); r.Pivots[0] > most {
		t.Errorf("%d pivots, want %d at most", r.Pivots[0], most)
	}
}
