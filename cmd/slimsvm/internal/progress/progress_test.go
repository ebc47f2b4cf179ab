package progress

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// newScreen returns a screen that nobody else has.
func newScreen(terminal io.Writer) *screen {
	return &screen{Writer: terminal, behind: func() bool { return false }}
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
		unit       Unit
		total, now int64
		words      []string
	}{
		{Bytes, 4_000_000, 1_000_000, []string{"reading x", "1.0 MB / 4.0 MB", "MB/s", "s left", "=>"}},
		{Bytes, 0, 1_500_000, []string{"reading x", "1.5 MB", "MB/s"}},
		{Machines, 45, 12, []string{"reading x", "12 / 45 machines", "/s", "s left"}},
		{Iterations, 0, 77_000, []string{"reading x", "77000 iterations", "/s"}},
	} {
		terminal := new(screenText)
		screen := newScreen(terminal)
		var done atomic.Int64
		end := Show(screen, func() string { return "reading x" }, c.unit, c.total, done.Load)
		done.Store(c.now)
		terminal.await(t, c.words...)
		fmt.Fprintln(screen, "warning: above the bar")
		terminal.await(t, "warning: above the bar\n")
		end()
		end()
		length := len(terminal.String())
		fmt.Fprintln(screen, "after")
		if rest := terminal.String()[length:]; rest != "after\n" {
			t.Errorf("%q after the end", rest)
		}
	}
}

// TestNoBar: nothing is shown where there is no terminal, or of work that is over soon.
func TestNoBar(t *testing.T) {
	count := func() int64 { return 1 }
	terminal := new(screenText)
	for _, c := range []struct {
		stderr   io.Writer
		patience time.Duration
	}{
		{NewWriter(terminal), 0},
		{newScreen(terminal), time.Hour},
	} {
		patience = c.patience
		end := Show(c.stderr, func() string { return "reading" }, Bytes, 10, count)
		time.Sleep(3 * refresh)
		end()
	}
	patience = time.Second
	if terminal.String() != "" {
		t.Errorf("%q", terminal.String())
	}
}

// TestBarBehind: a background job draws no bar, which would erase what the user types, and says what it
// has to say; in the foreground again it draws one below what came in between.
func TestBarBehind(t *testing.T) {
	terminal := new(screenText)
	s := newScreen(terminal)
	behind := false
	s.behind = func() bool { return behind }
	draw := func() { s.draw(func(int) string { return "bar" }) }
	step := func(what, want string, do func()) {
		t.Helper()
		before := len(terminal.String())
		do()
		if got := terminal.String()[before:]; got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	const erased = "\r\x1b[1A\x1b[J"
	step("first", "bar\n", draw)
	step("second", erased+"bar\n", draw)
	behind = true
	step("behind", "", draw)
	step("a warning behind", "warning\n", func() { fmt.Fprintln(s, "warning") })
	step("behind still", "", draw)
	step("the end behind", "", s.clear)
	behind = false
	step("in front again", "bar\n", draw)
	behind = true
	step("a warning where the bar was last seen in front", "warning\n", func() { fmt.Fprintln(s, "warning") })
	behind = false
	step("in front at last", "bar\n", draw)
	step("half a line", erased+"half", func() { fmt.Fprint(s, "half") })
	step("in the line", "", draw)
	step("the line's end", " line\n", func() { fmt.Fprintln(s, " line") })
	step("below the line", "bar\n", draw)
	step("the end", erased, s.clear)
	step("twice", "", s.clear)
}

// TestBarLine: a bar has room in any line.
func TestBarLine(t *testing.T) {
	for _, c := range []struct {
		width    int
		in       Unit
		n, total int64
		want     string
	}{
		{60, Machines, 5, 10, "data [======>-------] 5 / 10 machines 2.5/s 2s left"},
		{60, Machines, 0, 10, "data [----------------------] 0 / 10 machines 0.0/s"},
		{60, Machines, 10, 10, "data [==============] 10 / 10 machines 5.0/s 0s left"},
		{60, Machines, 12, 10, "data [==============] 12 / 10 machines 6.0/s 0s left"},
		{20, Machines, 5, 10, "data 5 / 10 machine…"},
		{2, Machines, 5, 10, "d…"},
		{60, Bytes, 3_000_000, 0, "data 3.0 MB 1.5 MB/s 2s"},
		{60, Iterations, 3000, 0, "data 3000 iterations 1500.0/s 2s"},
	} {
		got := barLine(c.width, "data", c.in, c.n, c.total, 2*time.Second)
		if strings.Contains(c.want, "[") && len(got) != c.width {
			t.Errorf("%q takes %d of %d", got, len(got), c.width)
		}
		if got := strings.NewReplacer("=", "", "-", "").Replace(got); got != strings.NewReplacer("=", "", "-", "").Replace(c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := barLine(50, "日本語.arff", Rows, 5, 10, 2*time.Second); cellsOf(got) != 50 {
		t.Errorf("%q takes %d of 50", got, cellsOf(got))
	}
	for width := 2; width < 60; width++ {
		if got := barLine(width, "日本語é.arff", Rows, 5, 10, 2*time.Second); cellsOf(got) > width {
			t.Errorf("%q takes %d of %d", got, cellsOf(got), width)
		}
	}
}

// TestBarGivesWay: once rows go to a terminal there is no bar, which would erase some; rows that
// go to a file leave it where it is.
func TestBarGivesWay(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer tty.Close()
	if !isTerminal(tty) {
		t.Skip("/dev/ptmx is no terminal here")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "rows"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for rows, gone := range map[*os.File]bool{tty: true, file: false} {
		terminal := new(screenText)
		s := newScreen(terminal)
		draw := func() { s.draw(func(int) string { return "bar" }) }
		draw()
		YieldTerminal(s, rows)
		draw()
		want := "bar\n\r\x1b[1A\x1b[Jbar\n"
		if gone {
			want = "bar\n\r\x1b[1A\x1b[J"
		}
		if got := terminal.String(); got != want {
			t.Errorf("rows to %s: %q, want %q", rows.Name(), got, want)
		}
	}
}
