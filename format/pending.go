package format

import "os"

// pending is a temporary file that can take the name it is meant for.
type pending struct {
	file *os.File
	path string
	done bool
}

// CloseAtomicallyReplace gives the file its name. It does not wait for the disk, which
// takes longer than a small job: that guards against the end of the process, not
// against that of the machine.
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
