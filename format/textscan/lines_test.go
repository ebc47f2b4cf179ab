package textscan_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// readers hand out a text in the ways a file, a pipe or a socket may.
var readers = map[string]func(io.Reader) io.Reader{
	"whole":           func(r io.Reader) io.Reader { return r },
	"byte by byte":    iotest.OneByteReader,
	"half":            iotest.HalfReader,
	"error with data": iotest.DataErrReader,
	"half, error with data": func(r io.Reader) io.Reader {
		return iotest.DataErrReader(iotest.HalfReader(r))
	},
	"empty reads": func(r io.Reader) io.Reader { return &lazyReader{r: r} },
}

// lazyReader reads nothing every other time.
type lazyReader struct {
	r    io.Reader
	busy bool
}

func (l *lazyReader) Read(p []byte) (int, error) {
	if l.busy = !l.busy; l.busy {
		return 0, nil
	}
	return l.r.Read(p)
}

// readLines returns all lines and the error that ended them, and checks their
// numbers.
func readLines(t *testing.T, r io.Reader) (lines []string, err error) {
	t.Helper()
	l := textscan.NewLines(r)
	if l.Number() != 0 {
		t.Errorf("number %d before the first line", l.Number())
	}
	for {
		line, err := l.Next()
		if err != nil {
			if l.Number() != len(lines) {
				t.Errorf("number %d after %d lines", l.Number(), len(lines))
			}
			if _, again := l.Next(); line != nil || again != err {
				t.Errorf("after %v: line %q, then %v", err, line, again)
			}
			return lines, err
		}
		lines = append(lines, string(line))
		if l.Number() != len(lines) {
			t.Errorf("line %d has number %d", len(lines), l.Number())
		}
	}
}

func TestLines(t *testing.T) {
	const buffer = 256 << 10
	long := func(n int) string { return strings.Repeat("0123456789abcde ", n/16+1)[:n] }
	texts := map[string]string{
		"empty":                 "",
		"one":                   "a\n",
		"no final newline":      "a\nb",
		"only newline":          "\n",
		"blank lines":           "\n\na\n\n",
		"carriage returns":      "a\r\nb\rc\r\n\r",
		"NUL":                   "a\x00b\n\x00\n\x00",
		"not UTF-8":             "\xff\xfe\n\x80",
		"buffer less one":       long(buffer-1) + "\nb\n",
		"buffer":                long(buffer) + "\nb\n",
		"buffer and one":        long(buffer+1) + "\nb",
		"newline at buffer end": "a\n" + long(buffer-3) + "\nb\n",
		"newline after buffer":  "a\n" + long(buffer-2) + "\n\nb\n",
		"long lines":            long(1<<20+5) + "\n" + long(3<<20) + "\nshort\n" + long(1<<20),
		"long, then many":       long(1<<20) + "\n" + strings.Repeat(long(1000)+"\n", 2000) + long(1<<18) + "\nb\n" + strings.Repeat(long(99)+"\n", 5000) + long(1<<17) + "\n",
		"many lines":            strings.Repeat(long(1000)+"\n"+long(37)+"\n\n", 700),
	}
	for name, text := range texts {
		want := strings.Split(text, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		for how, reader := range readers {
			lines, err := readLines(t, reader(strings.NewReader(text)))
			if err != io.EOF {
				t.Errorf("%s, %s: error %v, want io.EOF", name, how, err)
			}
			sameLines(t, name+", "+how, lines, want)
		}
	}
}

// The room for a long line goes when shorter ones are read, but not while they stay long.
func TestLinesRoom(t *testing.T) {
	long, short := strings.Repeat("1", 1<<20), strings.Repeat("2", 1000)
	text := strings.Repeat(long+"\n", 5) + strings.Repeat(short+"\n", 5000)
	l := textscan.NewLines(strings.NewReader(text))
	first := l.Room()
	for i := range 5000 {
		line, err := l.Next()
		if want := []string{long, short}[min(i/5, 1)]; err != nil || string(line) != want {
			t.Fatalf("line %d: %d bytes, %v", i+1, len(line), err)
		}
		if i > 0 && i < 5 && l.Room() != 2<<20 {
			t.Fatalf("room for %d bytes with long line %d", l.Room(), i+1)
		}
	}
	if l.Room() != first {
		t.Errorf("room for %d bytes in the end, %d at first", l.Room(), first)
	}
}

// Parts are the lines, cut where words end if they are long, and take no more room than there is at
// first.
func TestLinesParts(t *testing.T) {
	words := func(n int) string { return strings.Repeat("-0.25 1e-17\t\r7 ", n/15+1)[:n] }
	one := strings.Repeat("1", 300000)
	for name, c := range map[string]struct {
		text  string
		parts int  // at least
		room  bool // only a long word has more
	}{
		"empty":               {"", 0, false},
		"short":               {"a b\n\n c\n", 3, false},
		"long":                {words(1<<20) + "\nb\n" + words(200000) + "\n", 17, false},
		"no final newline":    {"a\n" + words(1<<20), 16, false},
		"ends with blanks":    {words(65536*3-1) + " ", 3, false},
		"blanks":              {strings.Repeat(" ", 1<<19) + "\n" + strings.Repeat("\t", 1<<19), 16, false},
		"a long word":         {words(99999) + " " + one + " " + words(99999) + "\n" + words(9), 4, true},
		"a long word alone":   {one, 1, true},
		"a long word at last": {words(99999) + one + "\n", 2, true},
	} {
		for how, reader := range readers {
			l := textscan.NewLines(reader(strings.NewReader(c.text)))
			first := l.Room()
			rest, number, parts := c.text, 0, 0
			for open := false; ; parts++ {
				part, more, err := l.Part()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s, %s: %v", name, how, err)
				}
				if !open {
					number++
				}
				if open = more; l.Number() != number {
					t.Fatalf("%s, %s: part %d is of line %d, want %d", name, how, parts+1, l.Number(), number)
				}
				if more && !textscan.IsSpace(part[len(part)-1]) {
					t.Fatalf("%s, %s: part %d ends with %q", name, how, parts+1, part[len(part)-1:])
				}
				if !strings.HasPrefix(rest, string(part)) {
					t.Fatalf("%s, %s: part %d is %s", name, how, parts+1, brief(string(part)))
				}
				if rest = rest[len(part):]; !more && rest != "" {
					if rest[0] != '\n' {
						t.Fatalf("%s, %s: the line ends with part %d, %s is left", name, how, parts+1, brief(rest))
					}
					rest = rest[1:]
				}
				if !c.room && l.Room() != first {
					t.Fatalf("%s, %s: room for %d bytes with part %d", name, how, l.Room(), parts+1)
				}
			}
			if rest != "" || parts < c.parts {
				t.Errorf("%s, %s: %d parts, want %d or more, left %s", name, how, parts, c.parts, brief(rest))
			}
		}
	}
}

