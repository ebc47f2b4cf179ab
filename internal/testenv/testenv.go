// Package testenv has what is common to tests that look beyond their package: commands that they
// build, programs that are installed or not, and the material that lies beside the project.
//
// Environment:
//
//	SLIMSVM_REQUIRE_ORACLES  1: what is missing fails the test that needs it, instead of
//	                         skipping it
//	SLIMSVM_DATA             folder of the real data sets, relative to the module's root;
//	                         default ../shared/data. The recorded outputs and the corpus of
//	                         ARFF files lie beside it, in ../golden and ../corpus.
//
// The material is nowhere required unless SLIMSVM_DATA names its folder or the default is there:
// then what is not found in it is missing.
package testenv

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Required reports whether what is missing fails a test.
func Required() bool { return os.Getenv("SLIMSVM_REQUIRE_ORACLES") == "1" }

// SkipMissing skips the test because a program is missing, or fails it where that is required.
func SkipMissing(t testing.TB, needs string, err error) {
	t.Helper()
	if Required() {
		t.Fatalf("SLIMSVM_REQUIRE_ORACLES=1, and %s: %v", needs, err)
	}
	t.Skipf("%s: %v", needs, err)
}

// start is the folder in which the tests run before one changes it.
var start, errStart = os.Getwd()

// root is what Root finds.
var root = sync.OnceValues(func() (string, error) {
	if errStart != nil {
		return "", errStart
	}
	for dir := start; ; {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("no folder above the test's has a go.mod")
		}
		dir = above
	}
})

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shared returns the path of a part of the material beside the project, such as Shared(t, "data",
// "usps"), or skips the test.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()
	path, err := Find(t, elements...)
	if err != nil {
		t.Skipf("needs the material beside the project, see SLIMSVM_DATA: %v", err)
	}
	return path
}

// Find returns what Shared does, for tests that do something without it too.
func Find(t testing.TB, elements ...string) (string, error) {
	t.Helper()
	path, required, err := shared(Root(t), os.Getenv("SLIMSVM_DATA"), elements)
	if err != nil && required && Required() {
		t.Fatalf("SLIMSVM_REQUIRE_ORACLES=1, and the material beside the project lacks something: %v", err)
	}
	return path, err
}

// shared returns the path of a part, an error if it is not there, and whether it has to be.
func shared(root, data string, elements []string) (path string, required bool, err error) {
	required = data != ""
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	if !filepath.IsAbs(data) {
		data = filepath.Join(root, data)
	}
	if _, err := os.Stat(data); err == nil {
		required = true
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", true, err
	}
	path = filepath.Join(append([]string{data, ".."}, elements...)...)
	_, err = os.Stat(path)
	return path, required, err
}
