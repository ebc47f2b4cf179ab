package main

import (
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/format"
)

// A place is a file of the command line, and what it is for.
type place struct{ what, path string }

// distinct returns wrong usage if two of the places are one file, of which a write to
// one would lose the other. A place without a path is none.
func distinct(places ...place) error {
	for i, b := range places {
		for _, a := range places[:i] {
			if a.path == "-" && b.path == "-" {
				return usagef("%s and %s cannot both go to standard output", a.what, b.what)
			}
			if sameFile(a.path, b.path) {
				return usagef("%s, %s, and %s, %s, are the same file", a.what, a.path, b.what, b.path)
			}
		}
	}
	return nil
}

// apart returns wrong usage if the file to be written is one of the files to be read,
// and an error if it cannot be written: better now than when all is done.
func apart(write place, read ...place) error {
	if write.path != "" {
		if err := format.TryOutput(write.path); err != nil {
			return err
		}
	}
	for _, r := range read {
		if r.path != "-" {
			if err := distinct(r, write); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file, be it there or not. Devices
// such as a terminal take what several write.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if a == "-" || b == "-" {
		return false
	}
	is, err := os.Stat(a)
	was, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(is, was) && is.Mode()&os.ModeCharDevice == 0
	}
	if err == nil || err2 == nil {
		return false
	}
	return filepath.Base(a) == filepath.Base(b) && sameFolder(filepath.Dir(a), filepath.Dir(b))
}

func sameFolder(a, b string) bool {
	is, err := os.Stat(a)
	was, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(is, was)
}
