package csvfmt

// missingTexts are the texts that stand for a missing value.
type missingTexts struct {
	all         [][]byte // ? among them
	given       [][]byte // see Reader.Missing, and the empty text: in quotes too, where numbers are
	likeNumbers bool     // some look like numbers
}

// newMissingTexts returns ?, the empty text and the given words.
func newMissingTexts(words []string) (m missingTexts) {
	m.given = [][]byte{{}}
	for _, word := range words {
		m.given = append(m.given, []byte(word))
		m.likeNumbers = m.likeNumbers || isValue(word)
	}
	m.all = append([][]byte{[]byte("?")}, m.given...)
	return m
}

// is reports whether a cell with this text stands for a missing value.
func (m *missingTexts) is(c *cell, text []byte) bool {
	if c.quoted {
		return false
	}
	if len(text) == 0 {
		return true
	}
	return isOneOf(m.all, text)
}

// isAmongNumbers reports whether a cell in quotes stands for a missing value among numbers.
func (m *missingTexts) isAmongNumbers(quoted bool, text []byte) bool {
	return quoted && isOneOf(m.given, text)
}

func isOneOf(words [][]byte, b []byte) bool {
	for _, m := range words {
		if string(m) == string(b) {
			return true
		}
	}
	return false
}
