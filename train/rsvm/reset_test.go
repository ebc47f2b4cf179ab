package rsvm

import (
	"context"
	"testing"
)

// TestResetEnds: who waits for a training to end does not wait for a Hessian to be cleared.
func TestResetEnds(t *testing.T) {
	s := newSum(t.Context(), 600)
	last := len(s.wide) - 1
	if last <= clearedAtOnce {
		t.Fatalf("%d numbers are cleared in one go", last+1)
	}
	s.wide[last] = 1
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.reset(ctx, 600)
	if s.wide[last] != 1 {
		t.Error("cleared though cancelled")
	}
	s.reset(t.Context(), 600)
	for i, v := range s.wide {
		if v != 0 {
			t.Fatalf("number %d is %v", i, v)
		}
	}
}
