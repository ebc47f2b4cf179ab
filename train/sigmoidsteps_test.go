package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// newtonFit is what newtonSigmoid finds.
type newtonFit struct {
	sigmoid models.Sigmoid
	event   Event // nil: the fit converged
	ties    int   // steps with exactly the largest loss that is not accepted
}

// newtonSigmoid follows Algorithm 1 of Lin, Lin and Weng one row at a time, with its sums in order
// of the rows. weight returns the weight of row i.
func newtonSigmoid(values, labels []float64, weight func(i int) float64) (r newtonFit) {
	pos, neg := 0.0, 0.0
	for i, y := range labels {
		if y > 0 {
			pos += weight(i)
		} else {
			neg += weight(i)
		}
	}
	target := func(i int) float64 {
		if labels[i] > 0 {
			return (pos + 1) / (pos + 2)
		}
		return 1 / (neg + 2)
	}
	at := func(s models.Sigmoid, f float64) float64 { return float64(s.A*f) + s.B }
	loss := func(s models.Sigmoid) (sum float64) {
		for i, f := range values {
			z, own := at(s, f), 0.0
			if z >= 0 {
				own = float64(target(i)*z) + kernel.Log(1+kernel.Exp(-z))
			} else {
				own = float64((target(i)-1)*z) + kernel.Log(1+kernel.Exp(z))
			}
			sum += float64(weight(i) * own)
		}
		return sum
	}
	r.sigmoid.B = kernel.Log((neg + 1) / (pos + 1))
	least := loss(r.sigmoid)
	for range 100 {
		haa, hab, hbb, ga, gb := 1e-12, 0.0, 1e-12, 0.0, 0.0
		for i, f := range values {
			z := at(r.sigmoid, f)
			e := kernel.Exp(-math.Abs(z))
			p, q := 1/(1+e), e/(1+e) // of z < 0
			if z >= 0 {
				p, q = q, p
			}
			second, first := float64(float64(p*q)*weight(i)), float64((target(i)-p)*weight(i))
			haa += float64(float64(f*f) * second)
			hab += float64(f * second)
			hbb += second
			ga += float64(f * first)
			gb += first
		}
		if math.Abs(ga) < 1e-5 && math.Abs(gb) < 1e-5 {
			return r
		}
		det := float64(haa*hbb) - float64(hab*hab)
		da := -(float64(hbb*ga) - float64(hab*gb)) / det
		db := -(float64(haa*gb) - float64(hab*ga)) / det
		decrease := float64(ga*da) + float64(gb*db)
		step := 1.0
		for ; step >= 1e-10; step /= 2 {
			next := models.Sigmoid{A: r.sigmoid.A + float64(step*da), B: r.sigmoid.B + float64(step*db)}
			got, limit := loss(next), least+float64(float64(1e-4*step)*decrease)
			if got == limit {
				r.ties++
			}
			if got < limit {
				r.sigmoid, least = next, got
				break
			}
		}
		if step < 1e-10 {
			r.event = CalibrationStuck{}
			return r
		}
	}
	r.event = CalibrationLimit{}
	return r
}

// TestSigmoidSteps: the fit makes the steps of the algorithm, to the last bit, with weights and
// without: also where it gets stuck or comes to its limit, and where a step has exactly the loss
// that does not suffice.
func TestSigmoidSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ties := 0
	ends := map[Event]int{}
	for seed := range 6000 {
		n := 2 + r.IntN(20)
		if seed%100 == 0 {
			n += 2 * lossPart
		}
		values, labels := calibrationData(r, n, math.Ldexp(1, r.IntN(40)-10), 3*r.Float64())
		switch r.IntN(4) {
		case 0: // one value is far away
			values[r.IntN(n)] *= math.Ldexp(1, r.IntN(50))
		case 1: // all are far from 0: A and B nearly cancel
			shift := math.Ldexp(1, r.IntN(30))
			for i := range values {
				values[i] += shift
			}
		}
		if seed%5 == 0 { // a label of 0 is not positive
			for i, y := range labels {
				labels[i] = max(y, 0)
			}
		}
		var weights []float64
		weight := func(int) float64 { return 1 }
		if seed%3 == 0 {
			for range n {
				weights = append(weights, []float64{0.5, 1, 4}[r.IntN(3)])
			}
			units := slices.Clone(inUnits(weights))
			if units != nil {
				weight = func(i int) float64 { return units[i] }
			}
		}
		want := newtonSigmoid(values, labels, weight)
		ties += want.ties
		ends[want.event]++
		var events []Event
		got := FitWeightedSigmoid(values, labels, weights, func(e Event) { events = append(events, e) })
		if got != want.sigmoid {
			t.Errorf("seed %d, %d rows, weights %v: %v, want %v", seed, n, weights != nil, got, want.sigmoid)
		}
		if said := []Event{want.event}; want.event != nil && !slices.Equal(events, said) || want.event == nil && len(events) > 0 {
			t.Errorf("seed %d: events %#v, want %#v", seed, events, want.event)
		}
	}
	t.Logf("%d ties, ends %#v", ties, ends)
	if ties < 100 || ends[nil] < 100 || ends[CalibrationStuck{}] < 100 || ends[CalibrationLimit{}] == 0 {
		t.Errorf("hardly anything tested: %d ties, ends %#v", ties, ends)
	}
}
