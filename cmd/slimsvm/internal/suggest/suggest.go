// Package suggest finds the words that are meant where one is misspelt.
package suggest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// MaxSuggestions is the largest number of suggestions that are of use.
const MaxSuggestions = 3

// Likely returns the known words that a word may be meant for, nil if there are none or
// too many: those that the fewest slips make it of, one or as many as a third of its
// letters at most; or else those that it begins.
func Likely(word string, known []string) []string {
	var meant []string
	least := max(1, len(word)/3)
	for _, k := range known {
		n := slips(word, k)
		if n > least || len(k) < 2 {
			continue
		}
		if n < least {
			meant, least = nil, n
		}
		meant = append(meant, k)
	}
	if meant == nil && len(word) > 1 {
		for _, k := range known {
			if strings.HasPrefix(k, word) {
				meant = append(meant, k)
			}
		}
	}
	if len(meant) > MaxSuggestions {
		return nil
	}
	return meant
}

// slips returns how many letters have to be added, left out, replaced, or exchanged with
// the next one to make b of a: Damerau's distance, where no letter changes twice.
func slips(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(last[j+1]+1, row[j]+1)
			switch {
			case a[i] == b[j]:
				row[j+1] = min(row[j+1], last[j])
			case i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j]:
				row[j+1] = min(row[j+1], before[j-1]+1)
			default:
				row[j+1] = min(row[j+1], last[j]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Columns returns the hint for a name that no column has: the names that may be meant, "" for none. Those
// that are the same but for capitals and white space go before those that slips make. A list of columns is told
// to be one.
func Columns(e *format.NoColumnError) string {
	if isList(e) {
		return "that is a list, and an option names one column; --drop and --nominal can be repeated"
	}
	var meant []string
	for _, name := range e.Names {
		if format.SameName(name, e.Column) {
			meant = append(meant, name)
		}
	}
	if meant == nil {
		meant = Likely(e.Column, e.Names)
	}
	for i := range meant {
		meant[i] = strconv.Quote(meant[i])
	}
	if len(meant) == 0 || len(meant) > MaxSuggestions {
		return ""
	}
	return fmt.Sprintf("did you mean %s?", strings.Join(meant, " or "))
}

// isList reports whether a name that no column has is several columns with commas between them, or a range of
// their numbers.
func isList(e *format.NoColumnError) bool {
	isNumber := func(s string) bool {
		n, err := strconv.Atoi(s)
		return err == nil && n >= 1 && n <= len(e.Names)
	}
	names := strings.Split(e.Column, ",")
	ranges := 0
	for _, name := range names {
		name = strings.TrimSpace(name)
		from, to, is := strings.Cut(name, "-")
		switch {
		case is && isNumber(from) && isNumber(to):
			ranges++
		case name == "first" || name == "last" || isNumber(name):
		case !slices.ContainsFunc(e.Names, func(s string) bool { return format.SameName(s, name) }):
			return false
		}
	}
	return len(names)+ranges > 1
}
