package generate

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

func sample(t *testing.T, name string, rows int) *format.Dataset {
	t.Helper()
	s, ok := Lookup(name)
	if !ok {
		t.Fatalf("no set %q", name)
	}
	return s.Generate(rows, 7)
}

func TestSpiralsAreCMUs(t *testing.T) {
	d := sample(t, "spirals", 194)
	for i := range 97 {
		angle := float64(i) * math.Pi / 16
		radius := 6.5 * float64(104-i) / 104
		x, y := radius*math.Cos(angle), radius*math.Sin(angle)
		for k, sign := range []float64{1, -1} {
			row := d.X.Row(2*i + k)
			want := fmt.Sprintf("%.5f %.5f", sign*x+0, sign*y+0)
			got := fmt.Sprintf("%.5f %.5f", row.At(1), row.At(2))
			if !(math.Abs(row.At(1)-sign*x) <= 0.5000001e-5) || !(math.Abs(row.At(2)-sign*y) <= 0.5000001e-5) || d.Y[2*i+k] != sign {
				t.Errorf("point %d: %v %s, want %v %s", i, d.Y[2*i+k], got, sign, want)
			}
		}
	}
	// another number of rows: the same curve from the same start to the same end
	for _, rows := range []int{3, 50, 193, 1000} {
		d := sample(t, "spirals", rows)
		for i := range rows {
			radius := math.Hypot(d.X.Row(i).At(1), d.X.Row(i).At(2))
			if want := 6.5 - 6*float64(i/2)/float64((rows+1)/2-1); !(math.Abs(radius-want) <= 1e-5) {
				t.Fatalf("%d rows: row %d has radius %v, want %v", rows, i, radius, want)
			}
		}
	}
}

func TestCheckerboardLabelsAreParity(t *testing.T) {
	d := sample(t, "checkerboard", 5000)
	var squares [4][4]int
	for i, y := range d.Y {
		a, b := int(d.X.Row(i).At(1)/50), int(d.X.Row(i).At(2)/50)
		squares[a][b]++
		if want := float64(1 - (a+b)%2*2); y != want {
			t.Fatalf("row %d in square %d,%d has label %v", i, a, b, y)
		}
	}
	for a, column := range squares {
		for b, n := range column {
			if !(math.Abs(float64(n)-5000/16) <= 5*math.Sqrt(5000/16)) {
				t.Errorf("%d of 5000 points in square %d,%d", n, a, b)
			}
		}
	}
}

func TestIsolatedBackgroundKeepsAway(t *testing.T) {
	means := [][2]float64{{4, 4}, {6, 4}, {5, 6}}
	d := sample(t, "isolated", 8000)
	inside := 0
	for i, y := range d.Y {
		nearest := math.Inf(1)
		for _, m := range means {
			nearest = min(nearest, math.Hypot(d.X.Row(i).At(1)-m[0], d.X.Row(i).At(2)-m[1])/0.5)
		}
		if y > 0 && nearest <= 3 {
			inside++
		}
		if y < 0 && nearest <= 3 {
			t.Errorf("background row %d is %v deviations from a mean", i, nearest)
		}
	}
	// chi-square with two degrees of freedom: exp(-9/2) of a cluster lies outside
	if want := 3000 * (1 - math.Exp(-4.5)); !(math.Abs(float64(inside)-want) <= 30) {
		t.Errorf("%d of 3000 cluster rows within three deviations, want about %.0f", inside, want)
	}
}

