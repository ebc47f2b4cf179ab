package smo

import (
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// single makes a model of one machine. Its vectors are the rows whose coefficient is not zero.
func single(task models.Task, k kernel.Kernel, d *format.Dataset, r *Result) *models.Model {
	m := &models.Model{Task: task, Kernel: k}
	n := 0
	for _, b := range r.B {
		if b != 0 {
			n++
		}
	}
	machine := models.Machine{Rho: r.Rho, Coef: make([]float64, 0, n)}
	rows := make([]int, 0, n)
	m.Origin = make([]int, 0, n)
	for i, b := range r.B {
		if b == 0 {
			continue
		}
		machine.Coef = append(machine.Coef, b)
		rows = append(rows, i)
		m.Origin = append(m.Origin, i+1)
	}
	m.Vectors = train.SelectVectors(k, d, rows)
	m.Machines = []models.Machine{machine}
	return m
}

// report completes e with the result and sends it. A coefficient counts as bounded if its size is
// at least bound of its row.
func report(to train.Report, r *Result, bound func(i int) float64, e train.Solved) {
	e.Iterations, e.Objective, e.Rho = r.Iterations, r.Objective, r.Rho
	for i, b := range r.B {
		if b != 0 {
			e.Vectors++
			if math.Abs(b) >= bound(i) {
				e.Bounded++
			}
		}
	}
	to.Send(e)
}
