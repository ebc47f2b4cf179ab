package scan

import "fmt"

// A Walk is iterations on few variables as long as nothing has to be done beside them: rows
// are there, and variables stay within their boxes. All slices but Rows have one length, the
// number of variables, and sets have room for it.
type Walk struct {
	F, Diag, B, Lower, Upper []float64

	// Row i, for all variables, begins at i*Stride, if i is in Have.
	Rows   []float32
	Stride int
	Have   Set

	// Pairs are of one group each, of which there are one or two.
	Up, Low []Set

	Tolerance float64
}

// Free makes up to most iterations and returns how many it has made. An iteration takes of each
// group the variable where F is lowest with its partner (Second), of these pairs the one with the
// larger gain, in ties that with the later partner, j, and moves
//
//	b_i += step, b_j -= step,  step = (f_j - f_i) / (K_ii + K_jj - 2 K_ij),
//
// where a denominator that is not positive counts as Tau. It is not begun if no group's interval
// is Tolerance or more, if there is no pair, if a row is missing, or unless both variables are in
// both sets and, after it, between Lower and Upper. ends are those of F, one for each group.
func (w *Walk) Free(ends []Extremes, most int) (done int) {
	n := len(w.F)
	for _, x := range [][]float64{w.Diag, w.B, w.Lower, w.Upper} {
		checkLength(n, len(x))
	}
	checkSets(n, w.Have, w.Have)
	if len(w.Up) != len(ends) || len(w.Low) != len(ends) || len(ends) == 0 || len(ends) > 2 {
		panic(fmt.Sprintf("scan: %d groups of variables and %d of ends", len(w.Up), len(ends)))
	}
	for g := range w.Up {
		checkSets(n, w.Up[g], w.Low[g])
	}
	if w.Stride < n || n > 0 && len(w.Rows) < (n-1)*w.Stride+n {
		panic(fmt.Sprintf("scan: %d values of %d rows with %d from one to the next", len(w.Rows), n, w.Stride))
	}
	if n == 0 {
		return 0
	}
	p := in()
	if p.walk != nil {
		return p.walk(w, ends, most)
	}
	return p.walkBySteps(w, ends, most)
}

// row returns row i, nil if it is not there.
func (w *Walk) row(i int) []float32 {
	if !w.Have.Has(i) {
		return nil
	}
	return w.Rows[i*w.Stride:][:len(w.F)]
}

// walkBySteps is Free by the other passes.
func (p *implementation) walkBySteps(w *Walk, ends []Extremes, most int) (done int) {
	for ; done < most; done++ {
		violated := false
		for _, e := range ends {
			violated = violated || e.Highest-e.Lowest >= w.Tolerance
		}
		if !violated {
			return done
		}
		i, best, group := -1, nobody, 0
		var x []float32
		for g, e := range ends {
			if e.I < 0 {
				continue
			}
			row := w.row(e.I)
			if row == nil {
				return done
			}
			second := p.second(w.F, row, w.Diag, w.Diag[e.I], e.Lowest, w.Low[g])
			if second.J >= 0 && (best.J < 0 || second.Gain > best.Gain || second.Gain == best.Gain && second.J > best.J) {
				i, best, group, x = e.I, second, g, row
			}
		}
		j := best.J
		if j < 0 || !w.Low[group].Has(i) || !w.Up[group].Has(j) {
			return done
		}
		y := w.row(j)
		if y == nil {
			return done
		}
		a := w.Diag[i] + w.Diag[j] - float64(2*float64(x[j]))
		if a <= 0 {
			a = Tau
		}
		step := (w.F[j] - w.F[i]) / a
		bi, bj := w.B[i]+step, w.B[j]-step
		if !(w.Lower[i] < bi && bi < w.Upper[i] && w.Lower[j] < bj && bj < w.Upper[j]) {
			return done
		}
		di, dj := bi-w.B[i], bj-w.B[j]
		w.B[i], w.B[j] = bi, bj
		ends[0] = p.step(w.F, x, y, di, dj, w.Up[0], w.Low[0])
		if len(ends) > 1 {
			ends[1] = p.look(w.F, w.Up[1], w.Low[1])
		}
	}
	return done
}
