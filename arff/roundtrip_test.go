package arff

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/formattest"
)

// hostile are names and values that mean something else when they are not quoted.
var hostile = []string{"", "?", " ", ",", "%", "'", "\"", "\\", "{", "}", "{0 1}", "\n", "\r", "\r\n", "\t", "\x00", "\x1a", "\x1f7", "\x7f",
	"@data", "@attribute", "@RELATION x", "@end", "numeric", "Date", "string", "NaN", "1.5", "-0", "null", " a", "a ", "a b", "it's", "a\\'b", "\\n", "\\u0041", "100%",
	"größe", "日本語", "\U0001f600", "\u00a0", "\u0085", "\u2028", "\ufeff", "\uffff", "\ufffd", "e\u0301", "''", "\"\"", "\\", "\\\\", "a\\", "1,2\n3,4", "'1,\\'a\\''",
	"1", "01", "1.0", "+1", "1e5", "0x1p3", "Infinity", "-NaN", "2001-02-30", "real", "INTEGER", "relational", "relation", "data", "@", "@end r", "@data 1", "{", "{x,y}", "{}", "{2}", "??", "'?'", "-",
	"\x01", "\x08\x0c\x07\x0b", "\x1b[31m", "\x001", "a\x00b", "\u200b", "\u202e", "\u2029", "\u3000", "\ufeff@data", "a\u0300"}

func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom(hostile),
		rapid.StringMatching(`[a-zA-Z0-9_.-]{1,8}`),
		rapid.StringN(0, 12, -1),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 4).Draw(t, "parts"), "")
		}),
		rapid.Custom(func(t *rapid.T) string { // rarely a long one
			if rapid.IntRange(0, 99).Draw(t, "long") > 0 {
				return "short"
			}
			return strings.Repeat(rapid.SampledFrom(hostile).Draw(t, "part")+"x", 50_000)
		}),
	)
}

func anyNumber() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
			math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1022 - 0x1p-1074, 0.1, 1.0 / 3, 1e15, 1e15 - 1, 1e21, 1e22, 1e23, 1<<53 + 2, 1e-7, 123456789.12345679,
			1 << 53, 1<<53 - 1, 1 << 63, -1 << 63, 1 << 64, 123456789012345678, 1e308, -1e308, 1e-308, 4e-323, 999999.5, 1e6, 1e-4, 1e-5}),
		rapid.Float64(),
		rapid.Map(rapid.Uint64(), math.Float64frombits),
		rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 8 }),
	)
}

var patterns = []string{"", "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss.SSSX", "dd.MM.yyyy HH:mm", "G yyyy MMMM d, EEEE hh:mm:ss.SSS a zzzz", "yyyyMMddHHmmssSSS",
	"YYYY-'W'ww-u", "yyyy DDD", "yy-M-d", "HH:mm", "'%{}\"'yyyy", "yyyy w E K a"}

func anyPattern() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string {
			letter := rapid.SampledFrom([]byte(dateLetters)).Draw(t, "letter")
			most := 5
			if letter == 'X' {
				most = 3
			}
			return strings.Repeat(string(rune(letter)), rapid.IntRange(1, most).Draw(t, "count"))
		}),
		rapid.SampledFrom([]string{"-", "/", ".", ":", " ", ",", "''", "'T'", "' o''clock '", "{}", "%", "\"", "\\", "\n", "日", "?", "@", "1"}),
	)
	return rapid.OneOf(rapid.SampledFrom(patterns), rapid.Custom(func(t *rapid.T) string {
		pattern := strings.Join(rapid.SliceOfN(part, 1, 9).Draw(t, "parts"), "")
		for strings.Contains(pattern, "XXXX") { // which are too many
			pattern = strings.ReplaceAll(pattern, "XXXX", "XXX")
		}
		return pattern
	}))
}

