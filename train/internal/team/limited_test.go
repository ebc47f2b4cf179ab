package team_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/slimsvm/slimsvm/train/internal/team"
)

// TestFew: every task is done once, by no more threads at a time than allowed.
func TestFew(t *testing.T) {
	ctx, end := team.With(t.Context(), 8)
	defer end()
	for _, most := range []int{-1, 0, 1, 3, 20, 100} {
		var at, highest atomic.Int32
		done := make([]atomic.Int32, 20)
		team.DoLimited(ctx, len(done), most, func(_ context.Context, i int) {
			n := at.Add(1)
			for h := highest.Load(); n > h && !highest.CompareAndSwap(h, n); h = highest.Load() {
			}
			for range 50 {
				runtime.Gosched()
			}
			done[i].Add(1)
			at.Add(-1)
		})
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("at most %d: task %d is done %d times", most, i, n)
			}
		}
		if h := int(highest.Load()); h > max(1, most) {
			t.Errorf("at most %d: %d at once", most, h)
		}
	}
}
