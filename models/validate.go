package models

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// Validate returns an error unless m is consistent: counts agree, machines refer to vectors and
// classes that exist, indices of vectors increase, numbers are finite, and integers fit 32 bits, as
// in model files. Rho may be infinite, as in some models of LIBSVM: the machine then gives one
// answer for all rows, that of a regression infinite.
func (m *Model) Validate() error {
	if m == nil {
		return errors.New("no model")
	}
	if m.Task < CSVC || m.Task > NuSVR {
		return fmt.Errorf("unknown task %d", int(m.Task))
	}
	if err := kernel.Validate(m.Kernel); err != nil {
		return err
	}
	if p, ok := m.Kernel.(kernel.Poly); ok && int64(p.Degree) > math.MaxInt32 {
		return fmt.Errorf("degree %d is more than %d", p.Degree, math.MaxInt32)
	}
	if err := m.validateGroups(); err != nil {
		return err
	}
	if err := m.Provenance.validate(); err != nil {
		return err
	}
	var few [8]int // most trainings validate thousands of models of two classes
	start := m.AppendGroupStart(few[:0])
	for i := range m.Machines {
		if err := m.validateMachine(&m.Machines[i], start); err != nil {
			return fmt.Errorf("machine %d: %w", i+1, err)
		}
	}
	if m.Origin != nil && len(m.Origin) != m.Vectors.Len() {
		return fmt.Errorf("%d origins for %d vectors", len(m.Origin), m.Vectors.Len())
	}
	if m.Probability && m.Task.Regresses() && !(finite(m.Noise) && m.Noise >= 0) {
		return fmt.Errorf("noise scale %v, expected a finite number from 0 on", m.Noise)
	}
	if m.Probability && m.Task == OneClass {
		if len(m.DensityMarks) != Marks {
			return fmt.Errorf("%d density marks, expected %d", len(m.DensityMarks), Marks)
		}
		for i, v := range m.DensityMarks {
			if !finite(v) {
				return fmt.Errorf("density mark %v is not finite", v)
			}
			if i > 0 && v < m.DensityMarks[i-1] {
				return fmt.Errorf("density marks do not increase: %v follows %v", v, m.DensityMarks[i-1])
			}
		}
	}
	if i, err := m.Vectors.Fault(); err != nil {
		return fmt.Errorf("vector %d: %w", i+1, err)
	}
	if _, ok := m.Kernel.(kernel.Precomputed); ok {
		for i := range m.Vectors.Len() {
			if _, err := kernel.Serial(m.Vectors.Row(i)); err != nil {
				return fmt.Errorf("vector %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (m *Model) validateGroups() error {
	if !m.Task.Classifies() {
		if len(m.Machines) != 1 || len(m.Labels) != 0 || m.Group != nil || m.Vote != OneVsOne {
			return fmt.Errorf("a model of task %v has one machine and no classes", m.Task)
		}
		return nil
	}
	k := len(m.Labels)
	if k == 0 {
		return errors.New("a classifier without classes")
	}
	seen := make(map[int]bool, k)
	for _, label := range m.Labels {
		if label != int(int32(label)) {
			return fmt.Errorf("label %d, expected %d to %d", label, math.MinInt32, math.MaxInt32)
		}
		if seen[label] {
			return fmt.Errorf("label %d stands for two classes", label)
		}
		seen[label] = true
	}
	if m.Group != nil {
		if err := m.validateGroupSizes(k); err != nil {
			return err
		}
	}
	if k == 1 && m.Vectors.Len() > 0 {
		return fmt.Errorf("%d vectors in a model of one class", m.Vectors.Len())
	}
	return m.validateBank(k)
}

func (m *Model) validateGroupSizes(k int) error {
	if len(m.Group) != k {
		return fmt.Errorf("%d classes but %d counts of vectors", k, len(m.Group))
	}
	total := 0
	for _, n := range m.Group {
		if n < 0 || n > m.Vectors.Len() {
			return fmt.Errorf("a class cannot have %d of %d vectors", n, m.Vectors.Len())
		}
		total += n
	}
	if total != m.Vectors.Len() {
		return fmt.Errorf("the classes have %d vectors, the model %d", total, m.Vectors.Len())
	}
	return nil
}

// validateBank checks that the machines are those that the vote requires for k classes.
func (m *Model) validateBank(k int) error {
	if m.Vote == Ensemble {
		return m.validateEnsemble(k)
	}
	if m.Vote != OneVsOne && m.Vote != OneVsRest {
		return fmt.Errorf("unknown vote %d", int(m.Vote))
	}
	if m.Vote == OneVsRest && m.Group != nil {
		return errors.New("machines of one class against the rest need vectors that are not grouped by class")
	}
	want := m.Vote.machines(k)
	if len(m.Machines) != want {
		return fmt.Errorf("%d machines for %d classes, expected %d", len(m.Machines), k, want)
	}
	pos, neg := m.Vote.first()
	for p := range m.Machines {
		if c := &m.Machines[p]; c.Pos != pos || c.Neg != neg {
			return fmt.Errorf("machine %d is of classes %d and %d, expected %d and %d", p+1, c.Pos, c.Neg, pos, neg)
		}
		pos, neg = m.Vote.next(pos, neg, k)
	}
	return nil
}

func (m *Model) validateMachine(c *Machine, start []int) error {
	if c.Index == nil {
		n := 0
		for _, s := range c.Spans(start) {
			n += s.To - s.From
		}
		if n != len(c.Coef) {
			return fmt.Errorf("%d vectors but %d coefficients", n, len(c.Coef))
		}
	} else if len(c.Index) != len(c.Coef) {
		return fmt.Errorf("%d indices but %d coefficients", len(c.Index), len(c.Coef))
	}
	if math.IsNaN(c.Rho) { // it may be infinite, though: then all rows are inside, or none
		return errors.New("rho is not a number")
	}
	last := int32(-1)
	for _, i := range c.Index {
		if i < 0 || int(i) >= m.Vectors.Len() {
			return fmt.Errorf("no vector %d", i)
		}
		if i <= last {
			return fmt.Errorf("vector %d follows vector %d: indices must increase", i, last)
		}
		last = i
		if s := c.Spans(start); !s[0].has(int(i)) && !s[1].has(int(i)) {
			return fmt.Errorf("vector %d is of neither class", i)
		}
	}
	for _, v := range c.Coef {
		if !finite(v) {
			return fmt.Errorf("coefficient %v is not finite", v)
		}
	}
	if m.Task.Classifies() && m.Probability {
		if c.Sigmoid == nil {
			return errors.New("no probability information")
		}
		if !finite(c.Sigmoid.A) || !finite(c.Sigmoid.B) {
			return fmt.Errorf("sigmoid %v is not finite", *c.Sigmoid)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
