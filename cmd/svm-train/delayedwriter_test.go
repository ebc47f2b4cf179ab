package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// pieces are the texts of the calls of Write, which fail from the given one on.
type pieces struct {
	texts []string
	fail  int // 0: never
}

func (p *pieces) Write(b []byte) (int, error) {
	p.texts = append(p.texts, string(b))
	if p.fail > 0 && len(p.texts) >= p.fail {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

// TestDelayedWriter: short texts are written together, all of them and in order, and no more wait
// than a block.
func TestDelayedWriter(t *testing.T) {
	var to pieces
	g := delayedWriter{w: &to}
	var want strings.Builder
	for k := range 3000 {
		text := strings.Repeat(string(rune('a'+k%26)), 1+k%7)
		want.WriteString(text)
		g.add(func(b []byte) []byte { return append(b, text...) })
		g.mu.Lock()
		if len(g.text) >= mostWaiting {
			t.Fatalf("%d bytes wait", len(g.text))
		}
		g.mu.Unlock()
	}
	if err := g.end(); err != nil {
		t.Error(err)
	}
	if got := strings.Join(to.texts, ""); got != want.String() {
		t.Errorf("what was written differs: %d bytes, want %d", len(got), want.Len())
	}
	if len(to.texts) > 300 { // some more than blocks if this process has to wait
		t.Errorf("3000 texts were written in %d calls", len(to.texts))
	}
}

// TestDelayedWriterAppears: a text is written soon though nothing follows, again and again.
func TestDelayedWriterAppears(t *testing.T) {
	r, w := io.Pipe() // whose Write returns when all was read
	g := delayedWriter{w: w}
	for _, text := range []string{"first", "second"} {
		g.add(func(b []byte) []byte { return append(b, text...) })
		got := make([]byte, len(text)) // hangs unless it comes
		if _, err := io.ReadFull(r, got); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
}

// TestDelayedWriterFails: the first error is the one that is returned, once, and also to who asks later.
func TestDelayedWriterFails(t *testing.T) {
	for _, late := range []bool{false, true} {
		calls := 0
		g := delayedWriter{w: &pieces{fail: 2}}
		if !late {
			g.onFailure(func() { calls++ })
		}
		for range 4 {
			g.add(func(b []byte) []byte { return append(b, '.') })
			g.flush()
		}
		if late {
			g.onFailure(func() { calls++ })
		}
		if err := g.end(); !errors.Is(err, io.ErrClosedPipe) || calls != 1 {
			t.Errorf("late %v: %v after %d calls", late, err, calls)
		}
	}
}

// TestWarnedInOrder: where stdout and stderr are one, what was said before a warning stands before it.
func TestWarnedInOrder(t *testing.T) {
	var both bytes.Buffer
	out := newMessages(&both, &both)
	out.report(train.Progress{})
	out.report(train.IterationLimit{})
	out.report(train.Progress{})
	out.report(train.LabelsMerged{First: 1.25, Second: 1.5})
	out.report(train.GradientRebuilt{})
	out.talk.end()
	want := ".\nWARNING: reaching max number of iterations\n.WARNING: class labels are integers: 1.25 and 1.5 are taken as one class\n*"
	if got := both.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