func anyAttributes(depth int) *rapid.Generator[[]format.Attribute] {
	return rapid.Custom(func(t *rapid.T) []format.Attribute {
		names := rapid.SliceOfNDistinct(anyText(), 1, 6, rapid.ID).Draw(t, "names")
		var attributes []format.Attribute
		for _, name := range names {
			a := format.Attribute{Name: name, Type: format.Type(rapid.IntRange(0, 4).Draw(t, "type"))}
			if rapid.IntRange(0, 9).Draw(t, "weighted") == 0 {
				if a.Weight = anyNumber().Draw(t, "weight"); math.IsNaN(a.Weight) {
					a.Weight = 1
				}
			}
			if a.Type == format.Relational && depth == 0 {
				a.Type = format.String
			}
			switch a.Type {
			case format.Nominal:
				a.Labels = rapid.SliceOfNDistinct(anyText(), 0, 5, rapid.ID).Draw(t, "labels")
			case format.Date:
				a.Pattern = anyPattern().Draw(t, "pattern")
			case format.Relational:
				a.Attributes = anyAttributes(depth-1).Draw(t, "attributes")
			}
			attributes = append(attributes, a)
		}
		return attributes
	})
}

func drawRow(t *rapid.T, attributes []format.Attribute) format.Instance {
	in := format.Instance{Weight: 1, Sparse: rapid.Bool().Draw(t, "sparse")}
	if rapid.IntRange(0, 4).Draw(t, "weighted") == 0 {
		if in.Weight = anyNumber().Draw(t, "weight"); math.IsNaN(in.Weight) {
			in.Weight = 0
		}
	}
	for i := range attributes {
		a := &attributes[i]
		mayLeaveOut := a.Type == format.Numeric || a.Type == format.Date || a.Type == format.Nominal && len(a.Labels) > 0
		if mayLeaveOut && rapid.IntRange(0, 3).Draw(t, "left out") == 0 && (in.Sparse || a.Type != format.Date) {
			continue
		}
		in.X.Index = append(in.X.Index, int32(i))
		in.X.Value = append(in.X.Value, drawValue(t, a, &in))
	}
	return in
}

// canBeZero reports whether a value 0 of an attribute can be written.
func canBeZero(a *format.Attribute) bool {
	switch a.Type {
	case format.Nominal:
		return len(a.Labels) > 0
	case format.Date:
		p, err := compileDate(cmp.Or(a.Pattern, defaultPattern))
		if err == nil {
			_, err = p.appendDate(nil, 0, 1950)
		}
		return err == nil
	}
	return true
}

func drawValue(t *rapid.T, a *format.Attribute, in *format.Instance) float64 {
	missing := math.NaN()
	if rapid.IntRange(0, 7).Draw(t, "missing") == 0 {
		return missing
	}
	switch a.Type {
	case format.Nominal:
		if len(a.Labels) == 0 {
			return missing
		}
		return float64(rapid.IntRange(0, len(a.Labels)-1).Draw(t, "label"))
	case format.String:
		in.Strings = append(in.Strings, anyText().Draw(t, "text"))
		return float64(len(in.Strings) - 1)
	case format.Date:
		ms := float64(rapid.Int64Range(-100_000*msPerDay, 100_000*msPerDay).Draw(t, "moment"))
		p, err := compileDate(cmp.Or(a.Pattern, defaultPattern))
		if err != nil {
			t.Fatal(err)
		}
		// the nearest moment that the pattern can tell, if there is one
		text := p.format(nil, int64(ms))
		if ms, err = p.parse(text, 1950, false); err != nil {
			return missing
		}
		if _, err = p.appendDate(nil, ms, 1950); err != nil { // this one neither
			return missing
		}
		return ms
	case format.Relational:
		var table []format.Instance
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			table = append(table, drawRow(t, a.Attributes))
		}
		in.Tables = append(in.Tables, table)
		return float64(len(in.Tables) - 1)
	}
	return anyNumber().Draw(t, "number")
}

