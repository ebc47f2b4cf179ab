package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// Problem: a server answers one row at a time. In a batch of one row all lanes but one are empty,
// and row by row the kernel values take many times as long as a processor needs for them.
//
// Method: the lanes are the vectors of the basis, which are packed once into panels, and the row
// is the query. Each lane sums in the order of the columns, so values have the bits of
// Kernel.EvaluateTo, as those of batches have.

// RowScratch is memory for [Basis.EvaluateRowTo]. The zero value is ready.
type RowScratch struct {
	query, sums []float64
	set         []uint64
	counts      []uint32
}

// transposed are the vectors of a basis as the lanes of panels.
type transposed struct {
	panels vec.Panels    // asPanels
	sets   vec.BitPanels // asSets
}

// fewFull is the number of vectors below which rows without zeros are compared as they are.
const fewFull = 256

// EvaluateRowTo sets dst[i] = K(x, zs[i]) for all vectors of the basis. dst has a place for each.
func (z *Basis) EvaluateRowTo(dst []float64, x vec.Vector, w *RowScratch) {
	done := false
	switch full := z.columns.aligned && len(x.Index) == z.columns.count && z.Len() < fewFull; {
	case z.form == asPanels && !full && !z.large(8*z.columns.count):
		done = z.panelRowTo(dst, x, w)
	case z.form == asSets:
		done = z.setRowTo(dst, x, w)
	}
	if !done {
		z.kernel.EvaluateTo(dst, x, z.zs)
	}
}

// transpose packs the vectors into panels.
func (z *Basis) transpose() *transposed {
	t := new(transposed)
	if z.form == asSets {
		t.sets.Reset(z.Len(), z.columns.count)
	} else {
		t.panels.Reset(z.Len(), z.columns.count)
	}
	for i := range z.Len() {
		if z.form == asSets {
			t.sets.Set(i, z.zs.Row(i), z.columns.of)
		} else {
			t.panels.Set(i, z.zs.Row(i), z.columns.of)
		}
	}
	return t
}

// rowPanels returns the number of panels of the vectors, and that of their lanes.
func (z *Basis) rowPanels() (panels, lanes int) {
	panels = (z.Len() + vec.PanelRows - 1) / vec.PanelRows
	return panels, panels * vec.PanelRows
}

// panelRowTo is EvaluateRowTo for real numbers. It returns false if the values for x depend on more
// than the columns of the basis, or if x is not finite.
func (z *Basis) panelRowTo(dst []float64, x vec.Vector, w *RowScratch) bool {
	if !finite(x) {
		return false
	}
	query := room(&w.query, z.columns.count)
	clear(query)
	for k, index := range x.Index {
		if c := z.columnOf(index); c >= 0 {
			query[c] = x.Value[k]
		} else if x.Value[k] != 0 && z.byDistance() {
			return false
		}
	}
	t := z.transposed.of(z, (*Basis).transpose)
	panels, lanes := z.rowPanels()
	sums := room(&w.sums, lanes)
	if k, is := z.kernel.(RBF); is {
		t.panels.DistancesTo(sums, lanes, query, 1, 0, panels)
		expScaled(dst, sums[:len(dst)], -k.Gamma)
		return true
	}
	t.panels.DotsTo(sums, lanes, query, 1, 0, panels)
	copy(dst, sums)
	FromDots(z.kernel, dst)
	return true
}

// setRowTo is EvaluateRowTo for sets. It returns false if x is no set of such values, or has more
// other columns than the table of values allows for.
func (z *Basis) setRowTo(dst []float64, x vec.Vector, w *RowScratch) bool {
	set := room(&w.set, vec.Words(z.columns.count))
	clear(set)
	out := 0
	for k, index := range x.Index {
		switch v := x.Value[k]; {
		case v == 0:
			continue
		case v != z.columns.constant:
			return false
		}
		if c := z.columnOf(index); c >= 0 {
			set[c/64] |= 1 << (c % 64)
		} else {
			out++
		}
	}
	t := z.transposed.of(z, (*Basis).transpose)
	panels, lanes := z.rowPanels()
	counts := room(&w.counts, lanes)
	if !z.byDistance() {
		t.sets.CommonTo(counts, lanes, set, 1, 0, panels)
		out = 0
	} else if out > z.columns.count {
		return false
	} else {
		t.sets.HammingTo(counts, lanes, set, 1, 0, panels)
	}
	for i := range dst {
		dst[i] = z.table[int(counts[i])+out]
	}
	return true
}

// columnOf returns the column of an index, -1 if no vector has one.
func (z *Basis) columnOf(index int32) int32 {
	if int(index) < len(z.columns.of) {
		return z.columns.of[index]
	}
	return -1
}
