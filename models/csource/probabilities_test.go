package csource_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestProbabilities: compiled probabilities are those of package predict to the last bit, with all
// options of the compiler for fused operations.
func TestProbabilities(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(15, 16))
	trials, err := plantest.Probable(rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]string{nil, fused, contracted} {
		agree(t, cc, trials, options...)
	}
}

// TestLevels: equal marks of a one-class model are treated as by package predict.
func TestLevels(t *testing.T) {
	cc := compiler(t)
	trials := plantest.Levels()
	agree(t, cc, trials)
}

// TestWithout: the file of a model without information on probabilities has no such function.
func TestWithout(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, task := range []models.Task{models.CSVC, models.OneClass, models.NuSVR} {
		m := plantest.Shape{Task: task, Kernel: kernel.Linear{}, Classes: 3, Vectors: 4, First: 1, Width: 2, Density: 1}.Model(rng)
		if !task.Classifies() {
			m.Labels = nil
		}
		var b bytes.Buffer
		if err := csource.Write(&b, m, "m"); err != nil {
			t.Fatal(err)
		}
		if word := regexp.MustCompile(`probabilit|sigma`).FindString(b.String()); word != "" {
			t.Errorf("%v: there is %q", task, word)
		}
	}
}

// TestNoise: the noise of a regression with scaled targets is in the units of the data.
func TestNoise(t *testing.T) {
	cc := compiler(t)
	d, err := arff.Parse(t.Context(), strings.NewReader("@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,10\n2,37\n4,21.3\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Fit(t.Context(), d, encode.Options{Scaling: encode.Standardize, ColumnsFirst: true})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(19, 20))
	m := plantest.Shape{Task: models.EpsilonSVR, Kernel: kernel.Linear{}, Vectors: 3, First: 1, Width: 1, Density: 1}.Model(rng)
	m.Probability, m.Noise = true, 0.7
	if m.Inputs, err = e.MarshalText(); err != nil {
		t.Fatal(err)
	}
	got := answers(t, cc, []trial{{Model: m, First: 1, Rows: []vec.Vector{{Index: []int32{1}, Value: []float64{2}}}}})[0][0]
	if want := 0.7 * e.ClassColumn().Scales[0].Width; got[2] != want || want < 5 {
		t.Errorf("sigma is %v, want %v", got, want)
	}
}

// TestPrecomputed: a model of a precomputed kernel reads the values at its vectors' rows.
func TestPrecomputed(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(21, 22))
	trials := plantest.Precomputed(rng)
	agree(t, cc, trials)
}
