package arff

import (
	"strings"
	"testing"
	"testing/iotest"
)

// What a comment says is not kept, however long it is, and lines count as ever.
func TestLongComments(t *testing.T) {
	long := strings.Repeat("c, 'd\\ ", 1<<17) // nearly 1 MiB
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll("%"+long+"\n@relation r\n , %"+long+"\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n%"+long+"%\n2,b\n\t%"+long+"\n3,§c\n", "\n", end)
		marked, rest, _ := strings.Cut(text, "§")
		for _, weka := range []bool{false, true} {
			r := NewReader(iotest.HalfReader(strings.NewReader(marked + rest)))
			r.Weka = weka
			var err error
			rows := 0
			for err == nil {
				if _, err = r.Read(); err == nil {
					rows++
				}
			}
			if want := `11:3: expected a label of attribute "y" ("a", "b"), found "c"`; rows != 2 || err.Error() != want {
				t.Errorf("%q, weka %t: %d rows, %v", end, weka, rows, err)
			}
			if len(r.src.buf) > lineBuffer {
				t.Errorf("%q: %d bytes for a line", end, len(r.src.buf))
			}
		}
	}
	_, err := NewReader(strings.NewReader("@relation r\n%" + long)).Header()
	if want := "2:917506: expected @attribute, found the end of the file"; err == nil || err.Error() != want {
		t.Errorf("at the end of a comment: %v, want %s", err, want)
	}
}

// A line that is too long is an error where the rest of the text is not read.
func TestLongLine(t *testing.T) {
	const most = 1 << 20
	header := "@relation r\n@attribute s string\n@data\n1\n"
	for _, c := range []struct{ text, want string }{
		{header + strings.Repeat("b", most) + "\n2\n", "5: the line is longer than 1 MiB"},
		{header + strings.Repeat(" ", most) + "\n2\n", "5: the line is longer than 1 MiB"},
		{"@relation " + strings.Repeat("b", most) + "\n", "1: the line is longer than 1 MiB"},
		{header + strings.Repeat("b", most-1) + "\n2\n", "EOF"},
	} {
		r := NewReader(strings.NewReader(c.text))
		r.src.most = most
		var err error
		for err == nil {
			_, err = r.Read()
		}
		if err.Error() != c.want || len(r.src.buf) > most || c.want != "EOF" && r.Skip() {
			t.Errorf("%.60q: %v, want %s; %d bytes", c.text, err, c.want, len(r.src.buf))
		}
	}
	if NewReader(strings.NewReader("")).src.most != mostLine {
		t.Error("there is no limit")
	}
}
