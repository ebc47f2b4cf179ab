package train

import (
	"fmt"
	"math"
	"math/bits"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// firstDraws are the numbers of a C program that never seeds rand(), by the specification.
var firstDraws = []int{1804289383, 846930886, 1681692777, 1714636915}

func TestRand(t *testing.T) {
	for _, seed := range []uint32{0, 1} {
		g := NewRand(seed)
		for i, want := range firstDraws {
			if got := g.Int(); got != want {
				t.Errorf("seed %d: draw %d is %d, want %d", seed, i, got, want)
			}
		}
	}
	if NewRand(2).Int() == firstDraws[0] {
		t.Error("seed 2 is seed 1")
	}
}

// TestRandFormula computes the stream by the formula, keeping all terms.
func TestRandFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint32Range(1, 1<<31-1).Draw(t, "seed")
		const draws = 2000
		r := make([]uint32, draws+344)
		r[0] = seed
		for i := 1; i <= 30; i++ {
			r[i] = uint32(16807 * uint64(r[i-1]) % (1<<31 - 1))
		}
		copy(r[31:34], r[:3])
		for i := 34; i < len(r); i++ {
			r[i] = r[i-31] + r[i-3]
		}
		g := NewRand(seed)
		for k := range draws {
			if got, want := g.Int(), int(r[k+344]>>1); got != want {
				t.Fatalf("seed %d: draw %d is %d, want %d", seed, k, got, want)
			}
		}
	})
}

// TestRandLong: the stream has no end, also where an int only counts to 2^31.
func TestRandLong(t *testing.T) {
	if bits.UintSize > 32 || testing.Short() {
		t.Skip("2^31 draws take some seconds, and are a matter of ints of 32 bits")
	}
	g := NewRand(1)
	g.Skip(math.MaxInt32)
	if before := *g; before == *NewRand(1) {
		t.Error("the stream began anew")
	}
	g.Shuffle(make([]int, 1000))
}

// TestRandOracle compares with rand() of the installed C library.
func TestRandOracle(t *testing.T) {
	unable := func(reason any) {
		t.Helper()
		testenv.SkipMissing(t, "not compared with rand() of the C library", fmt.Errorf("%v", reason))
	}
	program, source := filepath.Join(t.TempDir(), "rand"), filepath.Join("testdata", "rand.c")
	if err := testenv.TrackInputs(source); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-O1", "-o", program, source).CombinedOutput(); err != nil {
		unable(fmt.Sprintf("%v\n%s", err, out))
	}
	// the first process sets no seed, which is the same as 1
	seeds := []uint32{1, 1, 2, 0, 12345, 1<<31 - 1, 1 << 31, 1<<31 + 5, 1<<32 - 1}
	args := []string{"-"}
	for _, seed := range seeds[1:] {
		args = append(args, fmt.Sprint(seed))
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if lines[0] != "glibc" {
		unable("it is not the GNU C library")
	}
	if len(lines) != 1+len(seeds) {
		t.Fatalf("%d lines for %d seeds", len(lines)-1, len(seeds))
	}
	for k, line := range lines[1:] {
		g := NewRand(seeds[k])
		draws := strings.Fields(line)
		if len(draws) != 100_000 {
			t.Fatalf("%d draws", len(draws))
		}
		for i, want := range draws {
			if got := g.Int(); fmt.Sprint(got) != want {
				t.Fatalf("seed %s: draw %d is %d, want %s", args[k], i, got, want)
			}
		}
	}
}

// TestShuffle: item i changes places with item i + draw mod (n-i), with n draws in all, one for the
// last item included.
func TestShuffle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100).Draw(t, "n")
		seed := rapid.Uint32().Draw(t, "seed")
		items := make([]int, n)
		for i := range items {
			items[i] = 10 * i
		}
		want := slices.Clone(items)
		g, twin := NewRand(seed), NewRand(seed)
		g.Shuffle(items)
		for i := range n {
			k := twin.Int() % (n - i)
			want[i], want[i+k] = want[i+k], want[i]
		}
		if !slices.Equal(items, want) {
			t.Errorf("%v, want %v", items, want)
		}
		if *g != *twin {
			t.Errorf("shuffling %d items draws another number of times", n)
		}
		slices.Sort(items)
		for i, v := range items {
			if v != 10*i {
				t.Fatalf("%v is no permutation", items)
			}
		}
	})
}

// TestDraws: a task's stream is the one that it has after all tasks before it.
func TestDraws(t *testing.T) {
	const n = 3*drawsStep + 2
	d := draws{size: func(task int) int { return task * task % 7 }}
	d.note(NewRand(5), n)
	rng := NewRand(5)
	for task := range n {
		if got := d.of(task); got.Int() != clone(rng).Int() {
			t.Errorf("task %d has another stream", task)
		}
		rng.Skip(task * task % 7)
	}
	if len(d.every) > n/drawsStep+1 {
		t.Errorf("%d streams are kept for %d tasks", len(d.every), n)
	}
}

func clone(g *Rand) *Rand { c := *g; return &c }
