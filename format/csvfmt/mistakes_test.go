package csvfmt

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestNegativeColumns: columns below 0 panic with the reason.
func TestNegativeColumns(t *testing.T) {
	r := NewReader(strings.NewReader("a,b\n1,2\n"))
	for want, f := range map[string]func([]int32){
		"csvfmt: KeepTexts of column -1":           r.KeepTexts,
		"csvfmt: AllowInvalidNumbers of column -1": r.AllowInvalidNumbers,
	} {
		if got := testenv.PanicOf(func() { f([]int32{0, -1}) }); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}
