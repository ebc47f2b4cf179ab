package psvm

import (
	"math/rand/v2"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// TestMostWeights: machines have one hyperplane, which is reported, if rows times pairs of classes
// times features, or values of a few rows, are more than MostWeights.
func TestMostWeights(t *testing.T) {
	const rows, values = 1 << 10, 32
	x := new(vec.Matrix)
	far := new(vec.Matrix) // each row has features of its own
	for i := range rows {
		var v, w vec.Vector
		for f := range values {
			v.Index, v.Value = append(v.Index, int32(f+1)), append(v.Value, float64(i+f+1))
			w.Index, w.Value = append(w.Index, int32(i*values+f+1)), append(w.Value, float64(i+f+1))
		}
		x.Append(v)
		far.Append(w)
	}
	// with 4096 pairs or more there are too many weights
	const few, many = 91, 92 // classes with 4095 and 4186 pairs
	for n, c := range []struct {
		x       *vec.Matrix
		classes int
		change  func(*Trainer)
		single  bool
	}{
		{x, few, func(*Trainer) {}, false},
		{x, many, func(*Trainer) {}, true},
		{x, many, func(s *Trainer) { s.Pairs = true }, false},
		{x, many, func(s *Trainer) { s.Rows = 1000 }, false},
		{x, many, func(s *Trainer) { s.Sampling = 2 }, false},
		{x, many, func(s *Trainer) { s.Sampling, s.FirstShare, s.NextShare = 2, 0.5, 0.5 }, true},
		{x, many, func(s *Trainer) { s.Iterations = 0 }, false},
		{x, many, func(s *Trainer) { s.Iterations, s.Negatives = 0, few-1 }, false},
		{x, many, func(s *Trainer) { s.Iterations, s.Negatives = 0, many-1 }, true},
		// 32768 features, of which 8 rows have 256
		{far, 32, func(*Trainer) {}, false}, // 496 pairs
		{far, 33, func(*Trainer) {}, true},  // 528
	} {
		s := Default()
		c.change(&s)
		told := 0
		s.Report = func(e train.Event) {
			if _, is := e.(train.OneHyperplane); is {
				told++
			}
		}
		if s.limit(c.x, c.classes); s.Single != c.single || (told == 1) != c.single {
			t.Errorf("case %d: one hyperplane %v, told %d times", n, s.Single, told)
		}
	}
}

// TestWeightsLimited: a training beyond the limit has machines of one hyperplane.
func TestWeightsLimited(t *testing.T) {
	d := clouds(1<<10, 92, 32, 1, rand.New(rand.NewPCG(4, 1)))
	for _, negatives := range []int{7, 91} {
		s := Default()
		s.Iterations, s.Negatives, s.Validation, s.Ballot = 0, negatives, 0, models.ByCount
		m, err := s.Train(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if one := negatives == 91; (parameter(m, "one_hyperplane") == "1") != one || (len(m.Machines) == m.CountMembers()) != one {
			t.Errorf("%d negatives: %d hyperplanes of %d machines, %v", negatives, len(m.Machines), m.CountMembers(), m.Provenance.Parameters)
		}
	}
}
