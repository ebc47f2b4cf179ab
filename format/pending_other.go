//go:build !windows

package format

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// newPending returns a pending file beside path. It has the permissions of the file there and, if
// this process may change owners, its owner; if there is no file, it has those of a new one. If the
// access control list of the file there cannot be kept, the error is fs.ErrPermission.
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
		if keepAccess(p.File, path) != nil {
			p.Cleanup()
			return nil, nil, fs.ErrPermission
		}
	}
	return &pending{file: p.File, path: path}, p.File, nil
}
