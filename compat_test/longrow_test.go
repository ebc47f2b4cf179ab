package compat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
)

// TestMemoryOfLongRow: what svm-scale takes for a row of very many features is of the order of its
// text and its ranges. The text, what is read of it and what was measured are each given back when
// they are done with.
func TestMemoryOfLongRow(t *testing.T) {
	dir := t.TempDir()
	const features = 800_000
	var data strings.Builder
	for i := range 2 {
		fmt.Fprint(&data, i)
		for k := range features {
			fmt.Fprintf(&data, " %d:%d", k+1, (k+i)%10)
		}
		data.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "data"), []byte(data.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, processors := range []string{"1", "2"} {
		env := append(os.Environ(), "GOMAXPROCS="+processors)
		c, err := cost.Measure(t.Context(), dir, env, "", filepath.Join(commands(t), "svm-scale"), "-l", "0", "data")
		switch {
		case err != nil:
			t.Fatal(err)
		case c.Memory == 0:
			t.Skip("the system does not tell what memory a process took")
		case c.Memory/features > 210:
			t.Errorf("%s processors: %d bytes a feature", processors, c.Memory/features)
		}
		t.Logf("%s processors: %d bytes a feature", processors, c.Memory/features)
	}
}
