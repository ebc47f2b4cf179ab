//go:build !windows

package format

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// newPending returns a pending file beside path, with the permissions of the
// file there and, where this process may give it away, its owner, or with those of a new one.
func newPending(path string) (*pending, *os.File, error) {
	options := []renameio.Option{renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o666)}
	there, err := os.Stat(path)
	if err == nil {
		perm := there.Mode().Perm()
		options = append(options, renameio.WithPermissions(perm), renameio.WithStaticPermissions(perm))
	}
	p, err := renameio.NewPendingFile(shortened(path), options...)
	if err != nil {
		return nil, nil, err
	}
	if there != nil {
		keepOwner(p.File, there)
	}
	return &pending{file: p.File, path: path}, p.File, nil
}
