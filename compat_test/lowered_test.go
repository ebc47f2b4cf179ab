package compat_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// loweredRuns are models to train, reduce and export: on a generated set, named with
// its number of training rows, or on a real one. Gamma is exact in the float32 of
// LIBSVM 3.24.
var loweredRuns = []struct {
	data          string
	rows          int // of training: of a generated set, or of a real one every so many; 0: all
	train, reduce string
	quick         bool
}{
	{"waveform", 300, "--gamma 0.03125", "--vectors 9", true},
	{"waveform", 300, "--gamma 0.03125 --multiclass ovr", "--vectors 9", true},
	{"waveform", 300, "--gamma 0.03125 --cost 8 --multiclass ovr", "--vectors 12 --method orig", true},
	{"waveform", 300, "--gamma 0.03125", "--vectors 10 --method greedy", true},
	{"waveform", 300, "--kernel poly --degree 2 --coef0 1 --gamma 0.0625", "--vectors 10", true},
	{"waveform", 300, "--kernel poly --degree 3 --gamma 0.0625 --multiclass ovr", "--vectors 10 --method kmeans", true},
	{"waveform", 300, "--kernel linear", "--vectors 3", true},
	{"waveform", 300, "--kernel linear --multiclass ovr", "--vectors 3", true},
	{"gauss5", 300, "--method nusvc --nu 0.25 --gamma 0.125 --multiclass ovr", "--vectors 20", true},
	{"gauss5", 300, "--gamma 0.125", "--vectors 20 --method retrain", true},
	{"gauss5", 300, "--gamma 0.125", "--vectors 20 --method random", true},
	{"twonorm", 300, "--gamma 0.0625", "--vectors 5", true},
	{"ringnorm", 300, "--gamma 0.0625 --cost 4 --multiclass ovr", "--vectors 15", true},
	{"moons", 200, "--kernel poly --degree 3 --coef0 1 --gamma 1", "--vectors 6", true},
	{"twonorm", 300, "--kernel linear", "--vectors 1", true},
	{"sinc", 200, "--method epsilon-svr --cost 4 --gamma 0.5 --epsilon 0.0625", "--vectors 8", true},
	{"friedman", 300, "--method nu-svr --cost 4 --gamma 0.25", "--vectors 15", true},
	{"friedman", 300, "--method epsilon-svr --kernel linear", "--vectors 1", true},
	{"twonorm", 300, "--method oneclass --nu 0.25 --gamma 0.03125", "--vectors 6", true},

	{"letter/letter.scale", 1300, "--cost 4 --gamma 0.5", "--vectors 40", true},
	{"satimage/satimage", 500, "--cost 16 --gamma 0.0009765625 --multiclass ovr", "--vectors 20", true},
	{"usps/usps", 500, "--cost 8 --gamma 0.0078125 --multiclass ovr", "--vectors 20", true},

	{"letter/letter.scale", 5000, "--cost 4 --gamma 0.5", "--vectors 60", false},
	{"letter/letter.scale", 5000, "--cost 4 --gamma 0.5 --multiclass ovr", "--vectors 100", false},
	{"satimage/satimage", 0, "--cost 16 --gamma 0.0009765625", "--vectors 40", false},
	{"satimage/satimage", 0, "--cost 16 --gamma 0.0009765625 --multiclass ovr", "--vectors 40 --method greedy", false},
	{"usps/usps", 0, "--cost 8 --gamma 0.0078125 --multiclass ovr", "--vectors 50", false},
	{"dna/dna", 0, "--cost 8 --gamma 0.015625", "--vectors 10 --method kmeans", false},
}

// loweredTestRows is the number of test rows of a generated set.
const loweredTestRows = 1000

// TestLoweredModels has the svm-predict of the installed LIBSVM 3.24 read what
// slimsvm export --plain makes of reduced models: its file of answers, and what it
// prints, is that of our svm-predict with the extended model. Decision values of the
// plain model are those of the extended one: to the last bit, or for machines of one
// class against the rest their differences to within 1e-9.
func TestLoweredModels(t *testing.T) {
	v := &lowering{theirs: oracle(t), ours: commands(t)}
	full := os.Getenv("SLIMSVM_LIVE") == "full"
	if !full {
		t.Log("larger sets are left out; SLIMSVM_LIVE=full takes all")
	}
	n := 0
	t.Run("model", func(t *testing.T) {
		for _, r := range loweredRuns {
			if !r.quick && !full {
				continue
			}
			n++
			t.Run(fmt.Sprint(r.data, " ", r.rows, " ", r.train, " ", r.reduce), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				v.sample(t, dir, r.data, r.rows)
				v.compare(t, dir, r.train, r.reduce)
			})
		}
	})
	t.Logf("exported models in LIBSVM 3.24: %d of %d models, %d answers the same; %d decision values the same to the last bit, %d to within %.1g",
		v.models, n, v.answers, v.equal, v.close, v.apart)
	if v.answers == 0 || v.equal == 0 || v.close == 0 {
		t.Error("not all kinds of models are compared")
	}
}

