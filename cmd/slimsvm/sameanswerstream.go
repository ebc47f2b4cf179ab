package main

import (
	"cmp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// warnSameAnswerStream is warnSameAnswer and warnConstant for rows that are not kept. It reads them once more.
func (w *watcher) warnSameAnswerStream(c *cli.Context, p *problem, d *streamed, k kernel.Kernel, m *models.Model) error {
	if w.quiet {
		return nil
	}
	sample, err := sampleOfEveryClass(d.rows, mostAlike)
	if err != nil {
		return err
	}
	r := &prepared{data: sample, encoding: d.encoding, kernel: k, stream: d}
	if !w.warnSameAnswer(c, p, r, m) {
		w.warnConstant(c, p, r, m)
	}
	return nil
}

// targets returns the lowest and the highest target.
func (r *prepared) targets() (low, high float64) {
	if s := r.stream; s != nil {
		return s.low, s.high
	}
	return slices.Min(r.data.Y), slices.Max(r.data.Y)
}

// sampleOfEveryClass returns the rows that probe.OfEveryClass chooses, in its order.
func sampleOfEveryClass(rows rsvm.Rows, most int) (*format.Dataset, error) {
	type place struct {
		row format.Instance
		nth int // among the rows of its class
	}
	count := map[float64]int{}
	var kept []place
	limit := most // no row of a class from this one on is chosen
	choose := func() {
		slices.SortStableFunc(kept, func(a, b place) int { return cmp.Compare(a.nth, b.nth) })
		if len(kept) >= most {
			clear(kept[most:])
			kept = kept[:most]
			limit = kept[most-1].nth // and of these all that there are places for
		}
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		n := count[row.Y]
		if n >= limit {
			continue
		}
		count[row.Y]++
		row.X = row.X.Clone()
		if kept = append(kept, place{row, n}); len(kept) >= 2*most {
			choose()
		}
		if len(count) == most { // of others than these, none is chosen
			break
		}
	}
	choose()
	var d format.Dataset
	for _, p := range kept {
		d.Append(p.row)
	}
	return &d, nil
}
