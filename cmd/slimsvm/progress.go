package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// patience is how long work goes on before a bar shows how far it is.
var patience = time.Second

// refresh is the time between two looks at the work.
const refresh = 100 * time.Millisecond

// A unit is what work is counted in.
type unit string

// The units.
const (
	bytesRead  unit = "bytes"
	rowsRead   unit = "rows"
	machines   unit = "machines"
	trainings  unit = "trainings"
	iterations unit = "iterations"
	vectors    unit = "vectors"
)

// A screen is a terminal on which a bar may stand below what is written.
type screen struct {
	io.Writer
	mu   sync.Mutex
	bars *mpb.Progress // nil: no bar
}

// Write writes text above the bar.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars != nil {
		if n, err := s.bars.Write(p); err == nil {
			return n, nil
		}
	}
	return s.Writer.Write(p)
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	if s, ok := w.(*screen); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// talk returns the writer for what is said to the user: a screen if stderr is a
// terminal.
func talk(stderr io.Writer) io.Writer {
	if isTerminal(stderr) {
		return &screen{Writer: stderr}
	}
	return stderr
}

// watch shows on a terminal how far work is, from when it has lasted a while
// until end is called; on anything else, and with quiet, it does nothing. done
// returns how much is done of the total, which is 0 if that is not known; it is
// called by another goroutine.
func (e *env) watch(quiet bool, what string, in unit, total int64, done func() int64) (end func()) {
	return e.watchStages(quiet, func() string { return what }, in, total, done)
}

// watchStages is watch for work whose name changes.
func (e *env) watchStages(quiet bool, what func() string, in unit, total int64, done func() int64) (end func()) {
	s, ok := e.stderr.(*screen)
	if !ok || quiet {
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
func (s *screen) show(stop <-chan struct{}, what func() string, in unit, total int64, done func() int64) {
	start := time.Now()
	select {
	case <-stop:
		return
	case <-time.After(patience):
	}
	bars := mpb.New(mpb.WithOutput(s.Writer), mpb.WithRefreshRate(refresh), mpb.WithAutoRefresh())
	bar := newBar(bars, what, in, total, start)
	bar.DecoratorAverageAdjust(start)
	s.mu.Lock()
	s.bars = bars
	s.mu.Unlock()
	for tick := time.NewTicker(refresh); ; {
		bar.SetCurrent(done())
		select {
		case <-tick.C:
			continue
		case <-stop:
		}
		tick.Stop()
		bar.Abort(true)
		s.mu.Lock()
		s.bars = nil
		bars.Wait()
		s.mu.Unlock()
		return
	}
}

// newBar adds a bar with rate and time left, or if the total is not known a
// counter with rate and time spent.
func newBar(bars *mpb.Progress, what func() string, in unit, total int64, start time.Time) *mpb.Bar {
	var size any = 0
	one, rate := "%d "+string(in), "%.1f/s"
	if in == bytesRead {
		size, one, rate = decor.SizeB1000(0), "% .1f", "% .1f"
	}
	name := mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return inLine(what()) }))
	blank := decor.WC{C: decor.DextraSpace}
	speed := decor.AverageSpeed(size, rate, blank)
	if total <= 0 {
		return bars.AddSpinner(0, name, mpb.BarWidth(1), mpb.AppendDecorators(
			decor.Current(size, one, blank), speed, decor.Elapsed(decor.ET_STYLE_GO, blank)))
	}
	of := "% .1f / % .1f"
	if in != bytesRead {
		of = "%d / %d " + string(in)
	}
	return bars.AddBar(total, name, mpb.BarRemoveOnComplete(), mpb.AppendDecorators(
		decor.Counters(size, of, blank), speed, decor.Any(func(s decor.Statistics) string {
			if s.Current == 0 {
				return ""
			}
			left := float64(time.Since(start).Seconds() / float64(s.Current) * float64(s.Total-s.Current))
			return fmt.Sprintf(" %v left", time.Duration(left+0.5)*time.Second)
		})))
}
