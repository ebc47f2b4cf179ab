package format_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TryOutput refuses what Create refuses, with the same error, and touches nothing.
func TestTryOutput(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there"), "text")
	write(t, filepath.Join(dir, "closed"), "text")
	for name, mode := range map[string]fs.FileMode{"folder": 0o755, "locked": 0o555} {
		if err := os.Mkdir(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "closed"), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{"there", "link"}, {"new", "to-new"}, {"none/new", "to-none"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Log("not tried: ", err)
		}
	}
	refused := 0
	for _, name := range []string{
		"there", "new", "none/new", "folder", "locked/new", "closed", "there/new", "link", "to-new", "to-none",
		"new.gz", "new.xz",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		tried := format.TryOutput(path)
		o, created := format.Create(t.Context(), path)
		if created == nil {
			o.Abort()
		} else {
			refused++
		}
		if (tried == nil) != (created == nil) || tried != nil && tried.Error() != created.Error() {
			t.Errorf("%s: TryOutput says %v, Create %v", name, tried, created)
		}
	}
	if refused < 4 {
		t.Errorf("%d paths are refused, fewer than the least that any system refuses", refused)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "there")); err != nil || string(text) != "text" {
		t.Errorf("the file that was there holds %q, %v", text, err)
	}
	for _, path := range []string{"", filepath.Join(dir, "no\x00name")} {
		_, created := format.Create(t.Context(), path)
		if tried := format.TryOutput(path); tried == nil || created == nil || tried.Error() != created.Error() {
			t.Errorf("%q: TryOutput says %v, Create %v", path, tried, created)
		}
	}
	for _, path := range []string{"-", "/dev/stdout", os.DevNull} {
		if err := format.TryOutput(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
