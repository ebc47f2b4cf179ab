package csvfmt

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
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

// A record of many lines takes no more memory than its text, some times over since it grows, and
// its cells have their places.
func TestManyLines(t *testing.T) {
	const lines = 1 << 20
	text := "x,y\n1,\"" + strings.Repeat("\n", lines) + "\"\n2,\"" + strings.Repeat("\n", lines) + "\", \"\n\"x\n"
	r := NewReader(strings.NewReader(text))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in, err := r.Read()
	runtime.ReadMemStats(&after)
	if err != nil || in.X.At(0) != 1 {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 32*lines {
		t.Errorf("%d bytes were taken for %d", used, len(text))
	}
	want := fmt.Sprintf("%d:2: expected ',' or the end of the line behind the closing quote, found \"x\"", 3+2*lines+1)
	if _, err = r.Read(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Places in a record of several lines are the same in whatever order they are asked for.
func TestPlaces(t *testing.T) {
	text := "\xef\xbb\xbfa,\"b\n\n\",c,\"d\r\n e\",f\n"
	r := records{dialect: dialect{separator: ',', quote: '"'}, lines: textscan.NewLines(strings.NewReader(text)), most: mostColumns, bytes: mostRecord}
	if err := r.next(); err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 1, 3}} {
		for _, k := range order {
			if got, want := r.place(r.cells[k].at), []place{{1, 4}, {1, 6}, {3, 3}, {3, 5}, {4, 5}}[k]; got != want {
				t.Errorf("in the order %v, cell %d is at %v, want %v", order, k, got, want)
			}
		}
	}
}
