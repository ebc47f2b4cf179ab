package csvfmt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Resembling describes a Nominal or String column that probably was meant to be numbers or dates:
//
//   - nearly all its different texts look like numbers with a sign or a unit (50%, $1,234, 12 kg,
//     <0.5, 1 234) or like days and times; or
//   - all its cells are numbers in quotes, and some have fractions or marks between thousands,
//     which labels seldom have; or
//   - all its cells are numbers in quotes, all cells of the table are in quotes, as PostgreSQL's
//     FORCE_QUOTE * writes them, so that quotes say nothing about the column, and it is not the
//     class.
type Resembling struct {
	Attribute    int  // position of the column
	Different    int  // number of different texts
	Numbers      int  // how many of them are, or look like, numbers, or look like days and times
	Dates        bool // they look like days and times
	Quoted       bool // they are numbers in quotes
	Line, Column int  // of the first cell that is not a number
	Text         string
}

// Resembling returns the resembling columns, except those that Nominal names. They are known after
// Header.
func (r *Reader) Resembling() []Resembling { return r.resembling }

// fewestResembling is how many different texts are no accident: fewer may well be labels, as <=50K
// and >50K.
const fewestResembling = 10

// mostAffixes is how many different signs and units a column of numbers has at most. One with more
// may hold codes, as 12a, 12b and so on.
const mostAffixes = 3

// resembles adds column k to the resembling ones if it is one.
func (r *Reader) resembles(k int) {
	c := &r.survey.columns[k]
	different := c.texts.set.Texts()
	switch {
	case len(different) < fewestResembling:
		return // or the texts are only counted
	case c.text == "":
		if k != r.survey.class && r.survey.allQuoted() || slices.ContainsFunc(different, func(s string) bool { return strings.ContainsAny(s, ".,") }) {
			n := len(different)
			r.resembling = append(r.resembling, Resembling{k, n, n, false, true, c.quotedAt.line, c.quotedAt.column, different[0]})
		}
		return
	}
	numbers, with, dates, others := 0, 0, 0, 0
	affixes := map[string]int{}
	for _, s := range different {
		affix, ok := affixOf(s)
		switch {
		case r.kind([]byte(s)) != text:
			numbers++
		case ok:
			with++
			if affixes[affix]++; len(affixes) > fewestResembling {
				return
			}
		case looksLikeDate(s):
			dates++
		case !slices.Contains(missingWords, strings.ToLower(s)):
			others++
		}
	}
	found := Resembling{k, len(different), numbers + with, false, false, c.textAt.line, c.textAt.column, c.text}
	switch {
	case with > 0 && len(affixes) <= mostAffixes:
		others += dates
	case dates > 0:
		others += with
		found.Numbers, found.Dates = dates, true
	default:
		return
	}
	if found.Numbers >= fewestResembling && fewestResembling*others <= found.Numbers {
		r.resembling = append(r.resembling, found)
	}
}

// allQuoted reports whether all cells below the names are in quotes, or missing.
func (s *survey) allQuoted() bool {
	return !slices.ContainsFunc(s.columns, func(c column) bool { return c.quoted < c.cells })
}

// mostUnit is the number of characters that a unit has at most.
const mostUnit = 8

// affixOf returns what stands before and behind a number in a text, with a blank for it; ok is
// false if there is none, or nothing around it.
func affixOf(s string) (affix string, ok bool) {
	if !strings.ContainsAny(s[:min(len(s), 2*utf8.UTFMax)], "0123456789") {
		return "", false
	}
	rest := strings.TrimLeftFunc(s, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.Is(unicode.Sc, c) || strings.ContainsRune("<>=≤≥~≈±+-−(#'", c)
	})
	front := s[:len(s)-len(rest)]
	if hex, is := strings.CutPrefix(strings.ToLower(rest), "0x"); is {
		return "0x", hex != "" && strings.Trim(hex, "0123456789abcdef") == ""
	}
	end := strings.IndexFunc(rest, func(c rune) bool {
		return !unicode.IsSpace(c) && (c < '0' || c > '9') && !strings.ContainsRune(".,'’_", c)
	})
	if end < 0 {
		end = len(rest)
	}
	digits := strings.TrimRightFunc(rest[:end], func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	unit := strings.TrimFunc(rest[len(digits):], unicode.IsSpace)
	plain, grouped := ungrouped(digits)
	if plain == "" || kindOf([]byte(plain)) == text || utf8.RuneCountInString(unit) > mostUnit {
		return "", false
	}
	if strings.ContainsFunc(unit, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.Is(unicode.Sc, c) && !strings.ContainsRune("%‰°²³/+-*)'\".", c)
	}) {
		return "", false
	}
	blank := strings.TrimFunc(s, unicode.IsSpace) != s
	front = strings.TrimLeft(strings.Join(strings.Fields(front), ""), "+-")
	return front + " " + unit, grouped || blank || front != "" || unit != ""
}

// ungrouped returns digits without what stands between thousands, other than commas and points, and
// whether there is such; "" if that stands elsewhere.
func ungrouped(digits string) (plain string, grouped bool) {
	groups := strings.FieldsFunc(digits, func(c rune) bool { return unicode.IsSpace(c) || c == '\'' || c == '’' || c == '_' })
	for i, group := range groups {
		whole, _, _ := strings.Cut(group, ".")
		if i == len(groups)-1 {
			whole, _, _ = strings.Cut(whole, ",")
		}
		if i > 0 && len(whole) != 3 || len(groups) > 1 && i < len(groups)-1 && !digitsOnly([]byte(group)) {
			return "", false
		}
	}
	return strings.Join(groups, ""), len(groups) > 1
}
