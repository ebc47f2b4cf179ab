package csvfmt

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A cancelling text cancels a context once some bytes of it are read, in whatever readings, and
// counts what is read behind that.
type cancelling struct {
	*strings.Reader
	left   int // bytes before
	after  int // read since
	cancel func()
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.left -= n; c.left <= 0 {
		c.cancel()
		if c.after -= c.left; c.left < 0 {
			c.left = 0
		}
	}
	return n, err
}

// TestContext: in whichever reading of the text the context ends, little more is read, and the error
// is the context's.
func TestContext(t *testing.T) {
	const rows = 1 << 18
	texts := "a,b\n" + strings.Repeat("1,2\n", rows) + "x,y\n" // the labels are found by another reading
	numbers := "a,b\n" + strings.Repeat("1,2\n", rows)
	one := "a,b\n1,\"" + strings.Repeat("2\n", rows) + "\"\n"
	for _, c := range []struct {
		name, text string
		at         int // where the context ends; 0: before the first reading
		skip       bool
		pipe       bool
		read       bool // in Read, behind Header
	}{
		{name: "before", text: numbers},
		{name: "study", text: numbers, at: len(numbers) / 2},
		{name: "study", text: numbers, at: len(numbers) / 2, pipe: true},
		{name: "study with SkipFault", text: numbers, at: len(numbers) / 2, skip: true},
		{name: "one record", text: one, at: len(one) / 2},
		{name: "labels", text: texts, at: len(texts) * 3 / 2},
		{name: "rows", text: numbers, at: len(numbers) * 3 / 2, read: true},
		{name: "rows behind labels", text: texts, at: len(texts) * 5 / 2, read: true},
	} {
		why := errors.New("not needed any more")
		ctx, stop := context.WithCancelCause(t.Context())
		cancel := func() { stop(why) }
		if c.at == 0 {
			cancel()
		}
		text := &cancelling{Reader: strings.NewReader(c.text), left: c.at, cancel: cancel}
		var in io.Reader = text
		if c.pipe {
			in = struct{ io.Reader }{text}
		}
		r := NewReader(in)
		r.Context = ctx
		if c.skip {
			r.SkipFault = func(error) bool { return true }
		}
		_, err := r.Header()
		if c.read && err != nil {
			t.Errorf("%s: the context has not ended, and Header says %v", c.name, err)
		}
		for c.read && err == nil {
			_, err = r.Read()
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, why) {
			t.Errorf("%s: %v, want the error of the context", c.name, err)
		}
		if _, again := r.Read(); !errors.Is(again, context.Canceled) {
			t.Errorf("%s: then %v, want the error of the context", c.name, again)
		}
		if most := 256 << 10; text.after > most {
			t.Errorf("%s: %d bytes were read after the context had ended, expected %d at most", c.name, text.after, most)
		}
		cancel()
	}
}

// TestContextOfColumns: a context that ends is told rather than a fault that what was read by then
// has.
func TestContextOfColumns(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1,2\n", 1<<18)
	ctx, cancel := context.WithCancel(t.Context())
	r := NewReader(&cancelling{Reader: strings.NewReader(text), left: len(text) / 2, cancel: cancel})
	r.Context, r.Class = ctx, "none"
	if _, err := r.Header(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
