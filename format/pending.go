package format

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unicode/utf8"
)

// pending is a temporary file that can take the name it is meant for.
type pending struct {
	file      *os.File
	path      string
	elsewhere bool // the file can't be renamed
	done      bool
}

// newPendingElsewhere returns a pending file for the one at path, whose folder takes no
// new ones, in the folder for temporary files.
func newPendingElsewhere(path string) (*pending, *os.File, error) {
	f, err := os.CreateTemp("", "slimsvm-*")
	if err != nil {
		return nil, nil, err
	}
	return &pending{file: f, path: path, elsewhere: true}, f, nil
}

// AtomicallyReplace gives the file, which is closed, its name. It does not wait for the
// disk, which takes longer than a small job: that guards against the end of the process,
// not against that of the machine.
func (p *pending) AtomicallyReplace() error {
	if p.elsewhere {
		return p.copyOver()
	}
	err := os.Rename(p.file.Name(), p.path)
	if err == nil {
		p.done = true
		return nil
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EBUSY) {
		if _, missing := os.Stat(p.path); missing == nil {
			return p.copyOver()
		}
	}
	return err
}

// copyOver writes the file over the one that has its name and may be written, but not replaced: another's in
// a folder where nobody replaces what is another's, as in /tmp, or a file that is mounted by itself.
func (p *pending) copyOver() error {
	from, err := os.Open(p.file.Name())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(p.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
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

// longName is how many bytes of a file's name its temporary one has, which is longer: systems have
// room for 255.
const longName = 200

// shortened returns path with no more of the file's name than a temporary one has.
func shortened(path string) string {
	dir, name := filepath.Split(path)
	if len(name) <= longName {
		return path
	}
	end := longName
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return dir + name[:end]
}
