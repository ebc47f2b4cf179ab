package lp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/internal/lp"
)

// A peer is another solver that may be installed: how it is called, and where its output has the
// objective.
type peer struct {
	name      string
	arguments func(mps, out string) []string
	objective *regexp.Regexp
	inFile    bool   // that is, in the file that it writes
	gaveUp    string // what it prints where it has not finished in peerSeconds
}

// peerSeconds is how long a solver may take, most of which need a hundredth of a second: with some
// roundings of a programme, glpsol goes in circles for ever.
const peerSeconds = "60"

var peers = []peer{
	{"glpsol", func(mps, out string) []string {
		return []string{"--freemps", mps, "--dual", "--tmlim", peerSeconds, "-o", out}
	}, regexp.MustCompile(`(?m)^Objective: +obj = ([-+0-9.eE]+)`), true, "TIME LIMIT EXCEEDED"},
	{"clp", func(mps, out string) []string {
		return []string{mps, "-seconds", peerSeconds, "-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-dualsimplex", "-solution", out}
	}, regexp.MustCompile(`Optimal objective ([-+0-9.eE]+)`), false, "Stopped on time"},
}

// solvers returns the peers that are installed.
func solvers(t *testing.T) (found []peer) {
	t.Helper()
	for _, p := range peers {
		if _, err := exec.LookPath(p.name); err == nil {
			found = append(found, p)
		} else if testenv.Required() {
			t.Fatalf("%s is not installed", p.name)
		} else {
			t.Logf("%s is not installed: not compared", p.name)
		}
	}
	if len(found) == 0 {
		t.Skip("neither glpsol (glpk-utils) nor clp (coinor-clp) is installed: nothing compared")
	}
	return found
}

