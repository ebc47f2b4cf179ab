package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/scale"
)

// saveRanges writes the range file, before any scaled row, as LIBSVM does.
func (s *scaling) saveRanges(ctx context.Context, r *scale.Ranges, m *scale.Measure) error {
	if s.y != nil && r.Y == nil {
		return &failure{status: statusFailed, text: s.data + ": no rows: the range of the labels is not known"}
	}
	if err := s.writeRanges(ctx, *s.save, stored(r)); err != nil {
		return err
	}
	if m.HasZero() {
		fmt.Fprintf(s.stderr, "WARNING: scaling factors with indices smaller than 1 are not stored to the file %s.\n", *s.save)
	}
	return nil
}

// stored returns what the range file holds of r: features from index 1.
func stored(r *scale.Ranges) *scale.Ranges {
	list := r.X.Ranges
	if len(list) > 0 && list[0].Index == 0 {
		list = list[1:]
	}
	return &scale.Ranges{Y: r.Y, X: &scale.Features{Limits: r.X.Limits, Ranges: list}}
}

func (s *scaling) writeRanges(ctx context.Context, path string, r *scale.Ranges) error {
	if path == "" {
		return cannotOpen(path, fs.ErrNotExist)
	}
	if info, err := os.Stat(path); err == nil && datafile.IsRegular(s.data, info) {
		return &failure{status: statusFailed, text: fmt.Sprintf("can't open file %s: it is the input file", path)}
	}
	out, err := format.Create(ctx, path)
	if err != nil {
		return cannotOpen(path, err)
	}
	defer out.Abort()
	if err = s.writeFile(out, r); err == nil {
		err = out.Close()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return cannotWrite("file "+path, err)
	}
	return nil
}
