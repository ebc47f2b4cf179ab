package libsvmfmt_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/formattest"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		row  format.Instance
		want string
	}{
		{formattest.Row(1), "1\n"},
		{formattest.Row(-1, 1, 2, 3, 4), "-1 1:2 3:4\n"},
		{formattest.Row(0, 0, 0, math.MaxInt32, math.Copysign(0, -1)), "0 0:0 2147483647:-0\n"},
		{formattest.Row(0.1, 1, 0.1, 2, 1./3, 3, 1e6, 4, 123456789, 5, 1e-5, 6, 100000), "0.1 1:0.1 2:0.3333333333333333 3:1e+06 4:1.23456789e+08 5:1e-05 6:100000\n"},
		{formattest.Row(1, 1, math.MaxFloat64, 2, 0x1p-1022, 3, -0x1p-1022), "1 1:1.7976931348623157e+308 2:2.2250738585072014e-308 3:-2.2250738585072014e-308\n"},
		{formattest.Row(5e-324, 1, 5e-324, 2, -3e-310), "5e-324 1:0x1p-1074 2:-0x1.b9cd12959408p-1029\n"},
	} {
		var b bytes.Buffer
		w := libsvmfmt.NewWriter(&b)
		if err := errors.Join(w.WriteHeader(&format.Header{Class: -1}), w.Write(c.row), w.Flush()); err != nil {
			t.Error(err)
		}
		if b.String() != c.want {
			t.Errorf("%q, want %q", b.String(), c.want)
		}
		in, err := libsvmfmt.NewReader(&b).Read()
		if err != nil || !sameRow(in, c.row) {
			t.Errorf("%q is read as %s, %v", c.want, text(in), err)
		}
		if v := libsvmLine([]byte(c.want)); !v.accepted || !v.sound || !sameRow(v.row, c.row) {
			t.Errorf("%q is read by LIBSVM as %s: %t, %t", c.want, text(v.row), v.accepted, v.sound)
		}
	}
}

// What the reader would refuse, or give back as something else, is not written.
func TestWriteRefuses(t *testing.T) {
	weighted := formattest.Row(1, 1, 2)
	weighted.Weight = 0.5
	for _, c := range []struct {
		row  format.Instance
		want string
	}{
		{formattest.Row(math.NaN(), 1, 2), "label NaN of a row: the LIBSVM format holds finite numbers only"},
		{formattest.Row(math.Inf(-1)), "label -Inf of a row: the LIBSVM format holds finite numbers only"},
		{formattest.Row(1, 1, 2, 3, math.NaN()), "value NaN of feature 3: the LIBSVM format holds finite numbers only"},
		{formattest.Row(1, 7, math.Inf(1)), "value +Inf of feature 7: the LIBSVM format holds finite numbers only"},
		{formattest.Row(1, 2, 1, 1, 1), "a row that the LIBSVM format cannot hold: index 1 follows index 2: indices must increase"},
		{formattest.Row(1, -1, math.NaN()), "a row that the LIBSVM format cannot hold: index -1 is negative"},
		{format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{5, 6}}, Weight: 1}, "a row that the LIBSVM format cannot hold: 1 indices but 2 values"},
		{weighted, "weight 0.5 of a row, expected 1: the LIBSVM format has no weights"},
		{format.Instance{Y: 1}, "weight 0 of a row, expected 1: the LIBSVM format has no weights"}, // a program set none
	} {
		var b bytes.Buffer
		w := libsvmfmt.NewWriter(&b)
		if err := w.Write(formattest.Row(5, 1, 1)); err != nil {
			t.Fatal(err)
		}
		if err := w.Write(c.row); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if err := w.Flush(); err != nil || b.String() != "5 1:1\n" {
			t.Errorf("%q was written, %v; want the row before and nothing of the refused one", b.String(), err)
		}
	}
}

