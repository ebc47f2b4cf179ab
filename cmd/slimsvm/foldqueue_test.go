package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestQueue: a repetition is drawn when its first part is taken, parts are summed up in
// their order, and the error is that of the first that failed.
func TestQueue(t *testing.T) {
	const each = 3
	drawn := 0
	repetition := func() (parts []*part, err error) {
		for range each {
			parts = append(parts, &part{begin: drawn})
			drawn++
		}
		return parts, nil
	}
	q := &queue{more: repetition, left: 1 << 30}
	q.parts, _ = repetition()
	var summed []int
	sum := func(p *part) { summed = append(summed, p.begin) }
	ctx := context.Background()
	var out []*part
	for k := range 8 {
		p := q.take(ctx)
		if p == nil || p.begin != k {
			t.Fatalf("%v is taken, expected %d", p, k)
		}
		if most := (k/each + 1) * each; drawn != most {
			t.Fatalf("%d parts are drawn when %d are taken, expected %d", drawn, k+1, most)
		}
		out = append(out, p)
	}
	for _, k := range []int{1, 2, 0, 4} {
		q.end(out[k], nil, sum)
	}
	if got := fmt.Sprint(summed); got != "[0 1 2]" || len(q.parts) != drawn-each {
		t.Errorf("%s are summed up and %d parts held, expected [0 1 2] and %d", got, len(q.parts), drawn-each)
	}
	later, first := errors.New("later"), errors.New("first")
	q.end(out[6], later, sum)
	if out[7].ctx.Err() == nil || out[3].ctx.Err() != nil || out[5].ctx.Err() != nil {
		t.Error("not just the parts behind the one that failed are given up")
	}
	q.end(out[3], nil, sum)
	q.end(out[5], first, sum)
	q.end(out[7], out[7].ctx.Err(), sum)
	if q.take(ctx) != nil {
		t.Error("a part is taken after one failed")
	}
	if err := q.err(); err != first {
		t.Errorf("the error is %v, expected that of the first part that failed", err)
	}
	if got := fmt.Sprint(summed); got != "[0 1 2 3 4]" {
		t.Errorf("%s are summed up, expected [0 1 2 3 4]", got)
	}
}
