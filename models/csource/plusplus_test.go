package csource_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestPlusPlus: the files are C++ too, of old and new standards, without a warning.
func TestPlusPlus(t *testing.T) {
	var cc string
	for _, name := range []string{"g++", "clang++"} {
		if path, err := exec.LookPath(name); err == nil {
			cc = path
			break
		}
	}
	if cc == "" {
		testenv.SkipMissing(t, "what is written in C is not compiled as C++", errors.New("no C++ compiler"))
		return
	}
	rng := rand.New(rand.NewPCG(31, 32))
	var list []*models.Model
	for _, k := range []kernel.Kernel{
		kernel.Linear{}, kernel.RBF{Gamma: 0.07}, kernel.Poly{Degree: 3, Gamma: 0.3, Coef0: 1}, kernel.Sigmoid{Gamma: 0.1},
	} {
		list = append(list,
			plantest.Shape{Kernel: k, Classes: 4, Vectors: 9, First: 1, Width: 6, Density: 0.5, Grouped: true}.Model(rng),
			plantest.Shape{Vote: models.OneVsRest, Kernel: k, Classes: 4, Vectors: 9, First: 1, Width: 60, Density: 0.1}.Model(rng),
			plantest.Shape{Task: models.OneClass, Kernel: k, Vectors: 5, First: 1, Width: 4, Density: 0.7}.Model(rng),
			plantest.Shape{Task: models.EpsilonSVR, Kernel: k, Vectors: 5, First: 1, Width: 4, Density: 0.7}.Model(rng))
	}
	for i, m := range list {
		if m.Task.Classifies() && i%3 > 0 {
			sigmoids(rng, m)
		}
	}
	for _, b := range []models.Ballot{models.ByDecision, models.ByCount} {
		list = append(list, ensemble(rng, b, 3, 0, 0, 0), ensemble(rng, b, 3, 2, 3, 2))
	}
	d, err := arff.Parse(t.Context(), strings.NewReader("@relation r\n@attribute a {'\\\\','\"',y}\n@attribute b numeric\n@attribute c {'??/',q}\n@data\ny,1,q\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Fit(t.Context(), d, encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := plantest.Shape{Kernel: kernel.RBF{Gamma: 1}, Classes: 2, Vectors: 5, First: 1, Width: 4, Density: 0.5, Grouped: true}.Model(rng)
	m.Labels = []int{0, 1}
	if m.Inputs, err = e.MarshalText(); err != nil {
		t.Fatal(err)
	}
	list = append(list, m)

	var b bytes.Buffer
	for i, m := range list {
		if err := csource.Write(&b, m, fmt.Sprintf("m%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	r := &scale.Ranges{X: &scale.Features{Limits: scale.Limits{Lower: -1, Upper: 1}}}
	for j := int32(1); j <= 6; j++ {
		r.X.Ranges = append(r.X.Ranges, scale.Feature{Index: j, Range: scale.Range{Max: float64(j)}})
	}
	if err := csource.WriteScaled(&b, list[0], "scaled", r); err != nil {
		t.Fatal(err)
	}
	b.WriteString("\nint main() { return 0; }\n")
	for _, standard := range []string{"c++98", "c++11", "c++2a"} {
		build(t, cc, t.TempDir(), map[string]string{"main.cpp": b.String()}, []string{"main.cpp"}, "-std="+standard)
	}
}
