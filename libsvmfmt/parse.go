package libsvmfmt

import (
	"context"
	"io"

	"github.com/slimsvm/slimsvm/format"
)

// Parse reads a whole data set.
func Parse(ctx context.Context, r io.Reader) (*format.Dataset, error) {
	return format.ReadAll(ctx, NewReader(r))
}
