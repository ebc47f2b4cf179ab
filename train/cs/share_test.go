package cs

import (
	"math"
	"slices"
	"testing"

	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// sharing returns a trainer, machines' problems, and classifiers over points of their own, of which
// the first has none.
func sharing(t *testing.T, k kernel.Kernel) (*Trainer, []*train.Problem, []Result, []float64) {
	tr := &Trainer{Settings: Default(), Kernel: k}
	d := manyClasses(6, 40)
	classes, err := train.GroupClasses(d.Y, nil)
	if err != nil {
		t.Fatal(err)
	}
	problems, err := tr.problems(t.Context(), d, classes, new(models.Model))
	if err != nil {
		t.Fatal(err)
	}
	var found []Result
	var nu []float64
	for i, p := range problems {
		r := Result{}
		for j := range 8 * min(i, 1) {
			r.Points, r.Coef = append(r.Points, p.X.Row(j*7)), append(r.Coef, 1)
		}
		found, nu = append(found, r), append(nu, float64(i%3)+0.5)
	}
	return tr, problems, found, nu
}

// TestChoose: machines that begin with their own points end with the classifiers that they have
// over the points of all machines, although they only use some of these, and add few at a time.
func TestChoose(t *testing.T) {
	defer func(wide, most int) { wideShare, addedMost = wide, most }(wideShare, addedMost)
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 0.7}, kernel.Poly{Degree: 2, Gamma: 3, Coef0: 1}} {
		tr, problems, found, nu := sharing(t, k)
		wideShare = math.MaxInt
		points, _, want, err := tr.share(t.Context(), problems, found, nu, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{3, 100} {
			wideShare, addedMost = 1, most
			same, places, got, err := tr.share(t.Context(), problems, found, nu, 0)
			if err != nil || len(same) != len(points) {
				t.Fatalf("%d points of %d, %v", len(same), len(points), err)
			}
			for i := range problems {
				g, w := &got[i], &want[i]
				if !(math.Abs(g.Objective-w.Objective) <= 1e-8*(1+w.Objective)) {
					t.Errorf("%v, machine %d: objective %v, over all points %v", k, i, g.Objective, w.Objective)
				}
				if g.Used != len(places[i]) || g.Used != len(g.Coef) || g.Right != w.Right || !slices.IsSorted(places[i]) {
					t.Errorf("%v, machine %d: %d points at %v, %d right of %d", k, i, g.Used, places[i], g.Right, w.Right)
				}
				for n, j := range places[i] {
					if !slices.Equal(g.Points[n].Value, points[j].Value) {
						t.Fatalf("%v, machine %d: point %d is not the one at %d", k, i, n, j)
					}
				}
			}
		}
	}
}
