package main

import (
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/suggest"
)

// unknown is the wrong usage of a word that is none of those that are known, such as
// no method "x".
func unknown(what, word string, known []string) error {
	return suggesting(usagef("no %s %q: there are %s", what, word, strings.Join(known, ", ")), word, known)
}

// suggesting adds to an error of a word the known words that may be meant.
func suggesting(err error, word string, known []string) error {
	return didYouMean(err, suggest.Likely(word, known))
}

func didYouMean(err error, meant []string) error {
	if len(meant) == 0 {
		return err
	}
	return hinted{err, fmt.Sprintf("did you mean %s?", strings.Join(meant, " or "))}
}
