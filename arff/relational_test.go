package arff

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format"
)

// relation returns a text whose only row holds a relation of numbers with these lines.
func relation(lines ...string) string {
	return "@relation r\n@attribute t relational\n@attribute a numeric\n@end t\n@data\n'" + strings.Join(lines, `\n`) + "'\n"
}

// TestTableRoom: a table has the rows of its relation, however they stand in lines, and no room for
// others.
func TestTableRoom(t *testing.T) {
	const n = 3000
	for _, c := range []struct {
		name string
		row  string // of %d
		weka bool
		more int // room for so many rows more: of 7 nothing is made, see readEnd
	}{
		{name: "row", row: "%d"},
		{name: "sparse", row: "{0 %d}"},
		{name: "blank lines", row: "%d\n \n\n"},
		{name: "comments", row: "%d\n % comment\n%"},
		{name: "lines end with CR", row: "%d\r"},
		{name: "rows beside each other", row: "%d 7 8", weka: true, more: n},
	} {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = strings.NewReplacer("%d", fmt.Sprint(i), "\n", `\n`, "\r", `\r`).Replace(c.row)
		}
		r := NewReader(strings.NewReader(relation(lines...)))
		r.Weka = c.weka
		row, err := r.Read()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		table, in := row.Tables[0], 1
		if c.weka {
			in = 2
		}
		if len(table) != n*in || cap(table) > len(table)+c.more {
			t.Errorf("%s: %d rows and room for %d, want %d", c.name, len(table), cap(table), n*in)
			continue
		}
		for i := range n {
			if v := table[i*in].X.Value[0]; v != float64(i) {
				t.Fatalf("%s: row %d is %v", c.name, i*in, v)
			}
		}
	}
}

// TestTableMemory: a table is built in little more memory than it takes, and of what is behind a
// fault there is nothing.
func TestTableMemory(t *testing.T) {
	const n = 1<<16 + 1
	row := int(unsafe.Sizeof(format.Instance{})) + 8
	for _, c := range []struct {
		name  string
		fault int // line with one; 0: none
		most  int // bytes
	}{
		{"whole", 0, row*n*5/4 + 1<<20},
		{"fault", 1000, row * n / 10},
	} {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = "7"
			if c.fault > 0 && i == c.fault {
				lines[i] = "x"
			}
		}
		text := relation(lines...)
		r := NewReader(strings.NewReader(text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		before := allocated()
		_, err := r.Read()
		took := int(allocated() - before)
		if (err != nil) != (c.fault > 0) {
			t.Fatalf("%s: %v", c.name, err)
		}
		if took -= 5 * len(text); took > c.most { // the line, as it grows, and what it stands for
			t.Errorf("%s: %d bytes for %d rows, expected %d at most", c.name, took, n, c.most)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestFaultInInnerRelation: of relations in each other the message names the one whose row has the
// fault, and no other.
func TestFaultInInnerRelation(t *testing.T) {
	const text = "@relation r\n@attribute outer relational\n@attribute inner relational\n@attribute x numeric\n@end inner\n@end outer\n@data\n"
	for row, want := range map[string]string{
		`'\'1\\ny\''`: `in relation "inner": expected a number for attribute "x", found "y"`,
		`'\'1\',2'`:   `in relation "outer": expected the end of the row after 1 value, found "2"`,
	} {
		_, err := NewReader(strings.NewReader(text + row + "\n")).Read()
		if fault, ok := err.(*format.Error); !ok || fault.Line != 8 || fault.Err.Error() != want {
			t.Errorf("%s: %v, want %s", row, err, want)
		}
	}
}