// Data with declared columns are not written as if they were numbered features: their label is one
// of the values.
func TestWriteHeaderRefusesColumns(t *testing.T) {
	declared := &format.Header{Class: -1, Attributes: []format.Attribute{{Name: "age"}, {Name: "class"}}}
	for name, c := range map[string]format.Codec{"LIBSVM": libsvmfmt.Codec, "SVMlight": libsvmfmt.SVMLight} {
		var b bytes.Buffer
		w := c.NewWriter(&b)
		for _, h := range []*format.Header{nil, {}, {Class: -1}, {Relation: "r", Class: -1}} {
			if err := w.WriteHeader(h); err != nil {
				t.Errorf("%s: %+v: %v", name, h, err)
			}
		}
		want := "the " + name + " format has no columns: " + format.ErrColumns.Error()
		if err := w.WriteHeader(declared); err == nil || err.Error() != want || !errors.Is(err, format.ErrColumns) {
			t.Errorf("%v, want %s", err, want)
		}
		if n, err := format.Copy(w, &declaredRow{header: declared}); err == nil || err.Error() != want || n != 0 || b.Len() > 0 {
			t.Errorf("%s: Copy writes %d rows, %q, %v", name, n, &b, err)
		}
	}
}

// declaredRow reads one row under a header.
type declaredRow struct {
	header *format.Header
	read   bool
}

func (d *declaredRow) Header() (*format.Header, error) { return d.header, nil }

func (d *declaredRow) Read() (format.Instance, error) {
	if d.read {
		return format.Instance{}, io.EOF
	}
	d.read = true
	return formattest.Row(0, 0, 1, 1, 2), nil
}

// finiteNumbers draws numbers of every size.
func finiteNumbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.Uint64(), math.Float64frombits),
		rapid.Float64(),
		rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 8 }),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 5e-324, 0x1p-1022, math.MaxFloat64, 1e22, 1e23}),
	).Filter(finite)
}

func instances() *rapid.Generator[format.Instance] {
	return rapid.Custom(func(t *rapid.T) format.Instance {
		index := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int32Range(0, 20), rapid.Int32Range(0, math.MaxInt32)), 0, 10, rapid.ID[int32]).Draw(t, "index")
		slices.Sort(index)
		in := format.Instance{X: vec.Vector{Index: index}, Weight: 1, Y: finiteNumbers().Draw(t, "label")}
		for range index {
			in.X.Value = append(in.X.Value, finiteNumbers().Draw(t, "value"))
		}
		return in
	})
}

func TestRoundTrip(t *testing.T) {
	formattest.Cases(t, 500)
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(instances(), 0, 8).Draw(t, "rows")
		var b bytes.Buffer
		w := libsvmfmt.NewWriter(&b)
		for _, in := range rows {
			if err := w.Write(in); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		written := b.String()
		r := libsvmfmt.NewReader(strings.NewReader(written))
		for i, want := range rows {
			got, err := r.Read()
			if err != nil || !sameRow(got, want) {
				t.Fatalf("row %d is read as %s, %v\nwritten\n%s", i, text(got), err, written)
			}
		}
		if _, err := r.Read(); err != io.EOF {
			t.Fatalf("behind the last row: %v", err)
		}
		for i, line := range lines([]byte(written)) {
			if v := libsvmLine(line); !v.accepted || !v.sound || !sameRow(v.row, rows[i]) {
				t.Fatalf("%q is read by LIBSVM as %s: %t, %t", line, text(v.row), v.accepted, v.sound)
			}
		}
	})
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	row := formattest.Row(1, 1, 2, 3, 4)
	for name, newWriter := range map[string]func(io.Writer) format.Writer{
		"LIBSVM":   libsvmfmt.Codec.NewWriter,
		"SVMlight": libsvmfmt.SVMLight.NewWriter,
	} {
		w := newWriter(&failingWriter{10})
		var err error
		for range 10000 {
			if err = w.Write(row); err != nil {
				break
			}
		}
		if err != errFull {
			t.Errorf("%s: Write: %v, want %v", name, err, errFull)
		}
		if err := w.Flush(); err != errFull {
			t.Errorf("%s: Flush: %v, want %v", name, err, errFull)
		}
		w = newWriter(&failingWriter{3})
		if err := w.Write(row); err != nil {
			t.Errorf("%s: Write into the buffer: %v", name, err)
		}
		if err := w.Flush(); err != errFull {
			t.Errorf("%s: Flush: %v, want %v", name, err, errFull)
		}
	}
}
