package predict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// source returns rows in a single vector, which it overwrites.
type source struct {
	rows []vec.Vector
	n    int
	x    vec.Vector
	err  error // at the end of the rows; nil: there is no end
}

func newSource(rng *rand.Rand, rows int, err error) *source {
	s := &source{err: err}
	for range rows {
		s.rows = append(s.rows, randomVector(rng, 6))
	}
	return s
}

func (s *source) next() (vec.Vector, float64, error) {
	if s.n >= len(s.rows) && s.err != nil {
		return vec.Vector{}, 0, s.err
	}
	x := s.rows[s.n%len(s.rows)]
	s.n++
	s.x.Index, s.x.Value = append(s.x.Index[:0], x.Index...), append(s.x.Value[:0], x.Value...)
	return s.x, float64(s.n), nil
}

// TestStreamLongRows: batches of long rows are smaller, but fill panels if that takes little
// memory.
func TestStreamLongRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := predictor(t, randomModel(rng, models.CSVC, kernel.Linear{}, 2, 20, false, false))
	for _, c := range []struct{ entries, rows, batch int }{
		{manyEntries/BatchRows - 1, 300, BatchRows},
		{manyEntries / 50, 130, 64},
		{manyEntries / 10, 70, vec.PanelRows},
		{mostEntries / 4, 9, 4},
	} {
		s := new(source)
		s.err = io.EOF
		for i := range c.rows {
			x := vec.Vector{Index: make([]int32, c.entries), Value: make([]float64, c.entries)}
			if i > 3 {
				x = s.rows[i%4]
			} else {
				for k := range x.Index {
					x.Index[k], x.Value[k] = int32(k), float64(rng.IntN(3)-1)
				}
			}
			s.rows = append(s.rows, x)
		}
		for _, workers := range []int{1, 3} {
			s.n = 0
			taken := 0
			if err := p.Stream(t.Context(), workers, s.next, func(b *Batch, ys []float64) error {
				if want := min(c.batch, c.rows-taken); len(ys) != want {
					t.Errorf("%d entries a row: %d rows in a batch, want %d", c.entries, len(ys), want)
				}
				for r := range ys {
					if b.Predict(r) != p.Predict(s.rows[taken]) {
						t.Fatalf("%d entries a row: row %d has another label", c.entries, taken)
					}
					taken++
				}
				return nil
			}); err != nil || taken != c.rows {
				t.Errorf("%d entries a row: %d of %d rows, error %v", c.entries, taken, c.rows, err)
			}
		}
	}
}

// TestStream: a stream answers as the predictor does, in order, with any number of workers, up to
// the row at which its source ends or fails.
func TestStream(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := predictor(t, randomModel(rng, models.CSVC, kernel.RBF{Gamma: 1}, 3, 20, false, false))
	broken := errors.New("broken")
	before := runtime.NumGoroutine()
	for _, workers := range []int{0, 1, 2, 5, math.MaxInt} {
		for _, rows := range []int{0, 1, BatchRows - 1, BatchRows, BatchRows + 1, 12*BatchRows + 7} {
			for _, end := range []error{io.EOF, broken} {
				s := newSource(rng, rows, end)
				taken := 0
				err := p.Stream(t.Context(), workers, s.next, func(b *Batch, ys []float64) error {
					for r, y := range ys {
						x := s.rows[taken]
						taken++
						if y != float64(taken) || b.Predict(r) != p.Predict(x) {
							t.Fatalf("%d workers, row %d: y = %v, label %v, want %v", workers, taken, y, b.Predict(r), p.Predict(x))
						}
					}
					return nil
				})
				if taken != rows || err != nil && err != broken || (err == nil) != (end == io.EOF) {
					t.Errorf("%d workers: %d rows of %d, %v", workers, taken, rows, err)
				}
			}
		}
	}
	leavesNone(t, before)
}

// leavesNone reports goroutines that were started and do not end.
func leavesNone(t *testing.T, before int) {
	t.Helper()
	// a goroutine that has reported its end may still exist for a moment
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left", runtime.NumGoroutine()-before)
}

func TestStreamEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := predictor(t, randomModel(rng, models.CSVC, kernel.RBF{Gamma: 1}, 3, 20, false, false))
	for _, workers := range []int{1, 3} {
		for _, full := range []error{errors.New("disk full"), io.EOF} { // only next may end the stream with io.EOF
			s := newSource(rng, 9, nil)
			batches := 0
			err := p.Stream(t.Context(), workers, s.next, func(*Batch, []float64) error {
				if batches++; batches == 3 {
					return full
				}
				return nil
			})
			if err != full || batches != 3 {
				t.Errorf("%d workers: %v after %d batches, want %v", workers, err, batches, full)
			}
		}

		why := errors.New("not needed any more")
		ctx, cancel := context.WithCancelCause(t.Context())
		s, batches := newSource(rng, 9, nil), 0
		err := p.Stream(ctx, workers, s.next, func(*Batch, []float64) error {
			if batches++; batches == 2 {
				cancel(why)
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || batches != 2 {
			t.Errorf("%d workers, cancelled: %v after %d batches", workers, err, batches)
		}
	}
}

// TestStreamWaits: a stream ends with its context, and when no more answers can be taken, even if
// its source waits.
func TestStreamWaits(t *testing.T) {
	p := predictor(t, linear([]int{1, 2}, 0.5))
	full := errors.New("disk full")
	for _, workers := range []int{2, 4} {
		for _, c := range []struct {
			rows int   // number of rows before the source waits
			take error // the error of taking these
			want error
		}{
			{0, nil, context.Canceled},
			{BatchRows + 1, nil, context.Canceled},
			{BatchRows, full, full},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			waits := make(chan struct{})
			rows := 0
			err := p.Stream(ctx, workers, func() (vec.Vector, float64, error) {
				if rows++; rows > c.rows {
					if c.take == nil {
						cancel()
					}
					<-waits
				}
				return one, 0, nil
			}, func(*Batch, []float64) error { return c.take })
			if err != c.want {
				t.Errorf("%d workers, %d rows: error %v, want %v", workers, c.rows, err, c.want)
			}
			close(waits)
			cancel()
		}
	}
}

// TestStreamAsksNoMore: the source of a stream that has ended is not called again: the call under
// way was the last.
func TestStreamAsksNoMore(t *testing.T) {
	p := predictor(t, linear([]int{1, 2}, 0.5))
	for _, workers := range []int{1, 2, 4} {
		for _, rows := range []int{1, 3, BatchRows, 2*BatchRows + 3} {
			ctx, cancel := context.WithCancel(t.Context())
			asked, goOn := make(chan int, 3*BatchRows), make(chan struct{})
			n := 0
			err := p.Stream(ctx, workers, func() (vec.Vector, float64, error) {
				n++
				asked <- n
				if n == rows {
					cancel()
					if workers > 1 {
						<-goOn
					}
				}
				return one, 0, nil
			}, func(*Batch, []float64) error { return nil })
			if err != context.Canceled {
				t.Errorf("%d workers, %d rows: error %v", workers, rows, err)
			}
			close(goOn)
			for range 100 { // a source that is called again is called at once
				runtime.Gosched()
			}
			if got := len(asked); got != rows {
				t.Errorf("%d workers: asked for %d rows, want %d", workers, got, rows)
			}
		}
	}
}

// ownKernel panics when it is used.
type ownKernel struct{ kernel.Linear }

func (ownKernel) EvaluateTo([]float64, vec.Vector, *vec.Matrix) { panic("kernel") }

// TestStreamPanics: the caller can recover the panics of its own functions.
func TestStreamPanics(t *testing.T) {
	sound, m := predictor(t, linear([]int{1, 2}, 0.5)), linear([]int{1, 2}, 0.5)
	m.Kernel = ownKernel{}
	broken := predictor(t, m)
	bad := errors.New("bad source")
	for _, workers := range []int{1, 2, 4} {
		for want, stream := range map[string]func() error{
			"bad source": func() error {
				rows := 0
				return sound.Stream(t.Context(), workers, func() (vec.Vector, float64, error) {
					if rows++; rows > BatchRows+1 {
						panic(bad)
					}
					return one, 0, nil
				}, func(*Batch, []float64) error { return nil })
			},
			"kernel": func() error {
				return broken.Stream(t.Context(), workers, func() (vec.Vector, float64, error) { return one, 0, nil },
					func(*Batch, []float64) error { return nil })
			},
			"take": func() error {
				return sound.Stream(t.Context(), workers, func() (vec.Vector, float64, error) { return one, 0, nil },
					func(*Batch, []float64) error { panic("take") })
			},
		} {
			func() {
				defer func() {
					value := recover()
					if text := fmt.Sprint(value); !strings.HasPrefix(text, want) {
						t.Errorf("%d workers: panic %v, want %s", workers, value, want)
					}
					if want == "bad source" && value != bad {
						t.Errorf("%d workers: panic %v, want %v", workers, value, bad)
					}
				}()
				t.Errorf("%d workers, %s: error %v", workers, want, stream())
			}()
		}
	}
}

// exitKernel ends the goroutine that uses it.
type exitKernel struct{ kernel.Linear }

func (exitKernel) EvaluateTo([]float64, vec.Vector, *vec.Matrix) { runtime.Goexit() }

// TestStreamExits: if the goroutine of a source or worker is ended, the caller's goroutine ends
// too, and no other is left.
func TestStreamExits(t *testing.T) {
	sound, m := predictor(t, linear([]int{1, 2}, 0.5)), linear([]int{1, 2}, 0.5)
	m.Kernel = exitKernel{}
	leaving := predictor(t, m)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that the test fails instead of waiting for ever
	defer cancel()
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 2, 4} {
		for _, last := range []int{1, 5, 3*BatchRows + 2} {
			for _, p := range []*Predictor{sound, leaving} {
				if p == leaving && last == 1 { // there is no row, so nothing is decided
					continue
				}
				returned := make(chan bool, 1)
				go func() {
					back := false
					defer func() { returned <- back }()
					rows := 0
					err := p.Stream(ctx, workers, func() (vec.Vector, float64, error) {
						if rows++; rows == last {
							if p == sound {
								runtime.Goexit()
							}
							return one, 0, io.EOF
						}
						return one, 0, nil
					}, func(*Batch, []float64) error { return nil })
					back = true
					t.Errorf("%d workers, %d rows: error %v", workers, last, err)
				}()
				if <-returned {
					t.Errorf("%d workers, %d rows: the caller goes on", workers, last)
				}
			}
		}
	}
	leavesNone(t, before)
}
