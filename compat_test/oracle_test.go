package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// installedLIBSVM returns the folder of the installed LIBSVM 3.24. It is known
// by what only versions before 3.30 say: other versions print other things, and
// the svm-train on the path may be ours.
var installedLIBSVM = sync.OnceValues(func() (string, error) {
	path, err := exec.LookPath("svm-train")
	if err != nil {
		return "", err
	}
	bin := filepath.Dir(path)
	for _, program := range []string{"svm-predict", "svm-scale"} {
		if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
			return "", err
		}
	}
	dir, err := os.MkdirTemp("", "slimsvm")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "data")
	if err := os.WriteFile(data, []byte("1 1:1\n1 1:2\n"), 0o666); err != nil {
		return "", err
	}
	out, err := exec.Command(path, "-q", "-s", "2", "-b", "1", data, filepath.Join(dir, "model")).CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || !bytes.Contains(out, []byte(noOneClassProbability)) {
		return "", fmt.Errorf("the svm-train in %s is not LIBSVM 3.24", bin)
	}
	return bin, nil
})

// noOneClassProbability is what LIBSVM 3.24 answers to -s 2 -b 1.
const noOneClassProbability = "one-class SVM probability output not supported yet"

// oracle returns the folder of the installed LIBSVM 3.24, or skips the test.
func oracle(t testing.TB) string {
	t.Helper()
	bin, err := installedLIBSVM()
	if err != nil {
		testenv.SkipMissing(t, "needs Debian's package libsvm-tools (LIBSVM 3.24)", err)
	}
	return bin
}

// realData returns the folder of the real data sets, or skips the test.
func realData(t testing.TB) string {
	t.Helper()
	return testenv.Shared(t, "data")
}
