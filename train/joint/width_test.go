package joint

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// widthToChoose returns a trainer that chooses the width to begin with.
func widthToChoose(task models.Task, gamma float64, vectors, evaluations int) Trainer {
	t := Default()
	t.Task, t.Kernel, t.Vectors, t.Evaluations, t.ChooseWidth = task, kernel.RBF{Gamma: gamma}, vectors, evaluations, true
	return t
}

func trained(t *testing.T, of Trainer, d *format.Dataset) *models.Model {
	t.Helper()
	m, err := of.Train(t.Context(), d, train.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// parameter returns a parameter of how a model was trained, "" if there is none.
func parameter(m *models.Model, name string) string {
	for _, p := range m.Provenance.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// function returns what a model computes, without how it was trained.
func function(m *models.Model) string { return fmt.Sprint(m.Kernel, m.Vectors, m.Machines) }

func squareError(t *testing.T, m *models.Model, d *format.Dataset) float64 {
	t.Helper()
	return scores(t, m, d).MeanSquaredError()
}

// TestChooseWidth: descents that begin with far too narrow or too wide a kernel end far from what
// others find. Where the width is chosen, with many rows and with few, it does not matter which was
// given, and the model tells what it began with. Models like it begin there, too: on the same rows
// they are the same, unless another cost was chosen meanwhile.
func TestChooseWidth(t *testing.T) {
	defer func(few int) { fewRows = few }(fewRows)
	learn, test := set(t, "friedman", 300, 1), set(t, "friedman", 1000, 2)
	for _, fewRows = range []int{4000, 200} {
		for _, gamma := range []float64{1e4, 1e-7} {
			c := widthToChoose(models.EpsilonSVR, gamma, 8, 60)
			m := trained(t, c, learn)
			with := squareError(t, m, test)
			c.ChooseWidth = false
			plain := trained(t, c, learn)
			if without := squareError(t, plain, test); !(with < 0.7*without) {
				t.Errorf("rows %v, gamma %v: error %v, %v without a choice", fewRows, gamma, with, without)
			}
			if v := parameter(plain, begunWith); v != "" {
				t.Errorf("without a choice, the model began with %v", v)
			}
			c.ChooseWidth = true
			like := trained(t, c.WithSettingsOf(m).(Trainer), learn)
			if begun := parameter(m, begunWith); begun == fmt.Sprint(gamma) || parameter(like, begunWith) != begun {
				t.Errorf("gamma %v: began with %s, and a model like it with %s", gamma, begun, parameter(like, begunWith))
			}
			if parameter(m, "cost") == "1" && function(like) != function(m) {
				t.Errorf("rows %v, gamma %v: on the same rows, models like one are others", fewRows, gamma)
			}
		}
	}
}

// TestGoodWidthStays: where no other width is better to begin with than the given one, the model is
// the one without a choice. So it is where there is nothing to choose, or nothing to choose by.
func TestGoodWidthStays(t *testing.T) {
	rows := set(t, "friedman", 150, 1)
	same := &format.Dataset{X: rows.X.Select(make([]int, 20)), Y: rows.Y[:20]}
	for name, c := range map[string]struct {
		rows *format.Dataset
		set  func(*Trainer)
	}{
		"the best":          {rows, func(c *Trainer) { c.Kernel = kernel.RBF{Gamma: 0.1} }},
		"a fixed width":     {rows, func(c *Trainer) { c.FixedWidth = true }},
		"vectors that stay": {rows, func(c *Trainer) { c.Evaluations = 0 }},
		"few evaluations":   {rows, func(c *Trainer) { c.Evaluations = 2 }},
		"nothing held out":  {rows, func(c *Trainer) { c.HeldOut = 0 }},
		"another kernel":    {rows, func(c *Trainer) { c.Kernel = kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1} }},
		"rows all the same": {same, func(*Trainer) {}},
		"a gamma of 0":      {rows, func(c *Trainer) { c.Kernel = kernel.RBF{} }},
	} {
		of := widthToChoose(models.EpsilonSVR, 100, 6, 30)
		c.set(&of)
		with := trained(t, of, c.rows)
		of.ChooseWidth = false
		if without := trained(t, of, c.rows); function(with) != function(without) {
			t.Errorf("%s: another model, which began with %s", name, parameter(with, begunWith))
		}
	}
}

// TestWidthsOverfit: on noisy rows, descents soon overfit, and held-out rows end them early. A
// width is judged by the best it leads to on its way, and descents go on from one look before, so
// that they can end there. Where the given width is good, others gain no more than chance might.
func TestWidthsOverfit(t *testing.T) {
	noisy := func(rows int, seed uint64) *format.Dataset {
		r, d := newRand(seed, 7), new(format.Dataset)
		for range rows {
			var row vec.Vector
			y := 0.0
			for f := range int32(20) {
				v := r.NormFloat64()
				if row.Index, row.Value = append(row.Index, f+1), append(row.Value, v); f < 5 {
					y += v
				}
			}
			d.X.Append(row)
			d.Y = append(d.Y, y+r.NormFloat64())
		}
		return d
	}
	early := 0
	for seed := range uint64(3) {
		learn := noisy(400, seed)
		c := widthToChoose(models.EpsilonSVR, 0.05, 6, 1000)
		with := trained(t, c, learn)
		c.ChooseWidth = false
		if without := trained(t, c, learn); function(with) != function(without) {
			t.Errorf("seed %d: a width was chosen that gains no more than chance might: began with %s", seed, parameter(with, begunWith))
		}

		s := searchOf(t, widthToChoose(models.EpsilonSVR, 10, 6, 1000), learn)
		if err := s.chooseWidth(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.led[0] == nil {
			continue
		}
		var begun judgement
		curves := make([][]judgement, fewParts)
		for part, led := range s.led[0] {
			of, err := s.short(t.Context(), 0, part, fewParts)
			if err != nil {
				t.Fatal(err)
			}
			begun.add(s.judge(t.Context(), s.objective(led, of.judges), led))
			if _, curves[part], err = s.tryWidth(t.Context(), &of, led.gamma, 1, shortFew); err != nil {
				t.Fatal(err)
			}
		}
		pooled := pool(curves)
		if look := best(pooled); look > 0 && look < len(pooled)-1 {
			if early++; begun.doubt != pooled[look-1].doubt {
				t.Errorf("seed %d: descents go on from a loss of %v, look %d of %+v", seed, begun.doubt, look, pooled)
			}
		}
	}
	if early == 0 {
		t.Error("no short descent was best on its way")
	}
}

// TestWidthsOfVectorsThatStay: where vectors had better stay where they start, the width with which
// they answer held-out rows best is theirs, and that of models like it.
func TestWidthsOfVectorsThatStay(t *testing.T) {
	learn, test := set(t, "waveform", 300, 1), set(t, "waveform", 1000, 2)
	c := widthToChoose(models.CSVC, 1, 5, 60)
	m := trained(t, c, learn)
	gamma := fmt.Sprint(m.Kernel.(kernel.RBF).Gamma)
	if parameter(m, "evaluations") != "0" || gamma == "1" || parameter(m, begunWith) != gamma {
		t.Fatalf("gamma %s, %+v", gamma, m.Provenance.Parameters)
	}
	with := scores(t, m, test).Accuracy()
	like := c.WithSettingsOf(m).(Trainer)
	if again := trained(t, like, learn); function(again) != function(m) {
		t.Errorf("a model like it on the same rows is another one, with %+v", again.Kernel)
	}
	c.Evaluations = 0
	if without := scores(t, trained(t, c, learn), test).Accuracy(); !(with > without+0.02) {
		t.Errorf("%v right, %v with the given width", with, without)
	}
}

// TestLeadAll: of where short descents have led without each of the parts, the one with the least
// objective on all rows is taken.
func TestLeadAll(t *testing.T) {
	of := widthToChoose(models.EpsilonSVR, 100, 6, 30)
	s := searchOf(t, of, set(t, "friedman", 150, 1))
	if err := s.chooseWidth(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.led[0] == nil {
		t.Fatal("no other width is better")
	}
	rows := newChunks(s.x, s.withExtra(s.rows...), s.inputs, s.Vectors, s.y, s.weight)
	start, err := s.begin(t.Context(), choice{loss: Insensitive, cost: 1}, s.rows, rows)
	if err != nil {
		t.Fatal(err)
	}
	best, err := s.leadAll(t.Context(), start, 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for part := range s.led[0] {
		c, err := s.lead(t.Context(), start, 0, part, rows)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, c.value)
	}
	if len(values) != fewParts || best.value != slices.Min(values) || best.value == slices.Max(values) {
		t.Errorf("%v of %v", best.value, values)
	}
}

// TestWidthsToTry: the widths suit the distances between rows, whatever the unit of these; a width
// near the given one is not tried, nor is one that no number can tell.
func TestWidthsToTry(t *testing.T) {
	for _, unit := range []float64{1e-170, 1e-3, 1, 1e6, 1e170} {
		d := set(t, "gauss5", 200, 1)
		for i := range d.X.Len() {
			for k := range d.X.Row(i).Value {
				d.X.Row(i).Value[k] *= unit
			}
		}
		s := searchOf(t, widthToChoose(models.CSVC, 1, 5, 30), d)
		usual := s.usualDistance()
		if unit < 1e-160 || unit > 1e160 { // distances underflow or overflow
			if all := s.gammas(1); usual != 0 || !slices.Equal(all, []float64{1}) {
				t.Errorf("unit %v: %v", unit, all)
			}
			continue
		}
		var below, above int
		for i := range 200 {
			for j := range i {
				sum := 0.0
				for f, v := range d.X.Row(i).Value {
					sum += math.Pow(v-d.X.Row(j).Value[f], 2)
				}
				if sum < usual {
					below++
				} else {
					above++
				}
			}
		}
		if share := float64(below) / float64(below+above); !(math.Abs(share-0.5) < 0.06) {
			t.Errorf("unit %v: %v of the distances are below the usual one", unit, share)
		}
		for k, share := range usualShares {
			given := 1.5 * share / usual
			want := []float64{given}
			for other, share := range usualShares {
				if other != k {
					want = append(want, share/usual)
				}
			}
			if all := s.gammas(given); !slices.Equal(all, want) {
				t.Errorf("unit %v: %v, want %v", unit, all, want)
			}
		}
	}
}

// TestShort: a sample has no row of what is held out, all classes however rare, and at most about
// mostSampled rows. What it is judged by has no row of the sample.
func TestShort(t *testing.T) {
	defer func(most int) { mostSampled = most }(mostSampled)
	mostSampled = 40
	d := set(t, "moons", 300, 1)
	d.Y[7], d.Y[8] = 5, 5
	for i := range d.X.Len() {
		d.X.Row(i).Value[0] = float64(i + 1) // tells rows apart
	}
	of := widthToChoose(models.CSVC, 1, 5, 30)
	s := searchOf(t, of, d)
	rowsOf := func(chunks []chunk) (classes map[int]int, norms []float64) {
		classes = map[int]int{}
		for _, c := range chunks {
			norms = append(norms, c.norms[:c.rows]...)
			for i := range c.rows {
				classes[c.y[i].class]++
			}
		}
		return classes, norms
	}
	for part := range fewParts {
		got, err := s.short(t.Context(), 0, part, fewParts)
		if err != nil {
			t.Fatal(err)
		}
		classes, sampled := rowsOf(got.rows)
		if n := len(sampled); len(classes) != 3 || n < 36 || n > 42 {
			t.Errorf("part %d: a sample of %v", part, classes)
		}
		judged, others := rowsOf(got.judges)
		if n := len(others); n < 94 || n > 102 { // a fifth, and as many as in the sample
			t.Errorf("part %d: %v are judged", part, judged)
		}
		if all := slices.Concat(sampled, others); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("part %d: a row is in the sample and judged, or twice in one of them", part)
		}
	}
}

// TestShortExtra: of extra rows, a sample has the share that it has of the others, and not more than
// mostSampled, but all copies of its rows.
func TestShortExtra(t *testing.T) {
	defer func(most int) { mostSampled = most }(mostSampled)
	mostSampled = 60
	d := set(t, "moons", 150, 1)
	for _, extra := range []int{0, 10, 150, 1000} {
		c := widthToChoose(models.CSVC, 1, 5, 30)
		more := set(t, "moons", extra, 2)
		c.Extra = more
		c.Virtual = twice{}
		s := searchOf(t, c, d)
		of, err := s.short(t.Context(), 0, 0, fewParts)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range of.rows {
			n += c.rows
		}
		want := min(60, (extra+1)/2)
		if n -= 2 * 60; n != want {
			t.Errorf("%d extra rows: %d are sampled, want %d", extra, n, want)
		}
	}
}

// twice makes one copy of each row.
type twice struct{}

func (twice) Rows(d *format.Dataset) (*format.Dataset, []int, error) {
	from := make([]int, d.Len())
	for i := range from {
		from[i] = i
	}
	return &format.Dataset{X: d.X, Y: d.Y}, from, nil
}
