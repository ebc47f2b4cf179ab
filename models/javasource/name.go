package javasource

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/models/internal/plan"
)

// reserved has the words that cannot be names, or names of classes, in Java. own has the names that
// the file uses itself.
var (
	reserved = strings.Fields(`_ abstract assert boolean break byte case catch char class const continue default do double
		else enum extends false final finally float for goto if implements import instanceof int interface long
		native new null package permits private protected public record return sealed short static strictfp super switch
		synchronized this throw throws transient true try var void volatile while yield`)
	own = strings.Fields(`Double IllegalArgumentException Integer Math Number Object String SuppressWarnings java`)
)

// CheckName returns an error unless a class may have the name. Package names may come first,
// separated by dots.
func CheckName(name string) error {
	words := strings.Split(name, ".")
	for i, word := range words {
		if !plan.Identifier(word) {
			return fmt.Errorf("%q is no name of a class in Java: expected letters, digits and _, no digit first, and dots after the names of packages", name)
		}
		if slices.Contains(reserved, word) {
			return fmt.Errorf("%q is no name of a class in Java: %s is a word of the language", name, word)
		}
		if i == len(words)-1 && slices.Contains(own, word) || i == 0 && word == "java" {
			return fmt.Errorf("%q is no name for the class: Java's own %s is used in it", name, word)
		}
	}
	return nil
}
