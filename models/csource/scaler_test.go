package csource_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// ranged returns ranges of some of the features 1 to width, of which some are constant.
func ranged(rng *rand.Rand, l scale.Limits, width int, size float64) *scale.Ranges {
	x := &scale.Features{Limits: l}
	for j := range width {
		a, b := size*(rng.Float64()-0.5), size*(rng.Float64()-0.5)
		switch rng.IntN(5) {
		case 0:
			continue
		case 1:
			b = a
		}
		x.Ranges = append(x.Ranges, scale.Feature{Index: int32(j + 1), Range: scale.Range{Min: min(a, b), Max: max(a, b)}})
	}
	return &scale.Ranges{X: x}
}

// TestScaled: C scales features to the bits of package scale, and answers as for rows that were.
func TestScaled(t *testing.T) {
	cc := compiler(t)
	rng := rand.New(rand.NewPCG(31, 32))
	var trials []trial
	var scaled [][]vec.Vector
	for n, l := range []scale.Limits{{Lower: -1, Upper: 1}, {Lower: 0, Upper: 1}, {Lower: 0.1, Upper: 0.7}, {Lower: -1, Upper: 1}, {Lower: -1e306, Upper: 1e300}, {Lower: -1, Upper: 1}, {Lower: -1.5e308, Upper: 1.5e308}} {
		const width = 12
		size := []float64{5, 3e-4, 700, math.MaxFloat64, 1e4, 1, 5}[n]
		r := ranged(rng, l, width, size)
		if n == 5 {
			r.X.Ranges = nil
		}
		s := scale.NewScaler(r)
		c := trial{first: 1, ranges: r}
		var after []vec.Vector
		for len(after) < 80 {
			x := row(rng, 1, width+rng.IntN(4)-2, 0.7)
			for k := range x.Value {
				x.Value[k] *= size / 4
			}
			for k, j := range x.Index { // now and then at an end
				for _, f := range r.X.Ranges {
					if f.Index == j && rng.IntN(8) == 0 {
						x.Value[k] = []float64{f.Min, f.Max}[rng.IntN(2)]
					}
				}
			}
			var y vec.Vector
			if x.Check() == nil && s.RowTo(&y, x) == nil {
				c.rows, after = append(c.rows, x), append(after, y)
			}
		}
		c.m = &models.Model{Task: models.EpsilonSVR, Kernel: kernel.RBF{Gamma: 0.3}, Machines: []models.Machine{{Rho: 0.1}}}
		for _, x := range after[:8] {
			c.m.Vectors.Append(x)
			c.m.Machines[0].Coef = append(c.m.Machines[0].Coef, rng.NormFloat64())
		}
		trials, scaled = append(trials, c), append(scaled, after)
	}
	for _, options := range [][]string{nil, fused} {
		for i, all := range answers(t, cc, trials, options...) {
			p, err := predict.New(trials[i].m)
			if err != nil {
				t.Fatal(err)
			}
			for r, got := range all {
				answer := p.Predict(scaled[i][r])
				want := []float64{answer, answer}
				for j := range got[2:] {
					want = append(want, scaled[i][r].At(int32(j+1)))
				}
				if !slices.EqualFunc(got, want, same) {
					t.Fatalf("ranges %d, row %d, %v:\n%v in C, want\n%v", i, r, trials[i].rows[r], got, want)
				}
			}
		}
	}
}

// TestOtherRanges: ranges that cannot be those of the model's rows are refused, and nothing is written.
func TestOtherRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	plain := random(rng, models.CSVC, models.OneVsOne, kernel.Linear{}, 2, 3, 1, 3, 1, false)
	columns := *plain
	columns.Inputs = []byte("{\"relation\":\"r\",\"class\":2,\"columns\":2}\n{\"name\":\"n\",\"type\":\"numeric\",\"fill\":0,\"feature\":1}\n" +
		"{\"name\":\"y\",\"type\":\"nominal\",\"labels\":[\"p\",\"q\"],\"fill\":0,\"feature\":2}\n")
	columns.Labels = []int{0, 1}
	if err := new(encode.Encoding).UnmarshalText(columns.Inputs); err != nil {
		t.Fatal(err)
	}
	precomputed := random(rng, models.CSVC, models.OneVsOne, kernel.Precomputed{}, 2, 0, 1, 1, 1, false)
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
	m := random(rng, models.NuSVR, models.OneVsOne, kernel.Linear{}, 0, 3, 1, 3, 1, false)
	r := of(1, 3, 0)
	r.Y = &scale.Labels{Limits: scale.Limits{Upper: 1}, Range: scale.Range{Min: -5, Max: 7.5}}
	if err := csource.WriteScaled(&b, m, "m", r); err != nil || !strings.Contains(b.String(), "\n *     Targets stay as they were scaled, from -5.0..7.5 to 0.0..1.0.\n") {
		t.Errorf("%v, %s", err, b.String())
	}
}
