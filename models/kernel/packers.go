package kernel

import "github.com/slimsvm/slimsvm/format/vec"

// packers are workers that pack rows. do calls f for 0 to n-1, several at once.
type packers struct {
	workers int
	do      func(n int, f func(part int))
	more    func() bool // reports that the rows are still wanted; nil: they are
}

// packValues is the number of values that make another packer worthwhile.
const packValues = 1 << 17

// packStep is the number of rows that are packed before it is asked again whether they are wanted.
const packStep = 8 * vec.PanelRows

// parts returns into how many parts, at most most, to cut the packing of this many values.
func (p packers) parts(values, most int) int { return max(1, min(p.workers, values/packValues, most)) }

// goOn reports whether the rows are still wanted.
func (p packers) goOn() bool { return p.more == nil || p.more() }

// GramWhile is [Store.GramBy] for a Gram that may be wanted no more before large dense rows are
// packed: when more returns false, it soon returns nil. Several goroutines call more at once.
func (s *Store) GramWhile(more func() bool, workers int, do func(n int, f func(part int)), k Kernel, rows []int) *Gram {
	g := s.gram(packers{workers, do, more}, k, rows)
	if !more() {
		g.Release()
		return nil
	}
	return g
}
