package csource_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/internal/plantest"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestScaled: C scales features to the same bits as package scale, and answers as for rows that
// were scaled.
func TestScaled(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(31, 32))
	trials := plantest.Scaled(rng)
	for _, options := range [][]string{nil, fused} {
		for i, all := range answers(t, cc, trials, options...) {
			p, err := predict.New(trials[i].Model)
			if err != nil {
				t.Fatal(err)
			}
			for r, got := range all {
				answer := p.Predict(trials[i].Scaled[r])
				want := []float64{answer, answer}
				for j := range got[2:] {
					want = append(want, trials[i].Scaled[r].At(int32(j+1)))
				}
				if !slices.EqualFunc(got, want, same) {
					t.Fatalf("ranges %d, row %d, %v:\n%v in C, want\n%v", i, r, trials[i].Rows[r], got, want)
				}
			}
		}
	}
}

// TestOtherRanges: ranges that cannot be those of the model's rows are refused, and nothing is
// written.
func TestOtherRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	plain := plantest.Shape{Kernel: kernel.Linear{}, Classes: 2, Vectors: 3, First: 1, Width: 3, Density: 1}.Model(rng)
	columns := *plain
	columns.Inputs = []byte("{\"relation\":\"r\",\"class\":2,\"columns\":2}\n{\"name\":\"n\",\"type\":\"numeric\",\"fill\":0,\"feature\":1}\n" +
		"{\"name\":\"y\",\"type\":\"nominal\",\"labels\":[\"p\",\"q\"],\"fill\":0,\"feature\":2}\n")
	columns.Labels = []int{0, 1}
	if err := new(encode.Encoding).UnmarshalText(columns.Inputs); err != nil {
		t.Fatal(err)
	}
	precomputed := plantest.Shape{Kernel: kernel.Precomputed{}, Classes: 2, First: 1, Width: 1, Density: 1}.Model(rng)
	of := func(from, to int32, least float64) *scale.Ranges {
		x := &scale.Features{Limits: scale.Limits{Lower: -1, Upper: 1}}
		for j := from; j <= to; j++ {
			x.Ranges = append(x.Ranges, scale.Feature{Index: j, Range: scale.Range{Min: least, Max: 3}})
		}
		return &scale.Ranges{X: x}
	}
	const others = "the ranges are not those of the model's rows: "
	for _, c := range []struct {
		m      *models.Model
		ranges *scale.Ranges
		want   string
	}{
		{plain, of(1, 2, 0), others + "vector 1 has feature 3, which by them is 0 in all rows"},
		{plain, of(1, 3, 3), others + "vector 1 has feature 1, which by them is 0 in all rows"},
		{plain, of(0, 3, 0), others + "they have feature 0, and in C features are numbered from 1 where they are scaled"},
		{plain, &scale.Ranges{Y: &scale.Labels{Limits: scale.Limits{Upper: 1}}}, others + "they are of labels only"},
		{&columns, of(1, 3, 0), others + "its features are made of columns"},
		{precomputed, of(1, 3, 0), others + "these are values of a precomputed kernel"},
	} {
		var b bytes.Buffer
		if err := csource.WriteScaled(&b, c.m, "m", c.ranges); !errors.Is(err, csource.ErrRanges) || err.Error() != c.want || b.Len() > 0 {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := csource.WriteScaled(new(bytes.Buffer), plain, "m", of(3, 3, 4)); err == nil || errors.Is(err, csource.ErrRanges) {
		t.Errorf("invalid ranges: %v", err)
	}
	var b bytes.Buffer
	m := plantest.Shape{Task: models.NuSVR, Kernel: kernel.Linear{}, Vectors: 3, First: 1, Width: 3, Density: 1}.Model(rng)
	r := of(1, 3, 0)
	r.Y = &scale.Labels{Limits: scale.Limits{Upper: 1}, Range: scale.Range{Min: -5, Max: 7.5}}
	if err := csource.WriteScaled(&b, m, "m", r); err != nil || !strings.Contains(b.String(), "\n *     Targets stay as they were scaled, from -5.0..7.5 to 0.0..1.0.\n") {
		t.Errorf("%v, %s", err, b.String())
	}
}
