package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// screenText is a terminal's text, which may be read while it is written.
type screenText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screenText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screenText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until the text has all of words, or for long.
func (s *screenText) await(t *testing.T, words ...string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		missing := 0
		for _, w := range words {
			if !strings.Contains(s.String(), w) {
				missing++
			}
		}
		if missing == 0 {
			return
		}
	}
	text := s.String()
	t.Fatalf("... %q never showed %q", text[max(0, len(text)-300):], words)
}

func TestBar(t *testing.T) {
	patience = 0
	defer func() { patience = time.Second }()
	for _, c := range []struct {
		unit       unit
		total, now int64
		words      []string
	}{
		{bytesRead, 4_000_000, 1_000_000, []string{"reading x", "1.0 MB / 4.0 MB", "MB/s", "s left", "=>"}},
		{bytesRead, 0, 1_500_000, []string{"reading x", "1.5 MB", "MB/s"}},
		{machines, 45, 12, []string{"reading x", "12 / 45 machines", "/s", "s left"}},
		{iterations, 0, 77_000, []string{"reading x", "77000 iterations", "/s"}},
	} {
		terminal := new(screenText)
		e := &env{stderr: &screen{Writer: terminal}}
		var done atomic.Int64
		end := e.watch(false, "reading x", c.unit, c.total, done.Load)
		done.Store(c.now)
		terminal.await(t, c.words...)
		fmt.Fprintln(e.stderr, "warning: above the bar")
		terminal.await(t, "warning: above the bar\n")
		end()
		end()
		length := len(terminal.String())
		fmt.Fprintln(e.stderr, "after")
		if rest := terminal.String()[length:]; rest != "after\n" {
			t.Errorf("%q after the end", rest)
		}
	}
}

// TestNoBar: nothing is screenText where there is no terminal, with --quiet, or of
// work that is over soon.
func TestNoBar(t *testing.T) {
	count := func() int64 { return 1 }
	terminal := new(screenText)
	for _, c := range []struct {
		stderr   io.Writer
		quiet    bool
		patience time.Duration
	}{
		{talk(terminal), false, 0},
		{&screen{Writer: terminal}, true, 0},
		{&screen{Writer: terminal}, false, time.Hour},
	} {
		patience = c.patience
		end := (&env{stderr: c.stderr}).watch(c.quiet, "reading", bytesRead, 10, count)
		time.Sleep(3 * refresh)
		end()
	}
	patience = time.Second
	if terminal.String() != "" {
		t.Errorf("%q", terminal.String())
	}
}
