package format

import (
	"fmt"
	"strings"
	"unicode"
)

// A NoColumnError reports a name that no column has.
type NoColumnError struct {
	Column string   // the name
	Names  []string // that there are
	Text   string   // of the error; "": that no column is named so
}

// Error tells the name.
func (e *NoColumnError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("no column is named %q", e.Column)
}

// SameName reports whether two names, or labels, are the same but for capitals and white space around them.
func SameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// ColumnLike returns the name of the only column that has a name but for capitals and white
// space around it.
func (h *Header) ColumnLike(name string) (like string, ok bool) {
	for i := range h.Attributes {
		if !SameName(h.Attributes[i].Name, name) {
			continue
		}
		if ok {
			return "", false
		}
		like, ok = h.Attributes[i].Name, true
	}
	return like, ok
}

// LikeNames finds what ColumnLike does where many names are asked for: the names of columns by what those have in
// common that SameName takes for the same.
type LikeNames map[string][]string

// LikeNames returns the LikeNames of the columns that the header has now.
func (h *Header) LikeNames() LikeNames {
	names := make(LikeNames, len(h.Attributes))
	for i := range h.Attributes {
		name := h.Attributes[i].Name
		names[folded(name)] = append(names[folded(name)], name)
	}
	return names
}

// Only returns what ColumnLike does.
func (names LikeNames) Only(name string) (like string, ok bool) {
	if same := names[folded(name)]; len(same) == 1 {
		return same[0], true
	}
	return "", false
}

// folded returns a name without the white space around it, and with the least of all letters that differ in capitals only.
func folded(name string) string {
	return strings.Map(func(c rune) rune {
		least := c
		for r := unicode.SimpleFold(c); r != c; r = unicode.SimpleFold(r) {
			least = min(least, r)
		}
		return least
	}, strings.TrimSpace(name))
}
