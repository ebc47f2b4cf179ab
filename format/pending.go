package format

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"unicode/utf8"
)

// pending is a temporary file that can take the name it is meant for.
type pending struct {
	file      *os.File // nil: what is written is held
	held      heldText
	path      string
	elsewhere bool // the file can't be renamed
	over      bool // its content is written over the file at path
	done      bool
}

// overwriting is how many files are being written over.
var overwriting atomic.Int64

// Overwriting reports whether [Output.Close] is writing over a file that can't be replaced. A process
// that ends meanwhile leaves some of what the file held and some of what it was to hold.
func Overwriting() bool { return overwriting.Load() > 0 }

// newPendingElsewhere returns a pending file for the one at path, whose folder takes no new ones, in
// the folder for temporary files. Where that takes none either, what is written is held in memory:
// the file at path is not to be lost for it.
func newPendingElsewhere(path string) (*pending, io.WriteCloser) {
	p := &pending{path: path, elsewhere: true}
	f, err := os.CreateTemp("", "slimsvm-*")
	if err != nil {
		return p, &p.held
	}
	p.file = f
	return p, f
}

// heldText is what is written to a file that there is only in memory.
type heldText struct{ bytes.Buffer }

func (*heldText) Close() error { return nil }

// AtomicallyReplace gives the file, which is closed, its name. It does not wait for the disk, which
// takes longer than a small job: the file is safe from the end of the process, not from that of the
// machine.
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

// copyOver writes the content over the file that has its name and may be written, but not replaced:
// another's in a folder where nobody replaces what is another's, as in /tmp, or a file that is
// mounted by itself. If that fails when some of it was written over, the temporary file stays, and
// the error is damaged.
func (p *pending) copyOver() error {
	p.over = true
	overwriting.Add(1)
	var from io.ReaderAt = bytes.NewReader(p.held.Bytes())
	size, kept := int64(p.held.Len()), ""
	if p.file != nil {
		f, err := os.Open(p.file.Name())
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		from, size, kept = f, info.Size(), f.Name()
	}
	begun, err := writeOver(p.path, from, size)
	if begun && err != nil {
		p.done = true
		return damaged(err, kept)
	}
	return err
}

// settle ends what copyOver has begun, once nothing is left to be done.
func (p *pending) settle() {
	if p.over {
		p.over = false
		overwriting.Add(-1)
	}
}

// Cleanup removes the file unless it has its name.
func (p *pending) Cleanup() error {
	if p.done {
		return nil
	}
	p.done = true
	if p.file == nil {
		return nil
	}
	p.file.Close()
	return os.Remove(p.file.Name())
}

// longName is how many bytes of a file's name its temporary one, which is longer, has at most:
// systems have room for 255.
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
