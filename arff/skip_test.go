package arff

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
)

// planted is a file with faults of many kinds, each marked by a §, between rows
// without any, with all kinds of line ends.
const planted = "@relation planted\n" +
	"@attribute n numeric\r\n" +
	"@attribute §n {a}\r" +
	"@attribute bad §float\n" +
	"@attribute c {yes,no,'not sure'}\n" +
	"@attribute d date yyyy-MM-dd\n" +
	"@attribute s string\n" +
	"@attribute bag relational\n" +
	"  @attribute x numeric\n" +
	"@end bag\n" +
	"@data\n" +
	"1,1,a,yes,2001-02-03,text,'1\\n2'\n" +
	"% a comment, and a blank line\n" +
	"\n" +
	"2,1,a,§maybe,2001-02-03,text,?\n" +
	"3,1,a,no,§2001-02-30,text,?\r\n" +
	"4,1,a,no,2001-02-28,text§\r\n" +
	"5,1,a,no,2001-02-28,text,?,§6\r" +
	"6,1,a,§,2001-02-28,text,?\n" +
	"7,1,a,no,2001-02-28,§'text,?\n" +
	"8,1,a,no,2001-02-28,it§'s',?\n" +
	"§x9,1,a,no,2001-02-28,text,?\n" +
	"10,1,a,'not sure',2001-02-28,text,'1\\n§x'\n" +
	"11,1,a,no,2001-02-28,caf§\xe9,?\n" +
	"12,1,a,no,2001-02-28,text,?,{§w}\n" +
	"{0 13,5 text,§5 text,6 ?}\n" +
	"{0 14,§99 1,5 text,6 ?}\n" +
	"§{0 15,6 ?}\n" +
	"{0 16,5 text,6 ?§\n" +
	"17,1,a,no,2001-02-28,text,?\n" +
	"18,1,a,\x01§,2001-02-28,text,?"

// Every fault is told once, at its place, and every good row is read.
func TestSkipPlantedFaults(t *testing.T) {
	var want []string
	text := ""
	for i, part := range strings.Split(planted, "§") {
		if i > 0 {
			_, line, column := unmark(t, text+"§")
			want = append(want, place(line, column))
		}
		text += part
	}
	r := NewReader(strings.NewReader(text))
	var got []string
	var rows []float64
	for {
		in, err := r.Read()
		if err == io.EOF {
			break
		}
		if e := (*format.Error)(nil); errors.As(err, &e) {
			got = append(got, place(e.Line, e.Column))
			t.Log(err)
			if !r.Skip() {
				t.Fatal("there is no going on")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, in.X.At(0))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("faults at\n%v, want\n%v", got, want)
	}
	if len(rows) != 2 || rows[0] != 1 || rows[1] != 17 {
		t.Errorf("rows %v, want 1 and 17", rows)
	}
}

func place(line, column int) string { return fmt.Sprintf("%d:%d", line, column) }

// Lines in front of a keyword each ask whether one follows; to answer, each is looked at once.
func TestFollows(t *testing.T) {
	const rows = 3 << 13 // which with the next keyword are less than lookAhead
	part := strings.Repeat("x\n\r", rows/2) + " @Attribute a {"
	text := strings.Repeat(part+"a}\n", 3) + part + strings.Repeat("a", lookAhead) + "}\nx\n@data"
	for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))} {
		s := newLines(r)
		asked, missed := 0, ""
		for {
			line, err := s.line()
			if err == io.EOF {
				break
			}
			if kept := string(line[:min(len(line), 10)]); !strings.HasPrefix(string(s.ahead()), kept) {
				t.Fatalf("line %d, %q, is another after a look ahead", s.number, kept)
			}
			if !s.follows(func(line []byte) bool { asked++; return isKeyword(line) }) {
				missed += fmt.Sprint(s.number, " ")
			}
		}
		if want := fmt.Sprint(s.number, " "); missed != want || asked > 2*s.number {
			t.Errorf("%d lines were looked at for %d, no keyword follows lines %s, want %s", asked, s.number, missed, want)
		}
	}
}

// A keyword is one as a whole, wherever what is looked at ends.
func TestFollowsAtEdge(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{{"@end", false}, {"@end x", true}, {"@ending", false}, {"@attribute x {", true}, {"@attributes x {", false}, {"\t@data", true}} {
		for cut := 1; cut <= len(c.line); cut++ {
			s := newLines(strings.NewReader("x\n" + strings.Repeat("x", lookAhead-1-cut) + "\n" + c.line + strings.Repeat("x", lookAhead) + "\n"))
			if _, err := s.line(); err != nil {
				t.Fatal(err)
			}
			s.ahead()
			whole := c.want && cut > len(strings.Fields(c.line)[0])+strings.Index(c.line, "@")
			if got := s.follows(isKeyword); got != whole {
				t.Errorf("%.*s of %s: %t", cut, c.line, c.line, got)
			}
		}
	}
}

// TestManyUndeclared: of many labels and as many rows with others, each is told of the first that
// is like it, and soon: to go through all labels for each row would take minutes.
func TestManyUndeclared(t *testing.T) {
	const n = 50_000
	var text strings.Builder
	text.WriteString("@relation r\n@attribute c {")
	for i := range n {
		fmt.Fprintf(&text, "Label%d,LABEL%d,", i, i)
	}
	text.WriteString("last}\n@data\n")
	for i := range n {
		fmt.Fprintf(&text, "' label%d'\n", i)
	}
	r := NewReader(strings.NewReader(text.String()))
	for i := range n {
		_, err := r.Read()
		if want := fmt.Sprintf("found \" label%d\": \"Label%d\" differs in capitals or blanks only", i, i); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Fatalf("row %d: %v, want %s", i, err, want)
		}
		if !r.Skip() {
			t.Fatal("no fault to pass over")
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Error(err)
	}
}
