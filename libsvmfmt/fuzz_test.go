package libsvmfmt_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// FuzzReader: no text makes the reader panic; what it accepts means to it what it
// means to LIBSVM, and is the same when written and read again.
func FuzzReader(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		compare(t, data)
		d, err := libsvmfmt.Parse(context.Background(), bytes.NewReader(data))
		if err != nil {
			if e, ok := err.(*format.Error); !ok || e.Line < 1 || e.Line > len(lines(data)) || e.Column < 1 || e.Column > len(lines(data)[e.Line-1])+1 {
				t.Fatalf("error %#v does not name a place in the text", err)
			}
			return
		}
		if d.Len() != len(lines(data)) {
			t.Fatalf("%d rows from %d lines", d.Len(), len(lines(data)))
		}
		var b bytes.Buffer
		w := libsvmfmt.NewWriter(&b)
		for i := range d.Y {
			if err := w.Write(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}); err != nil {
				t.Fatalf("what was read cannot be written: %v", err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		written := b.String()
		r := libsvmfmt.NewReader(&b)
		for i := range d.Y {
			want := format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}
			if got, err := r.Read(); err != nil || !sameRow(got, want) {
				t.Fatalf("row %d is %s, written and read again %s, %v\n%s", i+1, text(want), text(got), err, written)
			}
		}
		if _, err := r.Read(); err != io.EOF {
			t.Fatalf("behind the last row: %v", err)
		}
	})
}
