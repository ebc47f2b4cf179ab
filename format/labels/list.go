package labels

import (
	"fmt"
	"strings"
)

// listWidth is the number of bytes up to which List goes on.
const listWidth = 100

// List lists labels for a message that says which are expected: the first ones, quoted, and how
// many others there are.
func List(labels []string, quote func(label string) string) string {
	var list strings.Builder
	for k, label := range labels {
		if list.Len() > listWidth {
			fmt.Fprintf(&list, " or %d others", len(labels)-k)
			break
		}
		if k > 0 {
			list.WriteString(", ")
		}
		list.WriteString(quote(label))
	}
	return list.String()
}
