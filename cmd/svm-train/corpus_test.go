package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// TestCorpus: whatever an ARFF file holds, there is a model, or one line that says
// why not and names the file.
func TestCorpus(t *testing.T) {
	root := testenv.Shared(t, "corpus", "arff")
	files, trained := 0, 0
	model := filepath.Join(t.TempDir(), "model")
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.Contains(filepath.Base(path), ".arff") {
			return err
		}
		files++
		for _, options := range []string{"-q", "-q -s 3", "-q -t 4"} {
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), append(strings.Fields(options), path, model), nil, &stdout, &stderr)
			_, missing := os.Stat(model)
			os.Remove(model)
			line, rest, _ := strings.Cut(stderr.String(), "\n")
			if strings.HasPrefix(line, "WARNING: "+path+": rows without a label ") {
				line, rest, _ = strings.Cut(rest, "\n")
			}
			switch {
			case status == 0 && missing == nil:
				trained++
			case status != 1 || missing == nil || rest != "" || !strings.Contains(line, path) || stdout.Len() > 0:
				t.Errorf("svm-train %s %s: status %d, model %v, stdout %q, stderr %q", options, path, status, missing, &stdout, &stderr)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 || trained == 0 {
		t.Fatalf("%d files, %d models", files, trained)
	}
	t.Logf("%d files, %d models", files, trained)
}
