package kernel

import (
	"fmt"
	"strings"
)

var forms = map[form]string{asRows: "rows", asPanels: "panels", asWholes: "wholes", asMixed: "mixed", asSets: "sets", asLists: "lists", asTable: "table"}

// FormOf returns the form in which a store's rows are held.
func FormOf(s *Store) string { return forms[s.form] }

// GramFormOf returns the form in which a Gram's rows are held.
func GramFormOf(g *Gram) string { return forms[g.form] }

// BasisFormOf returns the form in which a basis' vectors are held.
func BasisFormOf(b *Basis) string { return forms[b.form] }

// KindsOf returns how many of a store's columns are of each kind.
func KindsOf(s *Store) string {
	k := s.kinds
	if k == nil {
		return "none"
	}
	var kinds []string
	if k.reals > 0 {
		kinds = append(kinds, fmt.Sprintf("%d real", k.reals))
	}
	if k.decimals > 0 {
		kinds = append(kinds, fmt.Sprintf("%d decimal", k.decimals))
	}
	if k.wholes > 0 {
		kinds = append(kinds, fmt.Sprintf("%d whole of %d digits", k.wholes, k.digits))
	}
	return strings.Join(kinds, ", ")
}

// KeepBlocks makes bases keep the queries of all their vectors, or of none, until the function that
// it returns is called.
func KeepBlocks(keep bool) (restore func()) {
	was := mostBlocks
	if !keep {
		mostBlocks = -1
	}
	return func() { mostBlocks = was }
}

// HasTable reports whether a store has a table of all its values for k.
func HasTable(s *Store, k Kernel) bool {
	t := s.tableFor(k, 1)
	return t != nil && t.made.Load()
}

// TablesOf returns the number of tables of values that a store has.
func TablesOf(s *Store) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made()
}

// GammaOf returns the gamma of a Gram's Gaussian kernel.
func GammaOf(g *Gram) float64 { return g.kernel.(RBF).Gamma }

// HasLists reports whether a Gram has lists of its rows.
func HasLists(g *Gram) bool { return g.form == asLists && !g.lists.none }

// OfWholes reports whether a basis' vectors are small whole numbers, multiplied as integers.
func OfWholes(b *Basis) bool { return b.integral }

// InWholes reports whether a batch's rows are held as small whole numbers.
func InWholes(b *Batch) bool { return b.integral }

// StripsOf returns the number of strips that c holds, and how many pieces of memory of strips are
// free.
func StripsOf(c *Classes) (held, free int) { return len(c.strips), len(c.free) }

// HoldStrips makes parts of c compute their own values, as if other goroutines were just computing
// the strips of the first class.
func HoldStrips(c *Classes) {
	for number := range len(c.begin) - 1 {
		if s := c.stripOf(0, number); s != nil {
			s.making.Lock()
		}
	}
}
