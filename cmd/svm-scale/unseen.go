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
		if n := gaps(file.X.Ranges); n > mostGaps {
			fmt.Fprintf(w, "WARNING: %s has no rows; %d features below the largest one are not in the scaling factor file %s.\n", s.data, n, *s.restore)
			return w.Flush()
		}
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

// mostGaps is how many features that a range file leaves out are named one by one for data
// without rows. A file with an index near 2^31 would have 200 GB of such lines.
const mostGaps = 100_000

// gaps counts the features from 1 up to the largest of the ranges that are not among them.
func gaps(ranges []scale.Feature) int64 {
	n := int64(0)
	next := int64(1)
	for _, f := range ranges {
		n += max(int64(f.Index)-next, 0)
		next = int64(f.Index) + 1
	}
	return n
}
