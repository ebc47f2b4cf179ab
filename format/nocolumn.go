package format

import (
	"fmt"
	"strings"
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
