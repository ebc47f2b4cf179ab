package csvfmt

import "strings"

// looksLikeDate reports whether a text is a day, with a time behind it or without one, or a time.
// A regular expression would say it in four lines, but the programs that read CSV would begin later.
func looksLikeDate(s string) bool {
	if rest, ok := cutDay(s); ok {
		if rest == "" {
			return true
		}
		_, ok = cutClock(rest[1:])
		return ok && (rest[0] == ' ' || rest[0] == 'T') && !strings.Contains(rest, "\n")
	}
	rest, ok := cutClock(s)
	if !ok {
		return false
	}
	if len(rest) >= 3 && rest[0] == ':' && digitsOf(rest[1:3]) == 2 {
		rest = rest[3:]
		if n := digitsOf(strings.TrimPrefix(rest, ".")); n > 0 && rest[0] == '.' {
			rest = rest[1+n:]
		}
	}
	rest = strings.ToLower(strings.TrimPrefix(rest, " "))
	return rest == "am" || rest == "pm" || rest == "" && !strings.HasSuffix(s, " ")
}

// cutDay returns what stands behind a day: 2024-1-31, 31.1.2024, 31/1/24, 31 Jan 2024.
func cutDay(s string) (rest string, ok bool) {
	first := digitsOf(s)
	if first != 1 && first != 2 && first != 4 || first == len(s) {
		return s, false
	}
	mark, rest := s[first], s[first+1:]
	if month, ok := cutMonth(rest); ok && first <= 2 && strings.IndexByte("- ", mark) >= 0 {
		n := digitsOf(month)
		return month[n:], 2 <= n && n <= 4
	}
	second := digitsOf(rest)
	if second != 1 && second != 2 || second == len(rest) {
		return s, false
	}
	marks := string([]byte{mark, rest[second]})
	rest = rest[second+1:]
	third := digitsOf(rest)
	switch {
	case strings.Trim(marks, "-/.") != "":
	case first == 4:
		ok = third == 1 || third == 2
	default:
		ok = third == 4 || third == 2 && strings.IndexByte(marks, '.') < 0
	}
	return rest[third:], ok
}

// cutMonth returns what stands behind the name of a month and a mark.
func cutMonth(s string) (rest string, ok bool) {
	const months = "jan feb mar apr may jun jul aug sep oct nov dec"
	if len(s) < 4 || strings.IndexByte(s[:3], ' ') >= 0 || !strings.Contains(months, strings.ToLower(s[:3])) {
		return s, false
	}
	s = strings.TrimLeft(s[3:], "abcdefghijklmnopqrstuvwxyz")
	if s == "" || strings.IndexByte("- ", s[0]) < 0 {
		return s, false
	}
	return s[1:], true
}

// cutClock returns what stands behind the hour and minute of a time.
func cutClock(s string) (rest string, ok bool) {
	n := digitsOf(s)
	if n != 1 && n != 2 || len(s) < n+3 || s[n] != ':' || digitsOf(s[n+1:n+3]) != 2 {
		return s, false
	}
	return s[n+3:], true
}

// digitsOf returns how many digits a text begins with.
func digitsOf(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