// optimum returns the objective that a peer finds, NaN if it gives up.
func (p peer) optimum(t *testing.T, q *lp.Problem) float64 {
	t.Helper()
	dir := t.TempDir()
	mps, out := filepath.Join(dir, "p.mps"), filepath.Join(dir, "out")
	var b bytes.Buffer
	if err := q.WriteMPS(&b, "p"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mps, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(p.name, p.arguments(mps, out)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.name, err, text)
	}
	if bytes.Contains(text, []byte(p.gaveUp)) {
		return math.NaN()
	}
	if p.inFile {
		if text, err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	match := p.objective.FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s printed no objective:\n%s", p.name, text)
	}
	v, err := strconv.ParseFloat(string(match[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A shape makes random programmes of one kind.
type shape struct {
	name string
	make func(r *rand.Rand) *instance
}

// cloud returns m points whose labels follow a curved border, with some wrong labels.
func cloud(r *rand.Rand, m, s, dim int, nu float64) *instance {
	in := &instance{gamma: kernel.Exp(4*r.Float64() - 3)}
	for range m {
		x, sum := make([]float64, dim), 0.0
		for k := range x {
			x[k] = 4 * r.Float64()
			sum += math.Sin(2 * x[k])
		}
		d := 1.0
		if (sum < 0) != (r.IntN(10) == 0) {
			d = -1
		}
		in.x, in.d, in.cy = append(in.x, x), append(in.d, d), append(in.cy, nu)
	}
	in.c = in.x[:s]
	in.cv = slices.Repeat([]float64{1}, s)
	return in
}

var shapes = []shape{
	{"square", func(r *rand.Rand) *instance { m := 20 + r.IntN(100); return cloud(r, m, m, 2, 10) }},
	{"tall", func(r *rand.Rand) *instance { return cloud(r, 200+r.IntN(200), 5+r.IntN(20), 4, 1) }},
	{"wide", func(r *rand.Rand) *instance {
		in := cloud(r, 150, 150, 3, 5)
		in.x, in.d, in.cy = in.x[:40], in.d[:40], in.cy[:40]
		return in
	}},
	{"rank-deficient", func(r *rand.Rand) *instance { // a kernel that is nearly a polynomial
		m := 30 + r.IntN(60)
		in := cloud(r, m, m, 2, kernel.Exp(9*r.Float64()))
		in.gamma = 0.01
		return in
	}},
	{"duplicates", func(r *rand.Rand) *instance {
		in := cloud(r, 120, 120, 2, 3)
		for i := range in.x {
			in.x[i] = in.x[r.IntN(30)]
		}
		return in
	}},
	{"one class nearly empty", func(r *rand.Rand) *instance {
		in := cloud(r, 150, 80, 3, 100)
		in.gamma = 1
		for i := range in.d {
			in.d[i] = 1
		}
		for range 1 + r.IntN(3) {
			in.d[r.IntN(len(in.d))] = -1
		}
		return in
	}},
	{"one class", func(r *rand.Rand) *instance {
		in := cloud(r, 40, 40, 2, 2)
		for i := range in.d {
			in.d[i] = -1
		}
		return in
	}},
	{"on a grid", func(r *rand.Rand) *instance { // with many ties
		in := cloud(r, 144, 144, 2, 4)
		for i := range in.x {
			in.x[i] = []float64{float64(i % 12), float64(i / 12)}
			in.d[i] = float64(1 - 2*((i/3+i/36)%2))
		}
		return in
	}},
	{"costs of all sizes", func(r *rand.Rand) *instance {
		in := cloud(r, 100, 60, 3, 1)
		for i := range in.cy {
			in.cy[i] = kernel.Exp(8*r.Float64() - 4)
		}
		for j := range in.cv {
			in.cv[j] = kernel.Exp(6*r.Float64() - 3)
		}
		in.cy[0], in.cy[1] = 0, 0
		return in
	}},
	{"few rows", func(r *rand.Rand) *instance { m := 1 + r.IntN(4); return cloud(r, m, m, 1, 2) }},
}

// TestPeers: random programmes of all shapes have the optimum that other solvers find, and a sound
// certificate.
func TestPeers(t *testing.T) {
	found := solvers(t)
	late := map[string]int{}
	for _, s := range shapes {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s %d", s.name, seed), func(t *testing.T) {
				p := s.make(rand.New(rand.NewPCG(seed, 8))).problem()
				got := solve(t, p)
				verify(t, p, got)
				for _, peer := range found {
					// glpsol and clp stop at tolerances of 1e-7 and 1e-9, and print 9 or 10 digits
					switch want := peer.optimum(t, p); {
					case math.IsNaN(want):
						t.Logf("%s was stopped after %s seconds: not compared", peer.name, peerSeconds)
						late[peer.name]++
					case !(math.Abs(got.Primal-want) <= 1e-7*(1+math.Abs(want))):
						t.Errorf("objective %.12g, by %s %.12g", got.Primal, peer.name, want)
					}
				}
			})
		}
	}
	for name, n := range late {
		if n > 1 {
			t.Errorf("%s was stopped in %d programmes: more than one is no accident", name, n)
		}
	}
}

// verify recomputes what a solution claims.
func verify(t *testing.T, p *lp.Problem, s *lp.Solution) {
	t.Helper()
	m, n := p.A.Dims()
	primal, dual, violation := 0.0, 0.0, 0.0
	at := make([]float64, n)
	between, active := 0, 0
	for i := range m {
		row, ax := p.A.Row(i), 0.0
		for j, a := range row {
			ax += a * s.X[j]
			at[j] += a * s.T[i]
		}
		if y := math.Max(p.B[i]-ax, 0); !(math.Abs(y-s.Y[i]) <= 1e-9*(1+y)) {
			t.Errorf("y[%d] is %v, should be %v", i, s.Y[i], y)
		}
		primal += p.Cost[i] * s.Y[i]
		dual += p.B[i] * s.T[i]
		violation = max(violation, -s.T[i], s.T[i]-p.Cost[i])
		if s.T[i] != 0 && s.T[i] != p.Cost[i] {
			between++
		}
	}
	for j, x := range s.X {
		primal += max(p.Upper[j]*x, p.Lower[j]*x)
		violation = max(violation, at[j]-p.Upper[j], p.Lower[j]-at[j])
		if x != 0 {
			active++
		}
	}
	if !(math.Abs(primal-dual) <= 1e-9*(1+math.Abs(primal))) || !(violation <= 1e-9) {
		t.Errorf("objectives %.12g and %.12g, violation %.2g", primal, dual, violation)
	}
	// it is a vertex: there are as many t between their bounds as rows of the dual that hold with
	// equality; of these, some are hidden by x = 0, and others by t at a bound
	if active > n || between > n {
		t.Errorf("%d t between their bounds and %d x not 0, of %d", between, active, n)
	}
	if !(math.Abs(primal-s.Primal) <= 1e-9*(1+math.Abs(primal))) || !(math.Abs(dual-s.Dual) <= 1e-9*(1+math.Abs(dual))) {
		t.Errorf("the certificate says %.12g and %.12g, it is %.12g and %.12g", s.Primal, s.Dual, primal, dual)
	}
}

// TestCancelled: a solver stops when its context does.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := lp.Solve(ctx, cloud(rand.New(rand.NewPCG(1, 1)), 50, 50, 2, 1).problem()); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
