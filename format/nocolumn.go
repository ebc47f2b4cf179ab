package format

import (
	"fmt"
	"strings"
	"unicode"
)

// A NoColumnError reports that no column has a name that was asked for.
type NoColumnError struct {
	Column string   // the name that was asked for
	Names  []string // the names that exist
	Text   string   // the message; "": a message that quotes Column
}

// Error returns the message.
func (e *NoColumnError) Error() string {
	if e.Text != "" {
		return e.Text
	}
	return fmt.Sprintf("no column is named %q", e.Column)
}

// SameName reports whether two names or labels are equal except for letter case and surrounding
// white space.
func SameName(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// ColumnLike returns the name of the column that is called name, by the rule of [SameName]. ok is
// false if there is no such column or more than one.
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

// LikeNames maps a name without case and surrounding white space to the names of columns that are
// so called. It answers as [Header.ColumnLike], faster when there are many names to look up.
type LikeNames map[string][]string

// LikeNames returns an index of the present column names, for many calls of [LikeNames.Only].
func (h *Header) LikeNames() LikeNames {
	names := make(LikeNames, len(h.Attributes))
	for i := range h.Attributes {
		name := h.Attributes[i].Name
		names[Folded(name)] = append(names[Folded(name)], name)
	}
	return names
}

// Only returns what [Header.ColumnLike] would return.
func (names LikeNames) Only(name string) (like string, ok bool) {
	if same := names[Folded(name)]; len(same) == 1 {
		return same[0], true
	}
	return "", false
}

// Folded returns a text that is the same for names or labels that [SameName] takes for equal, and for
// no others: the name without the white space around it, and with the least of all letters that
// differ in case only.
func Folded(name string) string {
	return strings.Map(func(c rune) rune {
		least := c
		for r := unicode.SimpleFold(c); r != c; r = unicode.SimpleFold(r) {
			least = min(least, r)
		}
		return least
	}, strings.TrimSpace(name))
}