func TestStriatedStripes(t *testing.T) {
	const n = 12_000
	d := sample(t, "striated", n)
	wrong, along, beside := 0, 0.0, 0.0
	for i, y := range d.Y {
		x := d.X.Row(i)
		u, v := x.At(1)-5, x.At(2)-5
		across := 0.8*u - 0.6*v
		s := 0.6*u + 0.8*v
		along += s * s / n
		k := min(max(int(math.Round(across/1.6+1.5)), 0), 3)
		beside += math.Pow(across-1.6*(float64(k)-1.5), 2) / n
		if float64(1-k%2*2) != y {
			wrong++
		}
	}
	// a row is 0.8/0.2 = 4 deviations from the border; the outer stripes have one
	want := n * 1.5 * (math.Erfc(4/math.Sqrt2) / 2)
	if !(math.Abs(float64(wrong)-want) <= 5*math.Sqrt(want)) {
		t.Errorf("%d of %d rows in a stripe of the other class, want about %.0f", wrong, n, want)
	}
	if !(math.Abs(beside-0.04) <= 0.003) {
		t.Errorf("variance across the stripes %v, want 0.04", beside)
	}
	if !(math.Abs(along-1.44) <= 0.1) {
		t.Errorf("variance along the stripes %v, want 1.44", along)
	}
}

func TestMoonsLieOnHalfCircles(t *testing.T) {
	const n = 4000
	d := sample(t, "moons", n)
	mean, square := 0.0, 0.0
	var quarter [4]int
	for i, y := range d.Y {
		a, b := d.X.Row(i).At(1), d.X.Row(i).At(2)
		if y < 0 {
			a, b = 1-a, 0.5-b
		}
		r := math.Hypot(a, b) - 1
		mean += r / n
		square += r * r / n
		quarter[min(max(int(math.Atan2(b, a)/math.Pi*4), 0), 3)]++
	}
	// the second order of the noise moves the mean to sd^2/2
	if !(math.Abs(mean-0.15*0.15/2) <= 0.01) || !(math.Abs(math.Sqrt(square)-0.15) <= 0.01) {
		t.Errorf("distance from the circles: mean %v, deviation %v", mean, math.Sqrt(square))
	}
	for k, c := range quarter {
		if !(math.Abs(float64(c)-n/4) <= 150) {
			t.Errorf("quarter %d of the half circles has %d of %d rows", k, c, n)
		}
	}
}

// The error of the best classifier, known in closed form or from the source,
// is what a sample gives.
func TestBestErrors(t *testing.T) {
	sumOf := func(v []float64) (s float64) {
		for _, x := range v {
			s += x
		}
		return s
	}
	tests := []struct {
		name      string
		best      func(x []float64) float64
		error, by float64
	}{
		{"twonorm", func(x []float64) float64 { return sumOf(x) }, math.Erfc(2/math.Sqrt2) / 2, 0.003},
		{"gauss", func(x []float64) float64 { return x[0] - x[1] }, math.Erfc(1/math.Sqrt2) / 2, 0.01},
		{"ringnorm", func(x []float64) float64 {
			ring, core := -20*math.Log(2), 0.0 // log densities without what they share
			for _, v := range x {
				ring -= v * v / 8
				v -= 1 / math.Sqrt(20)
				core -= v * v / 2
			}
			return ring - core
		}, 0.013, 0.003},
		{"ndc", ndcPlane(), 0.12, 0.02},
	}
	for _, tt := range tests {
		const n = 20_000
		d := sample(t, tt.name, n)
		wrong := 0
		for i, y := range d.Y {
			if tt.best(d.X.Row(i).Value)*y <= 0 {
				wrong++
			}
		}
		if got := float64(wrong) / n; !(math.Abs(got-tt.error) <= tt.by) {
			t.Errorf("%s: error of the best classifier %v, want %v", tt.name, got, tt.error)
		}
	}
}

// ndcPlane returns the side of the plane that labels NDC's centres.
func ndcPlane() func(x []float64) float64 {
	fixed := newRandom(0, "ndc centres")
	w := make([]float64, 32)
	for j := range w {
		w[j] = fixed.normal()
	}
	return func(x []float64) float64 {
		s := 0.0
		for j, v := range x {
			s += w[j] * v
		}
		return s
	}
}

