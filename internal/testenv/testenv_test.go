package testenv

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestShared: the folder of the data is found from the module's root, and what it lacks is missing
// only where there is one or ought to be.
func TestShared(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "project")
	for _, dir := range []string{"project", "other/data/usps", "other/golden"} {
		if err := os.MkdirAll(filepath.Join(base, filepath.FromSlash(dir)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	check := func(data, part string, found, required bool) {
		t.Helper()
		path, must, err := shared(root, data, []string{filepath.FromSlash(part)})
		if (err == nil) != found || must != required {
			t.Errorf("data %q, %s: %q, %v, required %v", data, part, path, err, must)
		}
	}
	other := filepath.Join("..", "other", "data")
	check("", "data", false, false)
	check("", "golden", false, false)
	check(other, "golden", true, true)
	check(filepath.Join(base, "other", "data"), "data/usps", true, true)
	check(other, "data/letter", false, true)
	check("nowhere", "data", false, true)
	if err := os.Rename(filepath.Join(base, "other"), filepath.Join(base, "shared")); err != nil {
		t.Fatal(err)
	}
	check("", "data/usps", true, true)
	check("", "corpus", false, true)
}

// TestSources: the files of a command are those of the packages which it imports too, and those for
// other processors.
func TestSources(t *testing.T) {
	files, err := sources(Root(t), []string{"./cmd/svm-train"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"go.mod", "cmd/svm-train/main.go", "train/smo/svc.go", "format/vec", "format/vec/simd/simd_amd64.go", "format/vec/simd/simd_generic.go"} {
		if !slices.Contains(files, filepath.Join(Root(t), filepath.FromSlash(want))) {
			t.Errorf("%s is not among the %d files", want, len(files))
		}
	}
	for _, name := range files {
		if inside, err := filepath.Rel(Root(t), name); err != nil || !filepath.IsLocal(inside) {
			t.Errorf("%s is not of the module", name)
		}
	}
	if err := TrackSources("./no/such/package"); err == nil {
		t.Error("no error for a package that is not there")
	}
}
