package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// oracle builds a program that computes functions of the C library. It skips the test if that
// library or the processor is not one with the same bits as ours. Without a C compiler it skips the
// test too, but fails under SLIMSVM_REQUIRE_ORACLES=1.
func oracle(t *testing.T, glibcMinor int) (program string) {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		testenv.SkipMissing(t, "needs a C compiler", err)
	}
	program = filepath.Join(t.TempDir(), "oracle")
	source := filepath.Join("testdata", "oracle.c")
	if err := testenv.TrackInputs(source); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-O2", "-o", program, source, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var library string
	var major, minor, fma int
	if _, err := fmt.Sscanf(string(out), "%s %d.%d fma %d", &library, &major, &minor, &fma); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if library != "glibc" || major != 2 || minor < glibcMinor || fma != 1 {
		t.Skipf("needs the GNU C library from 2.%d on and an x86-64 processor with fused multiply-add; here: %s", glibcMinor, bytes.TrimSpace(out))
	}
	return program
}

// ask returns f of every x by the C library.
func ask(t *testing.T, program, f string, x []float64) []float64 {
	t.Helper()
	in := make([]byte, 0, 8*len(x))
	for _, v := range x {
		in = binary.NativeEndian.AppendUint64(in, math.Float64bits(v))
	}
	cmd := exec.Command(program, f)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil || len(out) != len(in) {
		t.Fatalf("%s: %d bytes for %d, %v", f, len(out), len(in), err)
	}
	y := make([]float64, len(x))
	for i := range y {
		y[i] = math.Float64frombits(binary.NativeEndian.Uint64(out[8*i:]))
	}
	return y
}

// differences compares f with the C library's function of that name, bit by bit.
func differences(t *testing.T, program, name string, f func(float64) float64, x []float64) {
	t.Helper()
	want := ask(t, program, name, x)
	n := 0
	for i, v := range x {
		got := f(v)
		if math.Float64bits(got) == math.Float64bits(want[i]) || math.IsNaN(got) && math.IsNaN(want[i]) {
			continue
		}
		if n++; n <= 5 {
			t.Errorf("%s(%v) = %x, the C library's is %x", name, v, got, want[i])
		}
	}
	if n > 0 {
		t.Errorf("%s: %d of %d results differ", name, n, len(x))
	}
}

// arguments returns n random numbers between -limit and limit: spread evenly, by magnitude, and
// near multiples of step.
func arguments(n int, limit, step float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		sign := 1 - 2*float64(r.IntN(2))
		switch i % 4 {
		case 0:
			x[i] = limit * r.Float64()
		case 1:
			x[i] = limit * math.Exp2(-60*r.Float64())
		case 2:
			x[i] = min(20, limit) * r.Float64()
		case 3:
			m := math.Floor(r.Float64() * (limit/step - 1))
			x[i] = m*step + math.Exp2(-50*r.Float64())*step
		}
		x[i] *= sign
	}
	return x
}

func TestExpIsTheCLibrarys(t *testing.T) {
	program := oracle(t, 28)
	for part := range max(1, *million/2) {
		differences(t, program, "exp", Exp, arguments(2_000_000, 511.99, math.Ln2/256, uint64(part+1)))
	}
	far := make([]float64, 1_200_000)
	for part := range max(1, *million/2) {
		r := rand.New(rand.NewPCG(4, uint64(part)))
		for i := range far {
			from := [...]float64{-760, -708.5, 511.9}[i%3]
			to := [...]float64{-708, -511.9, 710}[i%3]
			far[i] = from + (to-from)*r.Float64()
		}
		differences(t, program, "exp", Exp, far)
	}
	differences(t, program, "exp", Exp, []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1,
		5e-324, -5e-324, 0x1p-54, -0x1p-54, math.Nextafter(512, 0), 512, math.Nextafter(-512, 0), -512, 710, 1e4, 1e300,
		-745.1332191019411, -745.1332191019412, -746, -800, -1e4, -1e300, math.MaxFloat64, -math.MaxFloat64,
		709.782712893384, 709.7827128933841, -708.3964185322641, -708.3964185322642})
}

// tanhArguments returns n random numbers near the borders between branches of tanh, with a random
// number of equal bits.
func tanhArguments(n int, seed uint64) []float64 {
	borders := []float64{0x1p-55, 0x1p-28, em1Near / 2, 1, 22}
	for k := range 63 { // where the nearest multiple of ln 2 changes
		borders = append(borders, (float64(k)+0.5)*math.Ln2/2)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	x := make([]float64, n)
	for i := range x {
		b := math.Float64bits(borders[r.IntN(len(borders))])
		away := uint64(math.Exp2(52 * r.Float64()))
		x[i] = math.Float64frombits([]uint64{b - away, b, b + away}[r.IntN(3)])
		x[i] = math.Copysign(x[i], r.Float64()-0.5)
	}
	return x
}

func TestTanhIsTheCLibrarys(t *testing.T) {
	program := oracle(t, 36)
	for part := range max(1, *million/4) {
		differences(t, program, "tanh", tanh, arguments(2_000_000, 23, math.Ln2/2, uint64(part+2)))
		differences(t, program, "tanh", tanh, tanhArguments(2_000_000, uint64(part+3)))
	}
	differences(t, program, "tanh", tanh, []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324,
		1e-300, 0x1p-55, -0x1p-55, math.Nextafter(0x1p-55, 0), 0x1p-28, 1, -1, math.Nextafter(1, 0), 22, math.Nextafter(22, 0), -22, 40, 1e300, -1e300})
}

func TestLogIsTheCLibrarys(t *testing.T) {
	program := oracle(t, 28)
	r := rand.New(rand.NewPCG(3, 1))
	x := make([]float64, 2_000_000)
	for part := range max(1, *million/2) {
		for i := range x {
			switch (i + part) % 5 {
			case 0: // any positive number
				x[i] = math.Float64frombits(r.Uint64N(math.Float64bits(math.Inf(1))))
			case 1: // typical for the fit of a sigmoid
				x[i] = 1 + r.Float64()
			case 2: // typical for the fit where it is sure of a row
				x[i] = 1 + math.Exp2(-54*r.Float64())
			case 3: // around 1, and where the range of the polynomial for it ends
				x[i] = 0.9 + 0.2*r.Float64()
			case 4: // where intervals of the table meet
				x[i] = math.Float64frombits(logFirst + r.Uint64N(256)<<45 + r.Uint64N(9) - 4)
			}
		}
		differences(t, program, "log", Log, x)
	}
	x = x[:0]
	for _, v := range []float64{0, 1, 2, math.E, 0x1p-1022, 0x1p-1074, math.MaxFloat64, math.Inf(1), -1, math.NaN(),
		math.Float64frombits(logNearFrom), math.Float64frombits(logNearTo), 0.6875, 1.375} {
		x = append(x, v, math.Nextafter(v, math.Inf(-1)), math.Nextafter(v, math.Inf(1)), -v)
	}
	differences(t, program, "log", Log, x)
}
