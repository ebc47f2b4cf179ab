package kernel

// FormOf names the form in which a store's rows are held.
func FormOf(s *Store) string {
	return map[form]string{asRows: "rows", asPanels: "panels", asSets: "sets", asLists: "lists"}[s.form]
}
