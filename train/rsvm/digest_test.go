package rsvm

import (
	"bytes"
	"errors"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TestColumnsMatter: which vectors of a reduced set belong to a machine is part of the problem:
// sums over the same rows and the same vectors, but with other classes, are refused.
func TestColumnsMatter(t *testing.T) {
	d := made(t, "gauss5", 60)
	for i := range d.Y {
		d.Y[i] = float64(1 + i%3)
	}
	o := testOptions()
	o.Set = Full{}
	c := Classifier{Options: o}
	job := func(labels ...float64) *Job {
		j, err := c.Begin([]int{1, 2, 3}, &format.Dataset{X: d.X.Slice(0, len(labels)), Y: labels})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	sums := func(j *Job) *Partial {
		p, err := j.Sum(t.Context(), rowsOf(d, 0, d.Len()))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b := job(1, 1, 2, 2, 3, 3), job(2, 2, 1, 1, 3, 3)
	of := sums(b)
	if err := sums(a).Add(of); !errors.Is(err, ErrMismatch) {
		t.Errorf("sums of other columns are added: %v", err)
	}
	if _, err := a.Step(t.Context(), of); !errors.Is(err, ErrMismatch) {
		t.Errorf("a step with sums of other columns: %v", err)
	}
	if _, err := job(1, 1, 2, 2, 3, 3).Step(t.Context(), sums(a)); err != nil {
		t.Errorf("a step with sums of an equal job: %v", err)
	}
}

// TestPartialSizes: sums whose Hessian is of another size than the gradient are refused, and not
// written.
func TestPartialSizes(t *testing.T) {
	d := made(t, "gauss5", 100)
	j := newTestJob(t, d, testOptions(), false)
	sums := func() *Partial {
		p, err := j.Sum(t.Context(), rowsOf(d, 0, d.Len()))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for name, change := range map[string]func(s *Sum){
		"none":    func(s *Sum) { s.Hessian = nil },
		"shorter": func(s *Sum) { s.Hessian = s.Hessian[1:] },
		"longer":  func(s *Sum) { s.Hessian = append(s.Hessian, 0) },
	} {
		p := sums()
		change(p.Sums[0])
		if _, err := j.Step(t.Context(), p); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: a step: %v", name, err)
		}
		var b bytes.Buffer
		if err := p.Write(&b); !errors.Is(err, ErrMismatch) || b.Len() > 0 {
			t.Errorf("%s: %d bytes are written, %v", name, b.Len(), err)
		}
		q := sums()
		change(q.Sums[0])
		if err := p.Add(q); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: added: %v", name, err)
		}
	}
	if _, err := j.Step(t.Context(), sums()); err != nil {
		t.Errorf("a step behind those: %v", err)
	}
}
