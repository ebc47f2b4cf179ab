package arff

import (
	"io"
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

// scribbler gives a text of blanks piece by piece, and spoils those that were given before.
type scribbler struct {
	s     *lines
	left  int
	end   string
	reads int
}

func (r *scribbler) Read(p []byte) (int, error) {
	if r.reads++; r.s.blanks > 0 {
		r.s.buf[r.s.start+r.s.blanks-1] = 'x'
	}
	if r.left == 0 {
		return copy(p, r.end), io.EOF
	}
	n := min(r.left, len(p), lineBuffer/8)
	for k := range n {
		p[k] = " \t,\x00"[k%4]
	}
	r.left -= n
	return n, nil
}

// Blanks at the beginning of a long line are looked at once, however many pieces the line comes in:
// that they are spoilt afterwards is not seen.
func TestLongBlanks(t *testing.T) {
	const long = 4 * lineBuffer
	for _, end := range []string{"%" + strings.Repeat("c", lineBuffer/16), ""} {
		r := &scribbler{left: long, end: end}
		r.s = newLines(r)
		if _, err := r.s.line(); err != nil {
			t.Fatal(err)
		}
		if r.reads < 32 || r.s.blanks != long {
			t.Errorf("%d blanks of %d known after %d reads", r.s.blanks, long, r.reads)
		}
		if _, err := r.s.line(); err != io.EOF || r.s.lastColumn != long+len(end)+1 {
			t.Errorf("%v at column %d, want %d", err, r.s.lastColumn, long+len(end)+1)
		}
	}
	// A line behind it begins anew.
	s := newLines(iotest.HalfReader(strings.NewReader(strings.Repeat(",", long) + "1\n %" + strings.Repeat("c", long) + "\n2\n")))
	for k, want := range []string{strings.Repeat(",", long) + "1", " %", "2"} {
		if line, err := s.line(); err != nil || string(line) != want && k != 1 || k == 1 && (!strings.HasPrefix(string(line), want) || s.dropped == 0) {
			t.Errorf("line %d: %.20q, %d bytes, %d dropped, %v", k, line, len(line), s.dropped, err)
		}
	}
}

// TestReadErrors: what keeps a text from being read is the error, not what is wrong with the part
// before it; and an input that gives neither text nor an error is one.
func TestReadErrors(t *testing.T) {
	const head, data = "@relation r\n@attribute s string\n@attribute t ", "string\n@data\n"
	for _, c := range []struct {
		text string
		weka bool // only to Weka: a backslash joins lines
	}{
		{head, false},
		{head + "'string", false},
		{head + data, false},
		{head + data + "'a", false},
		{head + data + "a,b", false},
		{head + "'x\\\n", true},
		{head + data + "'a\\\n", true},
		{head + data + "a,'b\\\n", true},
		{head + data + "a,b,'c\\\n", true},
	} {
		for _, weka := range []bool{c.weka, true} {
			for want, end := range map[error]io.Reader{
				iotest.ErrTimeout: iotest.ErrReader(iotest.ErrTimeout),
				io.ErrNoProgress:  idle{},
			} {
				r := NewReader(io.MultiReader(strings.NewReader(c.text), end))
				r.Weka = weka
				for range 2 {
					if _, err := r.Read(); err != want {
						t.Errorf("%q, weka %t: %v, want %v", c.text, weka, err, want)
					}
				}
				if r.Skip() {
					t.Errorf("%q, weka %t: skipped", c.text, weka)
				}
			}
		}
	}
}

// TestJoinedLineNumbers: to Weka a backslash in quotes takes the line end behind it for a character,
// of CR LF the CR; rows behind it keep the numbers of their lines.
func TestJoinedLineNumbers(t *testing.T) {
	for _, c := range []struct {
		rows, first string
		line        int // of the second row
	}{
		{"'a\\\nz'\nb\n", "a\nz", 6},
		{"'a\\\rz'\rb\r", "a\rz", 6},
		{"'a\\\r\nb\n", "a\r", 5}, // LF ends the row
		{"'a\\\nz\\\ny'\nb\n", "a\nz\ny", 7},
	} {
		r := NewReader(strings.NewReader("@relation r\n@attribute s string\n@data\n" + c.rows))
		r.Weka = true
		for i, want := range []string{c.first, "b"} {
			in, err := r.Read()
			if err != nil || len(in.Strings) != 1 || in.Strings[0] != want {
				t.Fatalf("%q, row %d: %q, %v, want %q", c.rows, i, in.Strings, err, want)
			}
		}
		if r.Line() != c.line {
			t.Errorf("%q: the second row is in line %d, want %d", c.rows, r.Line(), c.line)
		}
	}
}

// idle is a reader that has nothing to give, and does not say that this is the end.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
