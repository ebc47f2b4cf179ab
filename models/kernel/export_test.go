package kernel

var forms = map[form]string{asRows: "rows", asPanels: "panels", asSets: "sets", asLists: "lists"}

// FormOf names the form in which a store's rows are held.
func FormOf(s *Store) string { return forms[s.form] }

// BasisFormOf names the form in which a basis' vectors are held.
func BasisFormOf(b *Basis) string { return forms[b.form] }
