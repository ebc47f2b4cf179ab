//go:build !windows

package format

import (
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// pending is a temporary file that can take the name it is meant for.
type pending struct {
	*renameio.PendingFile
	path string
	done bool
}

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
	return &pending{PendingFile: p, path: path}, p.File, nil
}

// CloseAtomicallyReplace gives the file its name. It does not wait for the disk, which
// takes longer than a small job: that guards against the end of the process, not
// against that of the machine.
func (p *pending) CloseAtomicallyReplace() error {
	if err := p.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.Name(), p.path); err != nil {
		return err
	}
	p.done = true
	return nil
}

// Cleanup removes the file unless it has its name.
func (p *pending) Cleanup() error {
	if p.done {
		return nil
	}
	return p.PendingFile.Cleanup()
}
