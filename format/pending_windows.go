package format

import (
	"os"
	"path/filepath"
)

// newPending returns a pending file beside path.
func newPending(path string) (*pending, *os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(shortened(path))+"-*")
	if err != nil {
		return nil, nil, err
	}
	return &pending{file: f, path: path}, f, nil
}
