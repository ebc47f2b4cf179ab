package datafile

import (
	"fmt"
	"io"
)

// mostWarnings bounds what is said of labels that training did not know.
const mostWarnings = 20

// Warn returns a function for Rows.Unknown that tells of every label once.
func Warn(path string, stderr io.Writer) func(column, label string) {
	said := map[[2]string]bool{}
	return func(column, label string) {
		key := [2]string{column, label}
		if said[key] || len(said) >= mostWarnings {
			return
		}
		said[key] = true
		fmt.Fprintf(stderr, "WARNING: %s: label %q of column %q does not occur in the training data\n", path, label, column)
		if len(said) == mostWarnings {
			fmt.Fprintln(stderr, "WARNING: more such labels are not listed")
		}
	}
}
