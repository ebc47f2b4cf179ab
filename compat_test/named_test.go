package compat_test

import (
	"path/filepath"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestNamed: a relative folder is meant from where go test is called, the module's root, not from
// the folder in which tests run.
func TestNamed(t *testing.T) {
	absolute := t.TempDir()
	for dir, want := range map[string]string{"": "", "bin": filepath.Join(testenv.Root(t), "bin"), absolute: absolute} {
		t.Setenv("SLIMSVM_BIN_DIR", dir)
		if got := named(t, "SLIMSVM_BIN_DIR"); got != want {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
		if dir != "" {
			if got := commands(t); got != want {
				t.Errorf("commands of %q: %q, want %q", dir, got, want)
			}
		}
	}
}
