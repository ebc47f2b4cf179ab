package encode

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
)

// texts are names and labels, hostile ones among them.
var texts = rapid.OneOf(
	rapid.SampledFrom([]string{"", " ", "a", "b", "c", "a=b", "?", "'", `"`, `\`, "\n", "\r\n", "\x00", "{}", `{"name":"x"}`, "\u2028", "größe", "first", "1", "slimsvm inputs", "SV"}),
	rapid.String(),
)

// values are sums of few powers of 2, whose means are exact where all are equal.
// Of 0.1 they are not, and Weka's filters then scale what was rounded off.
var values = rapid.SampledFrom([]float64{0, 0, 0, 1, 2, -3, 0.125, 1.0 / (1 << 20), 1e6, math.NaN()})

// drawData draws a data set of 2 columns at least. Some zeros are left out.
func drawData(t *rapid.T) *format.Dataset {
	names := rapid.SliceOfNDistinct(texts, 2, 6, rapid.ID[string]).Draw(t, "names")
	d := &format.Dataset{Header: &format.Header{Relation: texts.Draw(t, "relation"), Class: -1}}
	for _, name := range names {
		a := format.Attribute{Name: name, Type: rapid.SampledFrom([]format.Type{format.Numeric, format.Nominal, format.Nominal, format.Date}).Draw(t, "type")}
		if a.Type == format.Nominal {
			a.Labels = rapid.SliceOfNDistinct(texts, 0, 4, rapid.ID[string]).Draw(t, "labels")
		}
		d.Header.Attributes = append(d.Header.Attributes, a)
	}
	for range rapid.IntRange(0, 6).Draw(t, "rows") {
		in := format.Instance{Weight: rapid.SampledFrom([]float64{1, 1, 1, 0.25, 3, 0}).Draw(t, "weight")}
		for i, a := range d.Header.Attributes {
			v := values.Draw(t, "value")
			if a.Type == format.Nominal && !math.IsNaN(v) {
				if len(a.Labels) == 0 {
					v = math.NaN()
				} else {
					v = float64(rapid.IntRange(0, len(a.Labels)-1).Draw(t, "label"))
				}
			}
			if v != 0 || rapid.Bool().Draw(t, "listed") {
				in.X.Index, in.X.Value = append(in.X.Index, int32(i)), append(in.X.Value, v)
			}
		}
		d.Append(in)
	}
	return d
}

// shuffle returns the data set with columns and labels in another order.
func shuffle(t *rapid.T, d *format.Dataset) *format.Dataset {
	old := d.Header.Attributes
	places := make([]int, len(old))
	for i := range places {
		places[i] = i
	}
	places = rapid.Permutation(places).Draw(t, "columns")
	s := &format.Dataset{Header: &format.Header{Class: -1}}
	for _, p := range places {
		a := old[p]
		a.Labels = rapid.Permutation(a.Labels).Draw(t, "labels")
		s.Header.Attributes = append(s.Header.Attributes, a)
	}
	for r := range d.Len() {
		in := format.Instance{Weight: 1}
		if d.Weight != nil {
			in.Weight = d.Weight[r]
		}
		for i, p := range places {
			v := d.X.Row(r).At(int32(p))
			if old[p].Type == format.Nominal && !math.IsNaN(v) {
				v = float64(slices.Index(s.Header.Attributes[i].Labels, old[p].Labels[int(v)]))
			}
			if v != 0 || rapid.Bool().Draw(t, "listed") {
				in.X.Index, in.X.Value = append(in.X.Index, int32(i)), append(in.X.Value, v)
			}
		}
		s.Append(in)
	}
	return s
}

func drawOptions(t *rapid.T, d *format.Dataset) Options {
	n := len(d.Header.Attributes)
	class := rapid.IntRange(0, n-1).Draw(t, "class")
	d.Header.Class = class // names may be numbers
	return Options{
		Scaling:      rapid.SampledFrom([]Scaling{None, Normalize, Standardize}).Draw(t, "scaling"),
		ColumnsFirst: rapid.Bool().Draw(t, "columns first"),
	}
}

// TestMapperIsEncode: whatever the order of columns and labels, and which zeros
// are left out, a mapper of the encoding read back gives what Encode gives.
func TestMapperIsEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawData(t)
		o := drawOptions(t, d)
		e, err := Fit(context.Background(), d, o)
		if c := d.Header.Attributes[d.Header.Class]; c.Type == format.Nominal && len(c.Labels) == 0 {
			if err == nil {
				t.Fatal("a class without labels")
			}
			return
		}
		if d.Len() > 0 && d.Weight != nil && slices.Max(d.Weight) == 0 {
			if err != ErrWeightless {
				t.Fatal(err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.Encode(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		text, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n != len(e.Columns)+1 {
			t.Fatalf("%d lines for %d columns: %s", n, len(e.Columns), text)
		}
		var again Encoding
		if err := again.UnmarshalText(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		other := shuffle(t, d)
		m, err := again.Mapper(other.Header)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var in format.Instance
		for i := range other.Len() {
			if in.Y = m.Row(&in.X, other.X.Row(i)); !math.IsNaN(in.Y) {
				got = append(got, show(in.Y, in.X))
			}
		}
		if b := showAll(want); !slices.Equal(got, b) {
			t.Fatalf("%+v\nas a mapper\n%s\nas Encode\n%s", o, strings.Join(got, "\n"), strings.Join(b, "\n"))
		}
	})
}

// TestPlain compares with the rules followed one by one on a dense table.
func TestPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawData(t)
		o := drawOptions(t, d)
		e, err := Fit(context.Background(), d, o)
		if err != nil {
			return
		}
		got, err := e.Encode(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		want := plain(d, o)
		if got.Len() != len(want) {
			t.Fatalf("%d rows, want %d", got.Len(), len(want))
		}
		for i, row := range want {
			features := row[:len(row)-1]
			if y := row[len(row)-1]; !near(got.Y[i], y) {
				t.Fatalf("%+v: row %d has the label %v, want %v", o, i, got.Y[i], y)
			}
			for k, v := range features {
				if x := got.X.Row(i).At(int32(k + 1)); !near(x, v) {
					t.Fatalf("%+v: row %d, feature %d is %v, want %v", o, i, k+1, x, v)
				}
			}
		}
	})
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// plain returns dense rows of features, with 0 in the label's place, and then the
// label.
func plain(d *format.Dataset, o Options) (rows [][]float64) {
	attributes, class := d.Header.Attributes, d.Header.Class
	var weight []float64
	for i := range d.Len() {
		if x := d.X.Row(i); !math.IsNaN(x.At(int32(class))) {
			row := make([]float64, len(attributes))
			for k := range row {
				row[k] = x.At(int32(k))
			}
			w := 1.0
			if d.Weight != nil {
				w = d.Weight[i]
			}
			rows, weight = append(rows, row), append(weight, w)
		}
	}
	column := func(rows [][]float64, k int) (c []float64) {
		for _, row := range rows {
			c = append(c, row[k])
		}
		return c
	}
	for k, a := range attributes {
		fill := 0.0
		c := column(rows, k)
		if a.Type == format.Nominal {
			best := 0.0
			for label := range a.Labels {
				n := 0.0
				for i, v := range c {
					if v == float64(label) {
						n += weight[i]
					}
				}
				if n > best {
					fill, best = float64(label), n
				}
			}
		} else {
			sum, n := 0.0, 0.0
			for i, v := range c {
				if !math.IsNaN(v) {
					sum, n = sum+weight[i]*v, n+weight[i]
				}
			}
			if n > 0 {
				fill = sum / n
			}
		}
		for _, row := range rows {
			if math.IsNaN(row[k]) {
				row[k] = fill
			}
		}
	}
	rescale := func(rows [][]float64, k int) {
		c := column(rows, k)
		low, high, sum, n := math.Inf(1), math.Inf(-1), 0.0, 0.0
		for i, v := range c {
			if weight[i] > 0 {
				low, high, sum, n = min(low, v), max(high, v), sum+weight[i]*v, n+weight[i]
			}
		}
		squares := 0.0
		for i, v := range c {
			squares += weight[i] * (v - sum/n) * (v - sum/n)
		}
		for _, row := range rows {
			switch {
			case n == 0:
				row[k] = 0
			case o.Scaling == Normalize && high > low:
				row[k] = (row[k] - low) / (high - low)
			case o.Scaling == Normalize:
				row[k] = 0
			default:
				row[k] -= sum / n
				if squares > 1e-20 && n > 1 {
					row[k] /= math.Sqrt(squares / (n - 1))
				}
			}
		}
	}
	if o.Scaling != None && o.ColumnsFirst {
		for k, a := range attributes {
			if a.Type != format.Nominal {
				rescale(rows, k)
			}
		}
	}
	var encoded [][]float64
	for _, row := range rows {
		var features []float64
		for k, a := range attributes {
			switch {
			case k == class || a.Type == format.Nominal && len(a.Labels) < 2:
				features = append(features, 0)
			case a.Type == format.Nominal && len(a.Labels) > 2:
				for label := range a.Labels {
					is := 0.0
					if row[k] == float64(label) {
						is = 1
					}
					features = append(features, is)
				}
			default:
				features = append(features, row[k])
			}
		}
		encoded = append(encoded, append(features, row[class]))
	}
	if o.Scaling != None && !o.ColumnsFirst && len(encoded) > 0 {
		for k := range len(encoded[0]) - 1 {
			rescale(encoded, k)
		}
	}
	return encoded
}