// A line that was begun in parts may be left, and the next be read as a whole.
func TestLinesPartThenNext(t *testing.T) {
	text := strings.Repeat("12 ", 100000)
	l := textscan.NewLines(strings.NewReader(text + "\nb\n"))
	for more := true; more; {
		var err error
		if _, more, err = l.Part(); err != nil {
			t.Fatal(err)
		}
	}
	if line, err := l.Next(); string(line) != "b" || err != nil || l.Number() != 2 {
		t.Errorf("line %d is %q, %v", l.Number(), line, err)
	}
}

// A line of which there were parts has its own number in the error that ends it, not that of the
// next.
func TestLinesPartLimit(t *testing.T) {
	const most = 1 << 20
	l := textscan.NewLines(strings.NewReader("a\n" + strings.Repeat("12 ", 100000) + strings.Repeat("3", most) + "\n"))
	l.Limit(most)
	var err error
	for err == nil {
		_, _, err = l.Part()
	}
	if want := "2: the line is longer than 1 MiB"; err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A line as long as the limit is an error, and no more of it is kept.
func TestLinesLimit(t *testing.T) {
	const most = 1 << 20
	for _, c := range []struct {
		length int
		want   string
	}{{most - 1, "EOF"}, {most, "2: the line is longer than 1 MiB"}, {5 * most, "2: the line is longer than 1 MiB"}} {
		text := "a\n" + strings.Repeat("b", c.length) + "\nc\n"
		l := textscan.NewLines(strings.NewReader(text))
		l.Limit(most)
		for {
			line, err := l.Next()
			if err == nil {
				text = strings.TrimPrefix(text, string(line)+"\n")
				continue
			}
			if err.Error() != c.want || l.Room() > most || err == io.EOF && text != "" {
				t.Errorf("%d bytes: %v, want %s; room for %d", c.length, err, c.want, l.Room())
			}
			break
		}
	}
}

// A read error arrives after the lines that were complete before it; the piece
// of a line in front of it is no line.
func TestLinesError(t *testing.T) {
	broken := errors.New("broken disk")
	for text, want := range map[string][]string{
		"":          nil,
		"a":         nil,
		"a\n":       {"a"},
		"a\nb\n":    {"a", "b"},
		"a\nb\nc":   {"a", "b"},
		"a\n\n\x00": {"a", ""},
	} {
		for how, reader := range readers {
			r := reader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
			lines, err := readLines(t, r)
			if err != broken {
				t.Errorf("%q, %s: error %v, want %v", text, how, err, broken)
			}
			sameLines(t, fmt.Sprintf("%q, %s", text, how), lines, want)
		}
	}
}

func TestLinesTimeout(t *testing.T) {
	lines, err := readLines(t, iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("\nb\n"))))
	if err != iotest.ErrTimeout {
		t.Errorf("error %v, want %v", err, iotest.ErrTimeout)
	}
	sameLines(t, "timeout at the second byte", lines, []string{""})
}

// stuck never reads anything and never says why.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestLinesNoProgress(t *testing.T) {
	lines, err := readLines(t, io.MultiReader(strings.NewReader("a\nb"), stuck{}))
	if err != io.ErrNoProgress {
		t.Errorf("error %v, want %v", err, io.ErrNoProgress)
	}
	sameLines(t, "stuck", lines, []string{"a"})
}

func sameLines(t *testing.T, name string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d lines, want %d", name, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: line %d is %s, want %s", name, i+1, brief(got[i]), brief(want[i]))
		}
	}
}
