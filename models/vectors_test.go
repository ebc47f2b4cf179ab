package models_test

import (
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestLongLine: a line that is too long, which takes a gigabyte in reality, is reported with its
// number.
func TestLongLine(t *testing.T) {
	text := "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 30000\nrho 0\nSV\n" + strings.Repeat("1 1:1\n", 20000) + "1"
	in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(textscan.ErrLongLine))
	_, err := models.ReadParts(in, 2, 4<<10)
	if want := "20007: " + textscan.ErrLongLine.Error(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestParts: however many goroutines read parts of whatever size, a text yields the same model or
// the same fault.
func TestParts(t *testing.T) {
	texts := soundSeeds(t)
	parted, faults := 0, 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		for _, text := range texts {
			text = spoil(r, text)
			want, wantErr := models.ReadParts(strings.NewReader(text), 1, 1)
			workers, size := 2+r.IntN(4), 1+r.IntN(1+len(text)/40)
			var in io.Reader = strings.NewReader(text)
			if r.IntN(4) == 0 {
				in = iotest.HalfReader(in)
			}
			got, err := models.ReadParts(in, workers, size)
			if wantErr != nil {
				faults++
				if err == nil || err.Error() != wantErr.Error() {
					t.Fatalf("%d goroutines, size %d: error %v, want %v, in\n%s", workers, size, err, wantErr, text)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%d goroutines, size %d: %v in\n%s", workers, size, err, text)
			}
			if fault := difference(got, want); fault != "" {
				t.Fatalf("%d goroutines, size %d: %s", workers, size, fault)
			}
			for i := range want.Vectors.Len() {
				if g, w := got.Vectors.Row(i), want.Vectors.Row(i); !slices.Equal(g.Value, w.Value) || got.Vectors.SquaredNorm(i) != want.Vectors.SquaredNorm(i) {
					t.Fatalf("%d goroutines, size %d: vector %d is %v, want %v", workers, size, i+1, g, w)
				}
			}
			if want.Vectors.Len() > 8 {
				parted++
			}
		}
	}
	if parted < 50 || faults < 50 {
		t.Errorf("%d models in parts, %d faults", parted, faults)
	}
}

// spoil returns a text, mostly with something wrong in it.
func spoil(r *rand.Rand, text string) string {
	at, some := r.IntN(len(text)+1), []string{"\n", "x", " 3:", "\n\n", "1:1e999 ", "\nslimsvm inputs\nthese\n"}
	switch r.IntN(5) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + some[r.IntN(len(some))] + text[at:]
	case 2:
		return text[:at] + text[min(at+1+r.IntN(30), len(text)):]
	case 3:
		return text + some[r.IntN(len(some))]
	}
	return text
}

// large returns a model of four classes whose text has some megabytes.
func large(vectors int) *models.Model {
	r := rand.New(rand.NewPCG(1, 2))
	m := &models.Model{Kernel: kernel.RBF{Gamma: 0.5}, Labels: []int{4, 2, 3, 1}, Group: make([]int, 4)}
	for c := range m.Group {
		m.Group[c] = vectors / 4
	}
	for range vectors / 4 * 4 {
		var v vec.Vector
		for k := range int32(40) {
			v.Index, v.Value = append(v.Index, k+1), append(v.Value, r.Float64())
		}
		m.Vectors.Append(v)
	}
	for i := range 4 {
		for j := i + 1; j < 4; j++ {
			c := models.Machine{Pos: i, Neg: j}
			for range 2 * (vectors / 4) {
				c.Coef = append(c.Coef, r.NormFloat64())
			}
			m.Machines = append(m.Machines, c)
		}
	}
	return m
}

// TestLarge: a large model is read by all processors.
func TestLarge(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	want := large(4000)
	got := mustRead(t, mustWrite(t, want))
	if fault := difference(got, want); fault != "" {
		t.Error(fault)
	}
}

func BenchmarkRead(b *testing.B) {
	text := mustWrite(b, large(4000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		mustRead(b, text)
	}
}
