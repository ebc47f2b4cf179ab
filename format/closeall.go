package format

import (
	"errors"
	"io/fs"
	"os"
)

// CloseAll closes outputs that belong together: either all of them take their names or none does.
// It completes all of them first, then closes them in order. If one cannot take its name, the files
// that earlier ones replaced are put back as far as the system allows: devices, and files that can
// be written over but not replaced, keep the new content. After a failure all outputs are closed,
// too.
func CloseAll(outs ...*Output) error {
	defer func() {
		for _, o := range outs { // what is closed stays
			o.Abort()
		}
	}()
	for _, o := range outs {
		if err := o.Complete(); err != nil {
			return err
		}
	}
	var was []backup
	for i, o := range outs {
		if i < len(outs)-1 { // behind the last nothing can fail
			was = append(was, o.backup())
		}
		if err := o.Close(); err != nil {
			for k := range was {
				err = errors.Join(err, was[len(was)-1-k].restore())
			}
			return err
		}
	}
	var errs []error
	for _, f := range was {
		errs = append(errs, f.discard())
	}
	return errors.Join(errs...)
}

// A backup is what stands at the path of an output before it has its name.
type backup struct {
	path string // "": it cannot be put back
	kept string // another name of the file there; "": there is none
}

// backup keeps what an output is about to replace, by another link to it or else by
// another name.
func (o *Output) backup() backup {
	if o.pending == nil || o.pending.elsewhere {
		return backup{}
	}
	path, kept := o.pending.path, o.pending.file.Name()+".was"
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return backup{path: path}
	}
	if err != nil || !info.Mode().IsRegular() {
		return backup{} // Close fails
	}
	if isOthers(path, info, o.pending.file.Name()) {
		return backup{} // Close writes it over
	}
	if os.Link(path, kept) != nil && os.Rename(path, kept) != nil {
		return backup{}
	}
	return backup{path, kept}
}

// restore puts back what was there.
func (f backup) restore() error {
	switch {
	case f.path == "":
		return nil
	case f.kept == "":
		return gone(os.Remove(f.path))
	}
	if err := os.Rename(f.kept, f.path); err != nil {
		return err
	}
	return f.discard() // two names of one file both stay
}

// discard forgets what was there.
func (f backup) discard() error {
	if f.kept == "" {
		return nil
	}
	return gone(os.Remove(f.kept))
}

// gone returns the error of removing a file, nil if there was none.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
