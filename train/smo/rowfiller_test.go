package smo

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
)

// TestYield: a thread that computes rows alone yields the processor to others after some thousand
// values, however few columns the rows have, but not after each row.
func TestYield(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := newSetting(3)
	x := randomRows(s.Rand, 64, 3)
	src := newRowSource(context.Background(), kernel.NewGram(kernel.RBF{Gamma: 0.5}, &x), 0.01) // room for few rows: none is kept for long
	defer src.release()
	var turns, ended atomic.Int64
	go func() {
		for ended.Load() == 0 {
			turns.Add(1)
			runtime.Gosched()
		}
	}()
	values := 0
	for i := range 4 * yieldValues / x.Len() {
		values += len(src.Row(i%x.Len(), x.Len()))
	}
	n := turns.Load()
	ended.Store(1)
	if least, most := int64(values/yieldValues/2), int64(2*values/yieldValues+8); n < least || n > most {
		t.Errorf("others ran %d times while %d values were computed, want %d to %d", n, values, least, most)
	}
}
