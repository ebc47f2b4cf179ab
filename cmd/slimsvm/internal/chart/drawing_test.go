package chart

import (
	"context"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// TestPlotInterrupted: a picture ends with its context, and is not written.
func TestPlotInterrupted(t *testing.T) {
	rows := &format.Dataset{}
	for i, y := range []float64{1, -1} {
		rows.Append(format.Instance{X: vec.Vector{Index: []int32{1, 2}, Value: []float64{float64(i), y}}, Y: y, Weight: 1})
	}
	m, err := train.OneVsOne{Solver: smo.CSVC{C: 1, Options: smo.DefaultOptions()}, Kernel: kernel.Linear{}}.Train(t.Context(), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		rows int
	}{{t.Context(), 2}, {ctx, 0}} {
		d, err := NewDrawing(p, nil, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Draw(c.ctx, picture.SVG); d.Margin() != c.rows || (err == nil) != (c.rows > 0) {
			t.Errorf("%d rows on the margin, want %d", d.Margin(), c.rows)
		}
		if text, _ := d.Draw(c.ctx, picture.PNG); (len(text) > 0) != (c.rows > 0) {
			t.Errorf("a PNG of %d bytes", len(text))
		}
	}
}
