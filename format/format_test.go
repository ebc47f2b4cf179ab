package format_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"reflect"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func row(y, weight float64, values ...float64) format.Instance {
	in := format.Instance{Y: y, Weight: weight}
	for i, v := range values {
		in.X.Index = append(in.X.Index, int32(i))
		in.X.Value = append(in.X.Value, v)
	}
	return in
}

// A source gives rows and then an error, always in the same memory.
type source struct {
	rows      []format.Instance
	err       error // nil: io.EOF
	headerErr error
	read      int
	memory    format.Instance
}

func (s *source) Header() (*format.Header, error) {
	return &format.Header{Relation: "r", Class: -1}, s.headerErr
}

func (s *source) Read() (format.Instance, error) {
	if s.read == len(s.rows) {
		if s.err == nil {
			return format.Instance{}, io.EOF
		}
		return format.Instance{}, s.err
	}
	in := s.rows[s.read]
	s.read++
	s.memory.X.Index = append(s.memory.X.Index[:0], in.X.Index...)
	s.memory.X.Value = append(s.memory.X.Value[:0], in.X.Value...)
	s.memory.Y, s.memory.Weight = in.Y, in.Weight
	return s.memory, nil
}

// A sink collects rows and fails at the given one.
type sink struct {
	format.Dataset
	failAt  int // row that is refused, from 1; 0: none
	flushed bool
	flush   error
	header  error
}

func (s *sink) WriteHeader(h *format.Header) error { s.Header = h; return s.header }

func (s *sink) Write(in format.Instance) error {
	if s.Len()+1 == s.failAt {
		return errSink
	}
	s.Append(in)
	return nil
}

func (s *sink) Flush() error { s.flushed = true; return s.flush }

var errSource, errSink = errors.New("source"), errors.New("sink")

func TestAppend(t *testing.T) {
	var d format.Dataset
	in := row(1, 1, 5, 6)
	d.Append(in)
	in.X.Value[0] = -1
	in.X.Index[1] = 9
	if got := d.X.Row(0); !reflect.DeepEqual(got, row(1, 1, 5, 6).X) {
		t.Errorf("a row changed with the instance it was appended from: %v", got)
	}
	if d.Weight != nil {
		t.Errorf("weights %v of rows without", d.Weight)
	}
	d.Append(row(2, 1))
	d.Append(row(3, 0.5, 7))
	d.Append(row(4, 1, 8))
	d.Append(row(5, 0, 9))
	if want := []float64{1, 1, 0.5, 1, 0}; !reflect.DeepEqual(d.Weight, want) {
		t.Errorf("weights %v, want %v", d.Weight, want)
	}
	if want := []float64{1, 2, 3, 4, 5}; !reflect.DeepEqual(d.Y, want) || d.Len() != 5 || d.X.Len() != 5 {
		t.Errorf("labels %v of %d, %d rows; want %v", d.Y, d.Len(), d.X.Len(), want)
	}
}

// TestCheck: what was put together by hand may have too few or too many labels and weights.
func TestCheck(t *testing.T) {
	var d format.Dataset
	for i := range 3 {
		d.Append(row(float64(i), 1, 5))
	}
	for _, c := range []struct {
		y, weight []float64
		want      string
	}{
		{d.Y, nil, ""},
		{d.Y, []float64{1, 0, 2}, ""},
		{d.Y[:2], nil, "3 rows but 2 labels"},
		{nil, nil, "3 rows but 0 labels"},
		{[]float64{1, 2, 3, 4}, nil, "3 rows but 4 labels"},
		{d.Y, []float64{}, "3 rows but 0 weights"},
		{d.Y, []float64{1, 1}, "3 rows but 2 weights"},
		{d.Y, []float64{1, 1, 1, 1}, "3 rows but 4 weights"},
	} {
		got := ""
		if err := (&format.Dataset{X: d.X, Y: c.y, Weight: c.weight}).Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("labels %v, weights %v: %q, want %q", c.y, c.weight, got, c.want)
		}
	}
	if err := new(format.Dataset).Check(); err != nil {
		t.Errorf("no rows: %v", err)
	}
}

