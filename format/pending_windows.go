package format

import (
	"os"
	"path/filepath"
)

// pending is a temporary file that can take the name it is meant for.
type pending struct {
	file *os.File
	path string
	done bool
}

// newPending returns a pending file beside path.
func newPending(path string) (*pending, *os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, nil, err
	}
	return &pending{file: f, path: path}, f, nil
}

// CloseAtomicallyReplace gives the file its name. It does not wait for the disk.
func (p *pending) CloseAtomicallyReplace() error {
	if err := p.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(p.file.Name(), p.path); err != nil {
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
	p.done = true
	p.file.Close()
	return os.Remove(p.file.Name())
}
