package csvfmt

import (
	"io"
	"strings"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/format/labels"
)

// TestBlocksOfManyColumns sees that blocks are fewer, or none, where each needs much memory for the
// columns.
func TestBlocksOfManyColumns(t *testing.T) {
	if size := int(unsafe.Sizeof(labels.Set{})) + 8; size > columnBytes || unsafe.Sizeof(0) == 8 && size < columnBytes/2 {
		t.Errorf("a column takes %d bytes, not some %d", size, columnBytes)
	}
	for _, c := range []struct{ columns, blocks int }{{100, 9}, {20_000, 3}, {40_000, 0}} {
		row := strings.Repeat("1,", c.columns-1) + "2\n"
		r := NewReader(strings.NewReader(strings.Repeat(row, 3_000_000/len(row))))
		r.FirstLine, r.Workers, r.sizes.alone = FirstLineRow, 100, 2
		most, rows := 0, 0
		for ; ; rows++ {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if b := r.ahead.blocks; b != nil {
				most = max(most, b.Started())
			}
		}
		if rows != 3_000_000/len(row) || most != c.blocks {
			t.Errorf("%d columns: %d rows, up to %d blocks ahead, expected %d", c.columns, rows, most, c.blocks)
		}
	}
}