func TestCopy(t *testing.T) {
	rows := []format.Instance{row(1, 1, 5), row(2, 3), row(3, 1, 6, 7)}
	for _, c := range []struct {
		name  string
		src   source
		dst   sink
		n     int
		err   error
		flush bool
	}{
		{"all", source{rows: rows}, sink{}, 3, nil, true},
		{"none", source{}, sink{}, 0, nil, true},
		{"header fault", source{rows: rows, headerErr: errSource}, sink{}, 0, errSource, false},
		{"header refused", source{rows: rows}, sink{header: errSink}, 0, errSink, false},
		{"fault", source{rows: rows[:2], err: errSource}, sink{}, 2, errSource, false},
		{"refused", source{rows: rows}, sink{failAt: 3}, 2, errSink, false},
		{"flush", source{rows: rows}, sink{flush: errSink}, 3, errSink, true},
	} {
		n, err := format.Copy(&c.dst, &c.src)
		if n != c.n || err != c.err {
			t.Errorf("%s: %d rows, %v; want %d, %v", c.name, n, err, c.n, c.err)
		}
		if c.dst.flushed != c.flush {
			t.Errorf("%s: flushed is %t", c.name, c.dst.flushed)
		}
		if c.dst.Len() != c.n {
			t.Errorf("%s: %d rows arrived", c.name, c.dst.Len())
		}
		for i := range c.dst.Y {
			if x := c.dst.X.Row(i); c.dst.Y[i] != rows[i].Y || fmt.Sprint(x) != fmt.Sprint(rows[i].X) {
				t.Errorf("%s: row %d arrived as %v %v", c.name, i, c.dst.Y[i], x)
			}
		}
		if c.n > 0 && (c.dst.Header == nil || c.dst.Header.Relation != "r") {
			t.Errorf("%s: header %v", c.name, c.dst.Header)
		}
	}
}

