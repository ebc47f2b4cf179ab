package datafile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFindNames: names are beside the path or, by links, beside the data; those beside the
// nearest go first.
func TestFindNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, folder := range []string{"store", "links"} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"links/two": "one", "links/one": "../store/data", "absolute": filepath.Join(here, "store", "data"),
		"folder": "store", "nowhere": "store/new", "round": "round",
	} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.FromSlash(link)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct{ path, names, found, written string }{
		{"store/data", "", "store/data.names", "store/data.names"},
		{"links/two", "", "links/../store/data.names", "links/../store/data.names"},
		{"links/two", "store/data.names", "links/../store/data.names", "links/../store/data.names"},
		{"links/two", "links/one.names", "links/one.names", "links/../store/data.names"},
		{"links/two", "links/two.names", "links/two.names", "links/../store/data.names"},
		{"absolute", "store/data.names", filepath.Join(here, "store", "data.names"), filepath.Join(here, "store", "data.names")},
		{"folder/data", "store/data.names", "folder/data.names", "folder/data.names"},
		{"nowhere", "", "store/new.names", "store/new.names"},
		{"absent", "", "absent.names", "absent.names"},
	} {
		if c.names != "" {
			if err := os.WriteFile(c.names, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.FromSlash(c.path)
		if got := FindNames(path); got != filepath.FromSlash(c.found) {
			t.Errorf("%s with %q: found %s, want %s", c.path, c.names, got, c.found)
		}
		if got := WrittenNames(path); got != filepath.FromSlash(c.written) {
			t.Errorf("%s: written %s, want %s", c.path, got, c.written)
		}
		if c.names != "" && c.names != "store/data.names" {
			os.Remove(c.names)
		}
	}
	if got := NamesPaths("round"); len(got) != mostLinks || slices.ContainsFunc(got, func(p string) bool { return !strings.HasSuffix(p, "round.names") }) {
		t.Errorf("a link to itself: %q", got)
	}
}
