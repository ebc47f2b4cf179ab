package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
)

// roundTrip checks that what the format must hold comes back, and that writing
// what was read gives the same bytes.
func (s *suite) roundTrip() error {
	var errs []error
	for _, set := range s.held() {
		if err := s.comesBack(set.data); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", set.name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *suite) comesBack(d *format.Dataset) error {
	w, err := s.write(d)
	if err != nil {
		return err
	}
	o, err := s.read(w.text)
	if err != nil {
		return fmt.Errorf("%w\nin the text\n%s", err, clip(w.text))
	}
	if err := s.gives(o, rows(d)); err != nil {
		return fmt.Errorf("%w\nin the text\n%s", err, clip(w.text))
	}
	if want := s.header(d); s.limits.Header != nil && !reflect.DeepEqual(o.header, want) {
		return fmt.Errorf("header %+v, want %+v", *o.header, *want)
	}
	again := dataset(o.rows...)
	again.Header = o.header
	v, err := s.write(again)
	if err != nil {
		return fmt.Errorf("writing what was read: %w", err)
	}
	if v.text != w.text {
		return fmt.Errorf("writing what was read gives\n%s\nwant\n%s", clip(v.text), clip(w.text))
	}
	if s.codec.Sniff != nil && d.Len() > 0 && !s.codec.Sniff([]byte(w.text[:min(512, len(w.text))])) {
		return fmt.Errorf("Sniff does not know the text\n%s", clip(w.text))
	}
	return nil
}

// gives returns nil when reading came to the given rows and no error.
func (s *suite) gives(o outcome, want []format.Instance) error {
	if o.err != nil {
		return o.err
	}
	normal := make([]format.Instance, len(want))
	for i := range want {
		normal[i] = s.normal(want[i])
	}
	got := make([]format.Instance, len(o.rows))
	for i := range o.rows {
		got[i] = s.normal(o.rows[i])
	}
	return sameRows(normal, got)
}

// refusals checks that what the format cannot hold is refused by the writer or
// by the reader, if it does not come back after all.
func (s *suite) refusals() error {
	var errs []error
	for _, set := range s.beyond() {
		w, err := s.write(set.data)
		if errors.Is(err, errRefused) {
			if err := properMessage(err.Error()); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", set.name, err))
			}
			continue
		}
		var o outcome
		if err == nil {
			o, err = s.read(w.text)
		}
		if err == nil && o.err == nil {
			err = s.gives(o, rows(set.data))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: neither refused nor kept: %w\nin the text\n%s", set.name, err, clip(w.text)))
		}
	}
	return errors.Join(errs...)
}

// noVectors checks that the writer refuses a row that is no vec.Vector, and writes nothing of it.
func (s *suite) noVectors() error {
	i := max(s.limits.MinIndex, 1)
	var errs []error
	for _, x := range []vec.Vector{
		{Index: []int32{i + 1, i}, Value: []float64{1, 2}},
		{Index: []int32{i, i}, Value: []float64{1, 2}},
		{Index: []int32{-1}, Value: []float64{1}},
		{Index: []int32{i}, Value: []float64{1, 2}},
		{Index: []int32{i, i + 1}, Value: []float64{1}},
		{Value: []float64{1}},
	} {
		if err := s.refusesRow(format.Instance{X: x, Y: 1, Weight: 1}); err != nil {
			errs = append(errs, fmt.Errorf("indices %v and values %v: %w", x.Index, x.Value, err))
		}
	}
	return errors.Join(errs...)
}

// refusesRow returns nil if the writer refuses a row between those of s.small, which are written.
func (s *suite) refusesRow(in format.Instance) (err error) {
	defer caught("writing", &err)
	want, err := s.write(s.small)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	dst := s.codec.NewWriter(&buf)
	if err := dst.WriteHeader(s.header(s.small)); err != nil {
		return err
	}
	for i, row := range rows(s.small) {
		if err := dst.Write(row); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		err := dst.Write(in)
		if err == nil {
			return errors.New("the row is written without an error")
		}
		if err := properMessage(err.Error()); err != nil {
			return err
		}
	}
	if err := dst.Flush(); err != nil {
		return err
	}
	if buf.String() != want.text {
		return fmt.Errorf("the text is\n%s\nwant\n%s", clip(buf.String()), clip(want.text))
	}
	return nil
}

// bulkBytes is a text so long that readers fill their buffers many times and
// Parse shares it out.
const bulkBytes = 3 << 20

// large returns a data set whose text has at least bulkBytes, with rows of many
// lengths. It is made once.
func (s *suite) large() (*format.Dataset, written, error) {
	if s.bulkData != nil {
		return s.bulkData, s.bulkText, nil
	}
	g, _ := generate.Lookup("twonorm")
	d := dataset()
	n := min(g.Inputs, int(s.limits.MaxIndex))
	w := written{}
	for size := bulkBytes / 160; ; size *= 2 {
		src := g.Generate(size, 5)
		for i := range size {
			in := instance(src, i)
			k := n - i%7*n/7
			if i%101 == 0 {
				k = 0
			}
			in.X.Index, in.X.Value = in.X.Index[:k], in.X.Value[:k]
			d.Append(in)
		}
		var err error
		w, err = s.write(d)
		if err != nil {
			return d, w, err
		}
		if len(w.text) >= bulkBytes {
			s.bulkData, s.bulkText = d, w
			return d, w, nil
		}
	}
}

// bulk checks that Parse returns the rows of a large text.
func (s *suite) bulk() error {
	d, w, err := s.large()
	if err != nil {
		return err
	}
	o, err := s.read(w.text)
	if err != nil {
		return err
	}
	return s.gives(o, rows(d))
}

// cancelling checks that Parse ends with the context's error and its cause when that was
// cancelled before it began or while it reads.
func (s *suite) cancelling() error {
	_, w, err := s.large()
	if err != nil {
		return err
	}
	cause := errors.New("the cause of the cancellation")
	ctx, cancel := context.WithCancelCause(context.Background())
	o, err := s.parse(ctx, &cancellingReader{strings.NewReader(w.text), func() { cancel(cause) }})
	if err == nil && !(errors.Is(o.err, context.Canceled) && errors.Is(o.err, cause)) {
		err = fmt.Errorf("cancelled while it reads, Parse returns %s", message(o.err))
	}
	if err != nil {
		return err
	}
	o, err = s.parse(ctx, strings.NewReader(w.text))
	if err == nil && !(errors.Is(o.err, context.Canceled) && errors.Is(o.err, cause)) {
		err = fmt.Errorf("with a cancelled context, Parse returns %s", message(o.err))
	}
	return err
}

// cancellingReader cancels at its first call.
type cancellingReader struct {
	r      io.Reader
	cancel context.CancelFunc
}

func (c *cancellingReader) Read(p []byte) (int, error) {
	c.cancel()
	return c.r.Read(p)
}
