package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/format"
)

// A group are files that are written, and take their names all or none.
type group struct {
	outs  []*format.Output // in the order in which they take their names
	stale []staleFile      // files that go then
}

// A staleFile is a file of names that belongs to earlier data.
type staleFile struct {
	path  string
	aside string // its name meanwhile; "": its own
	of    *dataOutput
}

// close gives the files their names, when all of them are complete. What is stale is put
// aside before, and is there again if that fails.
func (g *group) close() error {
	for _, out := range g.outs {
		if err := out.Complete(); err != nil {
			return err
		}
	}
	err := g.putAside()
	if err == nil {
		err = format.CloseAll(g.outs...)
	}
	for i := range g.stale {
		s := &g.stale[i]
		switch {
		case s.aside == "":
		case err != nil:
			err = errors.Join(err, os.Rename(s.aside, s.path))
		default:
			if err := os.Remove(s.aside); err != nil {
				return err
			}
			s.of.warn("%s: removed, since it belonged to an earlier %s", s.path, s.of.path)
		}
	}
	return err
}

// putAside gives what is stale another name.
func (g *group) putAside() error {
	for i := range g.stale {
		s := &g.stale[i]
		f, err := os.CreateTemp(filepath.Dir(s.path), ".slimsvm-*")
		if err == nil {
			f.Close()
			if err = os.Rename(s.path, f.Name()); err != nil {
				os.Remove(f.Name())
			}
		}
		if err != nil {
			return cannotRemove(s.path, err)
		}
		s.aside = f.Name()
	}
	return nil
}

// cannotRemove is the error of removing a file, without the other name that it was to have.
func cannotRemove(path string, err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return &fs.PathError{Op: "remove", Path: path, Err: err}
}

// abort drops the files that have not taken their names.
func (g *group) abort() {
	for _, out := range g.outs {
		out.Abort()
	}
}
