package format_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// TestUnfinished: outputs count from Create until they are closed or dropped, once.
func TestUnfinished(t *testing.T) {
	before := format.Unfinished()
	want := func(n int, when string) {
		t.Helper()
		if got := format.Unfinished() - before; got != n {
			t.Errorf("%s: %d are unfinished, want %d", when, got, n)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	ctx, cancel := context.WithCancel(t.Context())
	for _, p := range []string{path, "-"} {
		o, err := format.CreateOutput(ctx, p, new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		want(1, "created")
		closeOutput(t, o)
		o.Abort()
		want(0, "closed")
		if o, err = format.CreateOutput(ctx, p, new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		o.Abort()
		o.Abort()
		o.Close()
		want(0, "dropped")
	}
	if _, err := format.Create(ctx, filepath.Dir(path)); err == nil {
		t.Error("a folder is created")
	}
	want(0, "not created")
	o, err := format.Create(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for format.Unfinished() != before { // until the watch has seen it
		time.Sleep(time.Millisecond)
	}
	o.Close()
	want(0, "cancelled")
}