// What is written comes back to the last bit, strictly and as Weka.
func TestRoundTrip(t *testing.T) {
	cases := formattest.Cases(t, 2500)
	headers, rows := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		h := &format.Header{Relation: anyText().Draw(t, "relation"), Attributes: anyAttributes(2).Draw(t, "attributes")}
		h.Class = rapid.IntRange(-1, len(h.Attributes)-1).Draw(t, "class")
		if h.Class >= 0 && !canBeZero(&h.Attributes[h.Class]) {
			h.Class = -1 // it cannot be listed where a sparse row leaves it out
		}
		var text bytes.Buffer
		w := NewWriter(&text)
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		var written []format.Instance
		for range rapid.IntRange(0, 14).Draw(t, "rows") {
			in := drawRow(t, h.Attributes)
			if err := w.Write(in); err != nil {
				t.Fatal(err)
			}
			written = append(written, in)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, weka := range []bool{false, true} {
			r := NewReader(bytes.NewReader(text.Bytes()))
			r.Weka = weka
			if err := readsBack(r, h, written); err != nil {
				t.Fatalf("as Weka: %v: %v\nin the text\n%.2000s", weka, err, text.Bytes())
			}
		}
		if !bytes.HasSuffix(text.Bytes(), []byte("\n")) || !Codec.Sniff(text.Bytes()) {
			t.Fatalf("no line end, or not known as ARFF:\n%.2000s", text.Bytes())
		}
		headers++
		rows += len(written)
	})
	t.Logf("%d headers and %d rows", headers, rows)
	if rows < 4*cases {
		t.Error("too few rows")
	}
}

func readsBack(r *Reader, h *format.Header, written []format.Instance) error {
	got, err := r.Header()
	if err != nil {
		return err
	}
	if got.Relation != h.Relation {
		return fmt.Errorf("relation %q, want %q", got.Relation, h.Relation)
	}
	if err := sameAttributes(h.Attributes, got.Attributes); err != nil {
		return err
	}
	for i := range written {
		in, err := r.Read()
		if err == nil {
			err = sameInstance(h.Attributes, &written[i], &in)
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	if _, err := r.Read(); err != io.EOF {
		return fmt.Errorf("after the last row: %v", err)
	}
	return nil
}

func sameAttributes(want, got []format.Attribute) error {
	if len(want) != len(got) {
		return fmt.Errorf("%d attributes, want %d", len(got), len(want))
	}
	for i := range want {
		w, g := want[i], got[i]
		if w.Pattern == "" && w.Type == format.Date {
			w.Pattern = defaultPattern
		}
		if w.Weight == 0 {
			w.Weight = 1
		}
		if g.Weight == 0 {
			g.Weight = 1
		}
		if w.Name != g.Name || w.Type != g.Type || w.Pattern != g.Pattern || !slices.Equal(w.Labels, g.Labels) || w.Weight != g.Weight {
			return fmt.Errorf("attribute %+v, want %+v", g, w)
		}
		if err := sameAttributes(w.Attributes, g.Attributes); err != nil {
			return err
		}
	}
	return nil
}

func sameInstance(attributes []format.Attribute, want, got *format.Instance) error {
	if want.Sparse != got.Sparse || math.Float64bits(want.Weight) != math.Float64bits(got.Weight) {
		return fmt.Errorf("sparse %v, weight %v, want %v, %v", got.Sparse, got.Weight, want.Sparse, want.Weight)
	}
	if !slices.IsSorted(got.X.Index) || len(got.X.Index) != len(got.X.Value) {
		return fmt.Errorf("indices %v, %d values", got.X.Index, len(got.X.Value))
	}
	for i := range attributes {
		a := &attributes[i]
		if err := sameValue(a, want, want.X.At(int32(i)), got, got.X.At(int32(i))); err != nil {
			return fmt.Errorf("attribute %q: %w", a.Name, err)
		}
	}
	return nil
}

func sameValue(a *format.Attribute, in *format.Instance, v float64, gotIn *format.Instance, got float64) error {
	if math.IsNaN(v) || math.IsNaN(got) {
		if math.IsNaN(v) != math.IsNaN(got) {
			return fmt.Errorf("%v, want %v", got, v)
		}
		return nil
	}
	switch a.Type {
	case format.String:
		if want, got := in.Strings[int(v)], gotIn.Strings[int(got)]; want != got {
			return fmt.Errorf("%.100q, want %.100q", got, want)
		}
	case format.Relational:
		want, got := in.Tables[int(v)], gotIn.Tables[int(got)]
		if len(want) != len(got) {
			return fmt.Errorf("%d rows, want %d", len(got), len(want))
		}
		for k := range want {
			if err := sameInstance(a.Attributes, &want[k], &got[k]); err != nil {
				return fmt.Errorf("row %d: %w", k+1, err)
			}
		}
	default:
		if math.Float64bits(v) != math.Float64bits(got) {
			return fmt.Errorf("%v, want %v", got, v)
		}
	}
	return nil
}