func TestGaussiansAreApart(t *testing.T) {
	const n = 10_000
	ms := classMoments(Gaussians(3, 4, 6).Generate(n, 1))
	for a := 1.0; a <= 3; a++ {
		for b := 1.0; b < a; b++ {
			square := 0.0
			for j := range ms[a].mean {
				d := ms[a].mean[j] - ms[b].mean[j]
				square += d * d
			}
			if !(math.Abs(math.Sqrt(square)-6) <= 0.1) {
				t.Errorf("means %v and %v are %v apart, want 6", a, b, math.Sqrt(square))
			}
		}
		for j, v := range ms[a].variance {
			if j > 0 && !(math.Abs(v-1) <= 0.1) {
				t.Errorf("class %v: variance %v on axis %d", a, v, j)
			}
		}
	}
}

func TestWaveformMeans(t *testing.T) {
	h := func(which, i int) float64 {
		shift := []int{0, 4, -4}[which]
		return max(6-math.Abs(float64(i-shift-11)), 0)
	}
	mixes := map[float64][2]int{1: {0, 1}, 2: {0, 2}, 3: {1, 2}}
	for y, m := range classMoments(sample(t, "waveform", 9000)) {
		for i := 1; i <= 21; i++ {
			a, b := h(mixes[y][0], i), h(mixes[y][1], i)
			// u has mean 1/2 and variance 1/12
			if want := (a + b) / 2; !(math.Abs(m.mean[i]-want) <= 0.15) {
				t.Errorf("class %v: mean of input %d is %v, want %v", y, i, m.mean[i], want)
			}
			if want := 1 + (a-b)*(a-b)/12; !(math.Abs(m.variance[i]-want) <= 0.1*want) {
				t.Errorf("class %v: variance of input %d is %v, want %v", y, i, m.variance[i], want)
			}
		}
	}
}

func TestRegressionNoise(t *testing.T) {
	for _, tt := range []struct {
		name  string
		f     func(x []float64) float64
		noise float64
	}{
		{"friedman", func(x []float64) float64 {
			return 10*math.Sin(math.Pi*x[0]*x[1]) + 20*math.Pow(x[2]-0.5, 2) + 10*x[3] + 5*x[4]
		}, 1},
		{"sinc", func(x []float64) float64 { return math.Sin(math.Pi*x[0]) / (math.Pi * x[0]) }, 0.1},
	} {
		const n = 5000
		d := sample(t, tt.name, n)
		mean, square := 0.0, 0.0
		for i, y := range d.Y {
			e := y - tt.f(d.X.Row(i).Value)
			mean += e / n
			square += e * e / n
		}
		if !(math.Abs(mean) <= 4*tt.noise/math.Sqrt(n)) || !(math.Abs(math.Sqrt(square)-tt.noise) <= 0.05*tt.noise) {
			t.Errorf("%s: noise of mean %v and deviation %v, want 0 and %v", tt.name, mean, math.Sqrt(square), tt.noise)
		}
	}
}

func TestTextFrequencies(t *testing.T) {
	const n = 6000
	d := sample(t, "text", n)
	var count [2][1001]float64
	for i, y := range d.Y {
		for k, j := range d.X.Row(i).Index {
			if d.X.Row(i).Value[k] != 1 {
				t.Fatalf("row %d: value %v", i, d.X.Row(i).Value[k])
			}
			count[int(1-y)/2][j]++
		}
	}
	for class, counts := range count {
		for j := 1; j <= 1000; j++ {
			p := 5 / float64(j+9)
			if j%5 == 0 {
				p *= []float64{0.5, 1.5}[(class+j/5)%2]
			}
			want := n / 2 * p
			if !(math.Abs(counts[j]-want) <= 5*math.Sqrt(want)+1) {
				t.Errorf("class %d: column %d set %v times, want about %.0f", class, j, counts[j], want)
			}
		}
	}
	if mean := float64(d.X.NNZ()) / n; mean < 22 || mean > 30 {
		t.Errorf("%v ones a row", mean)
	}
}

