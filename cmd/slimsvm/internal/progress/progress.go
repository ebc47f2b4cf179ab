// Package progress shows on a terminal how far work is, by a bar below what is said to the user.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// patience is how long work goes on before a bar shows how far it is.
var patience = time.Second

// refresh is the time between two looks at the work.
const refresh = 100 * time.Millisecond

// A Unit is what work is counted in.
type Unit string

const (
	Bytes      Unit = "bytes"      // Bytes are given in powers of a thousand.
	Rows       Unit = "rows"       // Rows are those of a file.
	Machines   Unit = "machines"   // Machines are those of a model.
	Trainings  Unit = "trainings"  // Trainings are those of folds.
	Iterations Unit = "iterations" // Iterations are a solver's.
	Vectors    Unit = "vectors"    // Vectors are those of a model.
)

// A screen is a terminal on which a bar may stand below what is written.
type screen struct {
	io.Writer
	behind func() bool // whether others have the terminal, as where the command is a shell's background job

	mu    sync.Mutex
	drawn *cwriter.Writer // has the bar that is to be seen; nil: there is none
	apart bool            // a line of what is written has not ended
	given bool            // rows go to the terminal, which a bar would erase: there is none any more
}

// Write writes text in the place of the bar, which comes again below it.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	if len(p) > 0 {
		s.apart = p[len(p)-1] != '\n'
	}
	return s.Writer.Write(p)
}

// draw shows a line as the bar, unless the terminal is no place for one now.
func (s *screen) draw(line func(width int) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.given || s.apart:
		return
	case s.behind():
		s.drawn = nil // what is above the cursor is no longer the bar
		return
	}
	w := s.drawn
	if w == nil {
		w = cwriter.New(s.Writer)
	}
	width, height := 80, 2
	if w.IsTerminal() {
		var err error
		if width, height, err = w.GetTermSize(); err != nil {
			return
		}
	}
	if width < 2 || height < 2 {
		s.erase()
		return
	}
	w.WriteString(line(width) + "\n")
	s.flush(w, 1)
	s.drawn = w
}

// flush has w write what it holds in the place of the bar; lines is how many of its lines are the new bar. What the
// user has typed stands at the cursor, which has to go to the left first.
func (s *screen) flush(w *cwriter.Writer, lines int) {
	if s.drawn != nil {
		io.WriteString(s.Writer, "\r")
	}
	w.Flush(lines)
}

// erase takes the bar away. s.mu is held.
func (s *screen) erase() {
	if s.drawn != nil && !s.behind() {
		s.flush(s.drawn, 0)
	}
	s.drawn = nil
}

// clear takes the bar away.
func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

// YieldTerminal leaves the terminal to what goes to stdout, if that is one too: rows, of which a bar of w would erase some.
func YieldTerminal(w, stdout io.Writer) {
	if s, ok := w.(*screen); ok && isTerminal(stdout) {
		s.mu.Lock()
		s.erase()
		s.given = true
		s.mu.Unlock()
	}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// NewWriter returns the writer for what is said to the user, on which a bar may be shown if stderr is a
// terminal that can do more than print lines.
func NewWriter(stderr io.Writer) io.Writer {
	if isTerminal(stderr) && os.Getenv("TERM") != "dumb" {
		f := stderr.(*os.File)
		return &screen{Writer: stderr, behind: func() bool { return inBackground(int(f.Fd())) }}
	}
	return stderr
}

// Show shows on w, which NewWriter has returned, how far work is, from when it has lasted a while until end is called; on
// anything but a terminal it does nothing. what names the work. done returns how much is done of the total, which is 0
// if that is not known; both are called by another goroutine.
func Show(w io.Writer, what func() string, in Unit, total int64, done func() int64) (end func()) {
	s, ok := w.(*screen)
	if !ok {
		return func() {}
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		s.show(stop, what, in, total, done)
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-ended
	})
}

// show shows a bar until stop is closed.
func (s *screen) show(stop <-chan struct{}, what func() string, in Unit, total int64, done func() int64) {
	start := time.Now()
	select {
	case <-stop:
		return
	case <-time.After(patience):
	}
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	for {
		n := done()
		s.draw(func(width int) string { return barLine(width, phrase.Escaped(what()), in, n, total, time.Since(start)) })
		select {
		case <-tick.C:
			continue
		case <-stop:
		}
		s.clear()
		return
	}
}

// barLine returns the line that says how far work is: with rate and time left, or if the total is not
// known with rate and time spent.
func barLine(width int, what string, in Unit, n, total int64, spent time.Duration) string {
	amount := func(n int64) string { return fmt.Sprint(n) }
	rate, of := fmt.Sprintf("%.1f/s", float64(n)/spent.Seconds()), " "+string(in)
	if in == Bytes {
		amount = func(n int64) string { return fmt.Sprintf("% .1f", decor.SizeB1000(n)) }
		rate, of = fmt.Sprintf("% .1f/s", decor.SizeB1000(float64(n)/spent.Seconds())), ""
	}
	if total <= 0 {
		return cut(width, fmt.Sprintf("%s %s%s %s %v", what, amount(n), of, rate, spent.Truncate(time.Second)))
	}
	far := fmt.Sprintf("%s / %s%s %s", amount(n), amount(total), of, rate)
	if n > 0 {
		left := float64(spent.Seconds() / float64(n) * float64(max(0, total-n)))
		far += fmt.Sprintf(" %v left", time.Duration(left+0.5)*time.Second)
	}
	inside := width - cellsOf(what) - cellsOf(far) - len(" [] ")
	if inside < 3 {
		return cut(width, what+" "+far)
	}
	full := int(float64(inside) * min(1, float64(n)/float64(total)))
	bar := strings.Repeat("=", full)
	if 0 < full && full < inside {
		bar = bar[1:] + ">"
	}
	return fmt.Sprintf("%s [%s%s] %s", what, bar, strings.Repeat("-", inside-full), far)
}

// cellsOf returns how many cells of a terminal a text takes at most.
func cellsOf(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOfRune(r)
	}
	return n
}

// cellsOfRune returns how many cells a character takes at most: from Hangul on, where the scripts begin that
// have wide ones, two, but for the one that cut puts in.
func cellsOfRune(r rune) int {
	if r >= 0x1100 && r != ellipsis {
		return 2
	}
	return 1
}

// ellipsis stands for what is cut off.
const ellipsis = '…'

// cut returns as much of a text as a line has room for.
func cut(width int, text string) string {
	if cellsOf(text) <= width {
		return text
	}
	n := 0
	for i, r := range text {
		if n += cellsOfRune(r); n >= width {
			return text[:i] + string(ellipsis)
		}
	}
	return text
}
