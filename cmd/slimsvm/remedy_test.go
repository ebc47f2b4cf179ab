package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train/rsvm"
)

// TestRemedy: a fault that another package tells by its kind has its hint wherever it comes from.
func TestRemedy(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("data: %w: 120 vectors", rsvm.ErrTooLarge), "--multiclass ovr"},
		{fmt.Errorf("data: something else"), ""},
	} {
		if got := remedy(c.err); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%v: hint %q, want %q", c.err, got, c.want)
		}
	}
}