// A lowering compares models, and counts.
type lowering struct {
	theirs, ours string

	mu                            sync.Mutex
	models, answers, equal, close int
	apart                         float64 // largest difference of a decision value
}

// sample writes train and test.
func (v *lowering) sample(t *testing.T, dir, data string, rows int) {
	t.Helper()
	if filepath.Base(data) == data {
		for seed, name := range []string{"train", "test"} {
			v.do(t, v.ours, dir, fmt.Sprintf("slimsvm generate %s --rows %d --seed %d > %s", data, []int{rows, loweredTestRows}[seed], seed+1, name))
		}
		return
	}
	path := filepath.Join(realData(t), filepath.FromSlash(data))
	for _, f := range []struct {
		name string
		text []byte
	}{{"train", everyNth(unpackRows(t, path, 0), rows)}, {"test", unpackRows(t, path+".t", 0)}} {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// do runs a command that must succeed.
func (v *lowering) do(t *testing.T, bin, dir, line string) result {
	t.Helper()
	r := run(t, bin, dir, line, liveLimit)
	if r.exit != 0 {
		t.Fatalf("%s: exit status %d\n%s", line, r.exit, r.stderr)
	}
	return r
}

func (v *lowering) compare(t *testing.T, dir, train, reduce string) {
	v.do(t, v.ours, dir, "slimsvm train --quiet "+train+" train big")
	v.do(t, v.ours, dir, "slimsvm reduce --quiet "+reduce+" big train small")
	v.do(t, v.ours, dir, "slimsvm export --quiet --plain small plain")
	said := v.do(t, v.ours, dir, "svm-predict test small ours")
	if r := v.do(t, v.theirs, dir, "svm-predict test plain theirs"); !bytes.Equal(r.stdout, said.stdout) {
		t.Errorf("LIBSVM prints %q, ours %q", r.stdout, said.stdout)
	}
	ours, theirs := v.file(t, dir, "ours"), v.file(t, dir, "theirs")
	if !bytes.Equal(ours, theirs) {
		a, b := bytes.Split(ours, []byte("\n")), bytes.Split(theirs, []byte("\n"))
		for i := range min(len(a), len(b)) {
			if !bytes.Equal(a[i], b[i]) {
				t.Fatalf("row %d: ours %q, LIBSVM with the plain model %q", i+1, a[i], b[i])
			}
		}
		t.Fatalf("%d rows, LIBSVM has %d", len(a), len(b))
	}
	// an original that meets the extended model stops, and writes no answers
	if r := run(t, v.theirs, dir, "svm-predict test small misread", liveLimit); r.exit == 0 || !bytes.Contains(r.stderr, []byte("unknown text in model file: [slimsvm_model]")) {
		t.Errorf("LIBSVM with the extended model: exit status %d, %q", r.exit, r.stderr)
	}

	small, plain := v.model(t, dir, "small"), v.model(t, dir, "plain")
	if !small.Extended() || plain.Extended() {
		t.Fatalf("extended: the reduced model %t, the exported %t", small.Extended(), plain.Extended())
	}
	equal, near, apart := v.decisions(t, dir, small, plain)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.models++
	v.answers += bytes.Count(ours, []byte("\n"))
	v.equal += equal
	v.close += near
	v.apart = max(v.apart, apart)
}

func (v *lowering) file(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || len(text) == 0 {
		t.Fatalf("%s: %d bytes, %v", name, len(text), err)
	}
	return text
}

func (v *lowering) model(t *testing.T, dir, name string) *models.Model {
	t.Helper()
	m, err := models.Read(bytes.NewReader(v.file(t, dir, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// decisions compares the values of both models' machines for the test rows. It
// returns how many are equal to the last bit, and how many others agree and to what.
func (v *lowering) decisions(t *testing.T, dir string, small, plain *models.Model) (equal, near int, apart float64) {
	t.Helper()
	d, err := libsvmfmt.Parse(t.Context(), bytes.NewReader(v.file(t, dir, "test")))
	if err != nil {
		t.Fatal(err)
	}
	p, err := predict.New(small)
	if err != nil {
		t.Fatal(err)
	}
	q, err := predict.New(plain)
	if err != nil {
		t.Fatal(err)
	}
	a, b := make([]float64, len(small.Machines)), make([]float64, len(plain.Machines))
	for i := range d.Len() {
		p.Decisions(a, d.X.Row(i))
		q.Decisions(b, d.X.Row(i))
		for m, got := range b {
			if small.Vote == models.OneVsOne || len(small.Labels) <= 2 {
				if got != a[m] {
					t.Fatalf("row %d, machine %d: %v, extended %v", i+1, m, got, a[m])
				}
				equal++
				continue
			}
			of := func(class int) int { return slices.Index(small.Labels, plain.Labels[class]) }
			pos, neg := of(plain.Machines[m].Pos), of(plain.Machines[m].Neg)
			off := math.Abs(got - (a[pos] - a[neg]))
			if !(off <= 1e-9) {
				t.Fatalf("row %d, classes %d and %d: %v, extended %v - %v", i+1, pos, neg, got, a[pos], a[neg])
			}
			near++
			apart = max(apart, off)
		}
	}
	return equal, near, apart
}
