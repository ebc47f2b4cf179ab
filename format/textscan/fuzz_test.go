package textscan_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// FuzzFloat: Float is what the grammar and rational arithmetic say; the text
// used, alone or followed by white space, gives the same again; strconv agrees
// where it accepts that text.
func FuzzFloat(f *testing.F) {
	for _, test := range floatTests {
		f.Add([]byte(strings.NewReplacer("^", "", "!", "").Replace(test.text)))
	}
	source := newTokens(8)
	for range 100 {
		f.Add([]byte(source.next()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n, err := textscan.Float(b)
		if n < 0 || n > len(b) {
			t.Fatalf("Float(%q) uses %d bytes of %d", b, n, len(b))
		}
		if n == 0 && (!same(v, 0) || err != nil) {
			t.Errorf("Float(%q) is no number, but %v, %v", b, v, err)
		}
		if err != nil && err != textscan.ErrRange {
			t.Errorf("Float(%q): unexpected error %v", b, err)
		}
		for _, tail := range []string{"", " 1", "\n"} {
			again := append(bytes.Clone(b[:n]), tail...)
			if v2, n2, err2 := textscan.Float(again); n > 0 && (!same(v, v2) || n != n2 || err != err2) {
				t.Errorf("Float(%q) = %x, %d, %v, but Float(%q) = %x, %d, %v", b, v, n, err, again, v2, n2, err2)
			}
		}
		if want, ok := strconvFloat(strings.TrimLeft(string(b[:n]), " \t\n\v\f\r")); ok {
			if math.IsNaN(want) && math.IsNaN(v) {
				want = v
			}
			if !same(v, want) {
				t.Errorf("Float(%q) = %x, strconv has %x", b, v, want)
			}
		}
		if len(b) <= 2000 && len(limitExponent(string(b))) == len(b) {
			if want, wantN, erange := referenceFloat(b); !same(v, want) || n != wantN || erange != (err != nil) {
				t.Errorf("Float(%q) = %x, %d, %v, want %x, %d, ERANGE %v", b, v, n, err, want, wantN, erange)
			}
		}
	})
}

// FuzzInt: Int is what the grammar and integers of any length say; the text
// used gives the same again.
func FuzzInt(f *testing.F) {
	for _, test := range intTests {
		f.Add([]byte(strings.NewReplacer("^", "", "!", "").Replace(test.text)))
	}
	source := newTokens(9)
	for range 50 {
		f.Add([]byte(source.integer()))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, n, err := textscan.Int(b)
		if n < 0 || n > len(b) || err != nil && !errors.Is(err, textscan.ErrRange) {
			t.Fatalf("Int(%q) = %d, %d, %v", b, v, n, err)
		}
		if v2, n2, err2 := textscan.Int(b[:n]); v != v2 || n != n2 || err != err2 {
			t.Errorf("Int(%q) = %d, %d, %v, but of what it used %d, %d, %v", b, v, n, err, v2, n2, err2)
		}
		if want, wantN, erange := referenceInt(b); v != want || n != wantN || erange != (err != nil) {
			t.Errorf("Int(%q) = %d, %d, %v, want %d, %d, ERANGE %v", b, v, n, err, want, wantN, erange)
		}
	})
}

// FuzzLines: joined by line feeds, the lines are the text again, whatever the
// sizes of the reads; no line holds a line feed; a read error comes instead of
// the end and of the unfinished line only.
func FuzzLines(f *testing.F) {
	for _, text := range []string{"", "a", "\n", "a\nb", "a\r\n\r\n", "\x00\n\x00", "\n\n\n", "+1 1:0.5 2:-1\n-1 3:1 # x\n"} {
		f.Add([]byte(text), uint16(1), uint16(1))
		f.Add([]byte(text), uint16(1000), uint16(20000))
		f.Add([]byte(strings.Repeat("x", 300)+text), uint16(0xffff), uint16(4000))
	}
	f.Fuzz(func(t *testing.T, text []byte, chunk, repeat uint16) {
		// enough to outgrow the buffer
		if size := len(text) * int(repeat); size <= 1<<19 {
			text = bytes.Repeat(text, int(repeat))
		}
		broken := errors.New("broken")
		for _, end := range []error{io.EOF, broken} {
			l := textscan.NewLines(&chunks{text, int(chunk)%5000 + 1, end})
			var joined []byte
			for {
				line, err := l.Next()
				if err != nil {
					if err != end {
						t.Fatalf("error %v, want %v", err, end)
					}
					break
				}
				if bytes.IndexByte(line, '\n') >= 0 {
					t.Fatalf("line %d holds a line feed: %q", l.Number(), line)
				}
				joined = append(append(joined, line...), '\n')
				if n := bytes.Count(joined, []byte("\n")); len(joined) < 1000 && n != l.Number() {
					t.Fatalf("line %d has number %d", n, l.Number())
				}
			}
			want := text[:bytes.LastIndexByte(text, '\n')+1]
			if end == io.EOF && len(want) < len(text) {
				want = append(bytes.Clone(text), '\n')
			}
			if !bytes.Equal(joined, want) {
				t.Fatalf("the lines make %s, want %s", brief(string(joined)), brief(string(want)))
			}
		}
	})
}

// chunks reads a text in pieces of n bytes, the error together with the last.
type chunks struct {
	text []byte
	n    int
	end  error
}

func (c *chunks) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), c.n)], c.text)
	if c.text = c.text[n:]; len(c.text) == 0 {
		return n, c.end
	}
	return n, nil
}

// FuzzAppendG: what is written can be read; 17 digits bring back the number,
// and fewer digits, once read, are written the same again. AppendF likewise.
func FuzzAppendG(f *testing.F) {
	for _, test := range printfTests {
		f.Add(math.Float64bits(test.x), uint8(6))
		f.Add(math.Float64bits(test.x), uint8(17))
	}
	f.Fuzz(func(t *testing.T, bits uint64, digits uint8) {
		x, prec := math.Float64frombits(bits), int(digits)%40
		g := textscan.AppendG(nil, x, prec)
		v, n, _ := textscan.Float(g)
		if n != len(g) {
			t.Fatalf("%q cannot be read", g)
		}
		if prec >= 17 && !same(v, x) && !math.IsNaN(x) {
			t.Errorf("%q is %x, was %x", g, v, x)
		}
		if again := textscan.AppendG(nil, v, prec); !bytes.Equal(again, g) && !math.IsInf(v, 0) && (prec <= 15 && math.Abs(v) >= 0x1p-1022 || prec >= 17) {
			t.Errorf("%q is written %q again", g, again)
		}
		if want := math.IsNaN(x) && bits>>63 == 1; want != bytes.HasPrefix(g, []byte("-nan")) {
			t.Errorf("%x is written %q", bits, g)
		}
		if h := textscan.AppendF(nil, x, prec); !math.IsInf(x, 0) && !math.IsNaN(x) {
			v, n, _ := textscan.Float(h)
			if diff := math.Abs(v - x); n != len(h) || !(diff <= .5*math.Pow10(-prec)+math.Abs(x)*0x1p-52) {
				t.Errorf("%x with %d places is %q", x, prec, h)
			}
		}
	})
}
