//go:build !windows

package format

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// newPending returns a pending file beside path, with the permissions of the
// file there, or those of a new one.
func newPending(path string) (*pending, *os.File, error) {
	p, err := renameio.NewPendingFile(path,
		renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(0o666),
		renameio.WithExistingPermissions())
	if err != nil {
		return nil, nil, err
	}
	return &pending{file: p.File, path: path}, p.File, nil
}