func TestReadAll(t *testing.T) {
	rows := make([]format.Instance, 5000)
	for i := range rows {
		rows[i] = row(float64(i), 1, float64(i)/3, -1)
	}
	d, err := format.ReadAll(t.Context(), &source{rows: rows})
	if err != nil || d.Len() != len(rows) || d.Header.Relation != "r" || d.Weight != nil {
		t.Fatalf("%d rows, header %v, weights %v, %v", d.Len(), d.Header, d.Weight, err)
	}
	for i := range rows {
		if d.Y[i] != rows[i].Y || !reflect.DeepEqual(d.X.Row(i), rows[i].X) {
			t.Fatalf("row %d is %v %v", i, d.Y[i], d.X.Row(i))
		}
	}
	for _, s := range []*source{{headerErr: errSource}, {rows: rows[:7], err: errSource}} {
		if d, err := format.ReadAll(t.Context(), s); d != nil || err != errSource {
			t.Errorf("%v, %v, want %v", d, err, errSource)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &source{rows: rows}
	if d, err := format.ReadAll(ctx, &canceller{s, 10, cancel}); d != nil || !errors.Is(err, context.Canceled) || s.read > 2000 {
		t.Errorf("cancelled after 10 rows: %v, %v, after %d rows", d, err, s.read)
	}
}

// A canceller cancels after some rows.
type canceller struct {
	*source
	after  int
	cancel func()
}

func (c *canceller) Read() (format.Instance, error) {
	if c.read == c.after {
		c.cancel()
	}
	return c.source.Read()
}

func TestError(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		err  format.Error
		text string
	}{
		{format.Error{Path: "f", Line: 3, Column: 5, Err: cause}, "f:3:5: cause"},
		{format.Error{Path: "f", Line: 3, Err: cause}, "f:3: cause"},
		{format.Error{Path: "f", Err: cause}, "f: cause"},
		{format.Error{Path: "f", Column: 5, Err: cause}, "f: cause"},
		{format.Error{Line: 3, Column: 5, Err: cause}, "3:5: cause"},
		{format.Error{Line: 3, Err: cause}, "3: cause"},
		{format.Error{Err: cause}, "cause"},
	} {
		if got := c.err.Error(); got != c.text {
			t.Errorf("%#v is %q, want %q", c.err, got, c.text)
		}
		if !errors.Is(&c.err, cause) {
			t.Errorf("%q hides its cause", c.text)
		}
	}
}

func TestWithPath(t *testing.T) {
	cause := errors.New("cause")
	at := func(path string) error { return &format.Error{Path: path, Line: 3, Column: 5, Err: cause} }
	for _, c := range []struct {
		err  error
		text string
	}{
		{at(""), "f:3:5: cause"},
		{at("other"), "other:3:5: cause"},
		{cause, "f: cause"},
		{fmt.Errorf("model: %w", cause), "f: model: cause"},
		{&fs.PathError{Op: "read", Path: "f", Err: cause}, "read f: cause"},
		{&fs.PathError{Op: "read", Path: "g", Err: cause}, "f: read g: cause"},
		{&format.Error{Line: 3, Err: &fs.PathError{Op: "read", Path: "f", Err: cause}}, "f:3: read f: cause"},
	} {
		before := fmt.Sprintf("%#v", c.err)
		got := format.WithPath(c.err, "f")
		if got.Error() != c.text || !errors.Is(got, cause) {
			t.Errorf("WithPath(%s) is %q, want %q", before, got, c.text)
		}
		if e := (*format.Error)(nil); !errors.As(got, &e) || e.Path == "" {
			t.Errorf("WithPath(%s) is no *format.Error with a path", before)
		}
	}
	if err := format.WithPath(nil, "f"); err != nil {
		t.Errorf("WithPath(nil) is %v", err)
	}
}

// A fault inside another error keeps that error's words and gets the path too,
// once.
func TestWithPathInside(t *testing.T) {
	err := fmt.Errorf("%w (value 2 of 3)", &format.Error{Line: 3, Column: 5, Err: errors.New("cause")})
	if got, want := format.WithPath(err, "f").Error(), "f: 3:5: cause (value 2 of 3)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = fmt.Errorf("no good: %w", &format.Error{Path: "f", Line: 3, Err: errors.New("cause")})
	if got, want := format.WithPath(err, "g").Error(), "no good: f:3: cause"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCheckWeight: weights are finite, and none is negative.
func TestCheckWeight(t *testing.T) {
	for w, want := range map[float64]bool{0: true, 0.5: true, math.MaxFloat64: true, -0.5: false, -1: false, math.Inf(1): false, math.Inf(-1): false} {
		if err := format.CheckWeight(w); (err == nil) != want {
			t.Errorf("%v: %v", w, err)
		}
	}
	if err := format.CheckWeight(math.NaN()); err == nil || err.Error() != "weight NaN: expected a finite number, 0 or more" {
		t.Errorf("NaN: %v", err)
	}
}

// TestInstanceClone: a copy is equal to the row and stays so when the row's memory has another.
func TestInstanceClone(t *testing.T) {
	rowOf := func(v float64, text string) format.Instance {
		in := row(3, 2, v, v)
		in.Sparse, in.Strings = true, []string{text}
		inner := row(0, 1, v)
		inner.Strings = []string{text}
		in.Tables = [][]format.Instance{{inner, row(0, 1, v)}, nil}
		return in
	}
	in, other := rowOf(1, "a"), rowOf(7, "b")
	c := in.Clone()
	copy(in.X.Index, []int32{5, 6})
	copy(in.X.Value, other.X.Value)
	copy(in.Strings, other.Strings)
	copy(in.Tables[0][0].X.Value, []float64{7})
	copy(in.Tables[0][0].Strings, []string{"b"})
	copy(in.Tables[0][1:], other.Tables[0])
	copy(in.Tables[1:], other.Tables)
	if want := rowOf(1, "a"); !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
	if empty := (format.Instance{}).Clone(); !reflect.DeepEqual(empty, format.Instance{}) {
		t.Errorf("%#v", empty)
	}
}
