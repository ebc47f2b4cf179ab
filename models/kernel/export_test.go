package kernel

var forms = map[form]string{asRows: "rows", asPanels: "panels", asSets: "sets", asLists: "lists"}

// FormOf names the form in which a store's rows are held.
func FormOf(s *Store) string { return forms[s.form] }

// GramFormOf names the form in which a Gram's rows are held.
func GramFormOf(g *Gram) string { return forms[g.form] }

// BasisFormOf names the form in which a basis' vectors are held.
func BasisFormOf(b *Basis) string { return forms[b.form] }

// KeepBlocks has bases keep the queries of all their vectors, or none, until the function that it
// returns is called.
func KeepBlocks(keep bool) (restore func()) {
	was := mostBlocks
	if !keep {
		mostBlocks = -1
	}
	return func() { mostBlocks = was }
}
