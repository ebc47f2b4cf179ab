package rangefile

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBeforeMark(t *testing.T) {
	long := strings.Repeat("1 0 1 ", 3000)
	for _, c := range []struct {
		text, before, rest string
		found              string
	}{
		{"", "", "", ""},
		{"x\n0 1\n", "x\n0 1\n", "", ""},
		{"x\n0 1", "x\n0 1", "", ""},
		{"x\nslimsvm inputs\nrest\nmore", "x\n", "rest\nmore", inputsMark},
		{"x\r\nslimsvm inputs\r\nrest", "x\r\n", "rest", inputsMark},
		{"slimsvm inputs\n", "", "", inputsMark},
		{"x\nslimsvm inputs", "x\nslimsvm inputs", "", ""},
		{"x slimsvm inputs\nslimsvm inputs \n", "x slimsvm inputs\nslimsvm inputs \n", "", ""},
		{"x\n0 1\ncolumns\r\n1 \"a\"\nslimsvm inputs\n", "x\n0 1\n", "1 \"a\"\nslimsvm inputs\n", columnsMark},
		{"x\ncolumns 2\n columns\n", "x\ncolumns 2\n columns\n", "", ""},
		{long + "slimsvm inputs\n" + long + "\nslimsvm inputs\n!", long + "slimsvm inputs\n" + long + "\n", "!", inputsMark},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			b := &beforeMark{r: bufio.NewReader(r), lineStart: true}
			if err := iotest.TestReader(struct{ io.Reader }{b}, []byte(c.before)); err != nil {
				t.Errorf("%.60q: %v", c.text, err)
			}
			if rest, err := io.ReadAll(b.r); b.found != c.found || err != nil || c.found != "" && string(rest) != c.rest {
				t.Errorf("%.60q: found %q, rest %q, %v", c.text, b.found, rest, err)
			}
		}
	}
}
