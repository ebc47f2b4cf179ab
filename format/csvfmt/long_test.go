package csvfmt

import (
	"io"
	"strings"
	"testing"
)

// A record that is too long is a fault where it begins to be, whatever makes it long.
func TestLongRecord(t *testing.T) {
	const most = 1 << 20
	long := strings.Repeat("b", most)
	for _, c := range []struct{ name, text, want string }{
		{"a word", "x,y\n1,2\n" + long + ",3\n", "3: the line is longer than 1 MiB"},
		{"blanks", "x,y\n1,2\n" + strings.Repeat(" ", most) + "\n3,4\n", "3: the line is longer than 1 MiB"},
		{"a cell in quotes", "x,y\n1,2\n\"" + long + "\",3\n", "3: the line is longer than 1 MiB"},
		{"the first line", long + ",3\n", "1: the line is longer than 1 MiB"},
		{"a quote that is not closed", "x,y\n1,2\n3,\"4\n" + strings.Repeat("5,6\n", most/4), "3:3: the quote that opens here is not closed within 1 MiB"},
		{"carriage returns", "x,y\r1,2\r" + long + ",3\r", "3: the line is longer than 1 MiB"},
		{"nearly as long", "x,y\n1,2\n" + long[:most-9] + ",3\n\"" + long[:most/2] + "\n" + long[:most/2-9] + "\",4\n", "EOF"},
	} {
		r := NewReader(strings.NewReader(c.text))
		r.most = most
		_, err := r.Header()
		for err == nil {
			_, err = r.Read()
		}
		if err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if r := NewReader(io.MultiReader()); r.most != mostRecord {
		t.Error("there is no limit")
	}
}