func TestClouds(t *testing.T) {
	centres := &format.Dataset{}
	for i, y := range []float64{3, 8, 3} {
		in := format.Instance{Y: y, Weight: 1}
		in.X.Index = []int32{int32(i + 1), 4}
		in.X.Value = []float64{50, float64(100 * i)}
		centres.Append(in)
	}
	s, err := Clouds("three", centres, 2)
	if err != nil {
		t.Fatal(err)
	}
	if s.Inputs != 4 || s.Classes != 2 {
		t.Errorf("%d inputs, %d classes", s.Inputs, s.Classes)
	}
	const n = 3000
	d := s.Generate(n, 1)
	var count [3]int
	square := 0.0
	for i, y := range d.Y {
		x := d.X.Row(i)
		k := int(math.Round(x.At(4) / 100))
		count[k]++
		if y != centres.Y[k] {
			t.Fatalf("row %d near centre %d has label %v", i, k, y)
		}
		for j := int32(1); j <= 4; j++ {
			e := x.At(j) - centres.X.Row(k).At(j)
			square += e * e / (4 * n)
		}
	}
	if count[0] == 0 || count[1] == 0 || count[2] == 0 {
		t.Errorf("rows of the centres: %v", count)
	}
	// expansion^2 on average over random matrices; 48 entries decide
	if square < 2 || square > 7 {
		t.Errorf("mean variance round the centres %v, want about 4", square)
	}
	if form(d) != form(s.Generate(n, 1)) {
		t.Error("the same clouds twice differ")
	}

	bad := &format.Dataset{}
	for _, want := range []string{
		"no centres for clouds",
		"centres of clouds have no features",
		"centre 2 of clouds has a feature with index 0",
	} {
		if _, err := Clouds("bad", bad, 1); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		in := format.Instance{Y: 1, Weight: 1}
		if bad.Len() == 1 {
			in.X = vec.Vector{Index: []int32{0, 2}, Value: []float64{1, 1}}
		}
		bad.Append(in)
	}
	at := func(index []int32, value ...float64) (x vec.Matrix) {
		x.Append(vec.Vector{Index: index, Value: value})
		return x
	}
	for want, bad := range map[string]*format.Dataset{
		"centres of clouds: no data set":                                     nil,
		"centres of clouds: 1 rows but 2 labels":                             {X: at([]int32{1}, 2), Y: []float64{1, 2}},
		"centres of clouds: 1 rows but 0 labels":                             {X: at([]int32{1}, 2)},
		"centres of clouds: " + format.ErrColumns.Error():                    {X: at([]int32{1}, 2), Y: []float64{1}, Header: &format.Header{Attributes: make([]format.Attribute, 2)}},
		"centre 1 of clouds: index -1 is negative":                           {X: at([]int32{-1, 1}, 2, 2), Y: []float64{1}},
		"centre 1 of clouds: feature 1 is NaN, expected a finite number":     {X: at([]int32{1}, math.NaN()), Y: []float64{1}},
		"centre 1 of clouds: index 1 follows index 2: indices must increase": {X: at([]int32{2, 1}, 2, 2), Y: []float64{1}},
	} {
		if _, err := Clouds("bad", bad, 1); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	for _, e := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Clouds("bad", centres, e); err == nil || err.Error() != fmt.Sprintf("expansion factor %v is not a number from 0 on", e) {
			t.Errorf("error %v for an expansion of %v", err, e)
		}
	}
	far := &format.Dataset{}
	far.Append(format.Instance{X: vec.Vector{Index: []int32{1 << 30}, Value: []float64{1}}, Y: 1, Weight: 1})
	if _, err := Clouds("bad", far, 1); err == nil || err.Error() != "matrices of 1 clouds of 1073741824 features take more than 2 GB" {
		t.Errorf("error %v for too many features", err)
	}
}
