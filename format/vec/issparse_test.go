package vec

import "testing"

func TestFew(t *testing.T) {
	for _, c := range []struct {
		entries, rows, columns int
		want                   bool
	}{{0, 0, 0, false}, {0, 1, 1, true}, {1, 1, 8, false}, {1, 1, 9, true}, {10, 8, 10, false}, {9, 8, 10, true}, {1 << 28, 1 << 30, 1 << 30, true}} {
		if got := IsSparse(c.entries, c.rows, c.columns); got != c.want {
			t.Errorf("%d entries of %d rows of %d columns: few is %v", c.entries, c.rows, c.columns, got)
		}
	}
}
