package csvfmt_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/formattest"
	"pgregory.net/rapid"
)

// hostileText draws texts that mean something to readers.
func hostileText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "b", "x", "1", "0", ",", ";", "\t", "|", "\"", "'", "\r", "\n", "\r\n", " ", ".", "-", "+", "e", "?", "NA", "nan", "inf",
		"\ufeff", "é", "\u00a0", "\u2028", "@", "%", "{", "#", "=", "\\", "0x", "1,5", "1e5", "null", "Class", "sep=", "1 2", ":",
		"\x01", "\x08", "\x0b", "\x1a", "\x1b[31m", "\x7f", "\u0085", "\u200b", "\u202e", "\u3000", "日本語", "\U0001f600", "e\u0301", "\ufffd", "numeric", "string", "1e999", "1e-999", "\"\"", "''",
	})
	return rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(piece, 0, 3).Draw(t, "text"), "")
		if rapid.IntRange(0, 199).Draw(t, "long") == 199 {
			s = strings.Repeat(s+"x", 100_000/(len(s)+1))
		}
		return s
	})
}

// hostileNumber draws numbers of all kinds, NaN for a missing value.
func hostileNumber() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e22, 123456789,
			-math.MaxFloat64, 1e308, 0x1p-1022, 0x1p-1022 - 0x1p-1074, 1 << 53, 1<<53 + 2, 1 << 63, -1 << 63, 123456789012345678, 999999.5, 1e6, 1e-4, 1e-5}),
		rapid.Map(rapid.Uint64(), math.Float64frombits),
		rapid.Float64(), rapid.Map(rapid.IntRange(-99, 99), func(i int) float64 { return float64(i) }),
	)
}

// A table is a header with rows as text, "" for a missing value and =x for x.
type table struct {
	header *format.Header
	rows   []format.Instance
}

func tables() *rapid.Generator[table] {
	return rapid.Custom(func(t *rapid.T) table {
		h := &format.Header{}
		names := rapid.SliceOfNDistinct(hostileText(), 1, 5, rapid.ID[string]).Draw(t, "names")
		h.Class = len(names) - 1
		for _, name := range names {
			a := format.Attribute{Name: name, Type: rapid.SampledFrom([]format.Type{format.Numeric, format.Nominal, format.String}).Draw(t, "type")}
			if a.Type == format.Nominal {
				a.Labels = rapid.SliceOfNDistinct(hostileText(), 1, 4, rapid.ID[string]).Draw(t, "labels")
			}
			h.Attributes = append(h.Attributes, a)
		}
		var rows []format.Instance
		for range rapid.IntRange(0, 6).Draw(t, "rows") {
			in := format.Instance{Weight: 1}
			for k, a := range h.Attributes {
				v := math.NaN()
				switch {
				case a.Type == format.Numeric:
					v = hostileNumber().Draw(t, "number")
				case rapid.IntRange(0, 4).Draw(t, "missing") == 0:
				case a.Type == format.Nominal:
					v = float64(rapid.IntRange(0, len(a.Labels)-1).Draw(t, "label"))
				default:
					v = float64(len(in.Strings))
					in.Strings = append(in.Strings, hostileText().Draw(t, "string"))
				}
				in.X.Index = append(in.X.Index, int32(k))
				in.X.Value = append(in.X.Value, v)
			}
			rows = append(rows, in)
		}
		return table{h, rows}
	})
}

// cellText returns a value as text, with what it is in front.
func cellText(a format.Attribute, v float64, texts []string) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case a.Type == format.Nominal:
		return "text " + a.Labels[int(v)]
	case a.Type == format.String:
		return "text " + texts[int(v)]
	}
	return "number " + strconv.FormatFloat(v, 'g', -1, 64)
}

// Whatever a writer writes, a reader that is told nothing reads: names, numbers
// to the last bit, texts, missing values.
func TestRoundTrip(t *testing.T) {
	formattest.Cases(t, 500)
	refused, kept, rows := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		in := tables().Draw(t, "table")
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		w.Separator = rapid.SampledFrom([]byte{0, ',', ';', '\t', '|'}).Draw(t, "separator")
		if err := w.WriteHeader(in.header); err != nil {
			refused++
			if !strings.Contains(err.Error(), "a reader could not tell the name") && !strings.Contains(err.Error(), "a reader would take labels for numbers") {
				t.Fatal(err)
			}
			return
		}
		kept++
		for _, row := range in.rows {
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			if !strings.Contains(err.Error(), "take labels for numbers") {
				t.Fatal(err)
			}
			refused++
			return
		}
		text := out.String()
		var src io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "in pieces") {
			src = iotest.OneByteReader(src)
		}
		r := csvfmt.NewReader(src)
		h, err := r.Header()
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(h.Attributes) != len(in.header.Attributes) || h.Class != in.header.Class {
			t.Fatalf("%d columns, class %d in\n%s", len(h.Attributes), h.Class, text)
		}
		for k, a := range in.header.Attributes {
			if h.Attributes[k].Name != a.Name {
				t.Fatalf("column %d is called %q in\n%s", k+1, h.Attributes[k].Name, text)
			}
		}
		for i, row := range in.rows {
			got, err := r.Read()
			if err != nil {
				t.Fatalf("row %d: %v in\n%s", i+1, err, text)
			}
			for k, v := range row.X.Value {
				want, have := cellText(in.header.Attributes[k], v, row.Strings), cellText(h.Attributes[k], got.X.Value[k], got.Strings)
				if want != have {
					t.Fatalf("row %d, column %d: %q, want %q, in\n%s", i+1, k+1, have, want, text)
				}
			}
		}
		if _, err := r.Read(); err != io.EOF {
			t.Fatalf("at the end: %v in\n%s", err, text)
		}
		rows += len(in.rows)
		var again [2]bytes.Buffer
		for i, src := range []string{text, ""} {
			if i > 0 {
				src = again[0].String()
			}
			if _, err := format.Copy(csvfmt.NewWriter(&again[i]), csvfmt.NewReader(strings.NewReader(src))); err != nil {
				if i == 0 && (strings.Contains(err.Error(), "could not tell the name") || strings.Contains(err.Error(), "take labels for numbers")) {
					return
				}
				t.Fatalf("copied: %v in\n%s", err, src)
			}
		}
		if again[0].String() != again[1].String() {
			t.Fatalf("a copy is\n%s\nand a copy of that is\n%s", &again[0], &again[1])
		}
	})
	t.Logf("%d tables with %d rows, %d refused", kept, rows, refused)
	if kept < 10 || refused > 3*kept {
		t.Errorf("%d tables were written, %d refused", kept, refused)
	}
}

// What is read and written again is the same text.
func TestCopy(t *testing.T) {
	for _, text := range []string{
		"a,b,c\n1,x,\n,,3\n",
		"\"a\",\"1\"\nx,2\na,3\n",
		"a\n\"1\"\n?\n\"2\"\n",
	} {
		var out bytes.Buffer
		n, err := format.Copy(csvfmt.NewWriter(&out), csvfmt.NewReader(strings.NewReader(text)))
		if err != nil || out.String() != text || n != strings.Count(text, "\n")-1 {
			t.Errorf("%q becomes %q, %d rows, %v", text, &out, n, err)
		}
	}
	var out bytes.Buffer
	if _, err := format.Copy(csvfmt.NewWriter(&out), csvfmt.NewReader(strings.NewReader("a\n1\n\"x"))); err == nil || fmt.Sprint(err) != "3:1: the quote that opens here is not closed" {
		t.Error(err)
	}
}
