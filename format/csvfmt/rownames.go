package csvfmt

// rowNames is what a sample says of names of rows: R's write.table puts one in front of
// each, and none above them, so that the names of columns are one fewer than cells.
type rowNames struct {
	columns int             // names in the first record
	texts   bool            // they look like names
	quoted  bool            // all of them are in quotes, and those of rows
	rows    int             // records behind the first
	longer  int             // those with one cell more
	seen    map[string]bool // the first cells of those
	last    bool            // the last cell of one of those holds something
}

// first takes the record of the columns' names.
func (n *rowNames) first(r *records) {
	n.columns, n.texts, n.quoted = len(r.cells), true, true
	for k := range r.cells {
		c := &r.cells[k]
		b := r.text(c)
		n.quoted = n.quoted && c.quoted
		n.texts = n.texts && (c.quoted || kindOf(b) == text && len(b) > 0 && string(b) != "?")
	}
}

// add takes another record.
func (n *rowNames) add(r *records) {
	n.rows++
	if len(r.cells) != n.columns+1 {
		return
	}
	n.longer++
	name, last := &r.cells[0], &r.cells[n.columns]
	if b := r.text(name); len(b) > 0 || name.quoted {
		if n.seen == nil {
			n.seen = map[string]bool{}
		}
		n.seen[string(b)] = true
	}
	n.quoted = n.quoted && name.quoted
	n.last = n.last || last.quoted || last.lo < last.hi
}

// are reports whether rows have names: most rows have one cell more than the first record, and
// their first cells are all different.
//
// If a character separates, a single such row may be faulty instead, and a last column may be
// empty, without a name. If there are no quotes, a comma may belong to a number, and a separator to
// the only cell of a record.
func (n *rowNames) are(separator byte, first FirstLine) bool {
	switch {
	case first == FirstLineRow, first == FirstLineDetected && !n.texts:
		return false
	case 2*n.longer <= n.rows, len(n.seen) < n.longer, !n.last:
		return false
	case separator == Blanks:
		return true
	}
	return n.longer > 1 && (n.quoted || separator != ',' && n.columns > 1)
}
