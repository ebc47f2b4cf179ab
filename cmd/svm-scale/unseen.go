package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/slimsvm/slimsvm/format/scale"
)

// warnUnseen warns of features of the data that the range file does not have.
func (s *scaling) warnUnseen(ctx context.Context, unseen []int32, file *scale.Ranges, rows int) error {
	w := bufio.NewWriter(s.stderr)
	warn := func(index int32) error {
		fmt.Fprintf(w, "WARNING: feature index %d appeared in file %s was not seen in the scaling factor file %s. The feature is scaled to 0.\n", index, s.data, *s.restore)
		return ctx.Err()
	}
	for _, index := range unseen {
		if err := warn(index); err != nil {
			return err
		}
	}
	// without rows LIBSVM takes all features below the largest of the file for some of the data
	if rows == 0 && s.table == nil && file.X != nil {
		next := int32(1)
		for _, f := range file.X.Ranges {
			for ; next < f.Index; next++ {
				if err := warn(next); err != nil {
					return err
				}
			}
			next = f.Index + 1
		}
	}
	return w.Flush()
}
