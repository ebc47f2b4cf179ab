package main

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

// A place is a file of the command line, and what it is for. A place without a path is
// none.
type place struct{ what, path string }

// distinct returns wrong usage if two of the places that are written are one file, of
// which a write to one would lose the other.
func (e *env) distinct(places ...place) error {
	for i, b := range places {
		for _, a := range places[:i] {
			switch {
			case e.isStdout(a.path) && e.isStdout(b.path):
				return usagef("%s and %s cannot both go to standard output", a.what, b.what)
			case sameFile(a.path, b.path):
				return oneFile(a, b)
			}
		}
	}
	return nil
}

func oneFile(a, b place) error {
	return usagef("%s, %s, and %s, %s, are the same file", a.what, inputName(a.path), b.what, b.path)
}

// apart returns wrong usage if the file to be written is one of the files to be read, or
// one of these is what standard output goes to, and an error if the file cannot be
// written: better now than when all is done.
func (e *env) apart(write place, read ...place) error {
	if write.path != "" {
		if err := format.TryOutput(write.path); err != nil {
			return err
		}
	}
	return e.unlike(write, read...)
}

// unlike is apart for a file that need not be writable.
func (e *env) unlike(write place, read ...place) error {
	for _, r := range read {
		if err := e.notOutput(r.path); err != nil {
			return err
		}
		if r.path == "-" && sameContent(regular(e.stdin), write.path) || sameFile(r.path, write.path) {
			return oneFile(r, write)
		}
	}
	return nil
}

// replaced are the places, of those that are read, which a file to be written must not be
// even if it may take their place when all is read: it is a stream, which is written as it
// comes.
func replaced(write place, read ...place) []place {
	if format.IsStream(write.path) {
		return read
	}
	return nil
}

// notOutput returns wrong usage if a file to be read, - for standard input, is the one
// that standard output goes to. What is written there would be read again, without an end, or
// be written over what is yet to be read.
func (e *env) notOutput(path string) error {
	out := regular(e.stdout)
	if path == "-" {
		if in := regular(e.stdin); in != nil && out != nil && os.SameFile(in, out) {
			return usagef("standard input and standard output are the same file")
		}
		return nil
	}
	if sameContent(out, path) {
		return usagef("%s is the standard output too", path)
	}
	return nil
}

// regular returns what is known of the regular file that a stream is, nil if it is none.
func regular(stream any) fs.FileInfo {
	if info := streamInfo(stream); info != nil && info.Mode().IsRegular() {
		return info
	}
	return nil
}

// streamInfo returns what is known of a stream, nil if it is no file of the system's.
func streamInfo(stream any) fs.FileInfo {
	if f, ok := stream.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			return info
		}
	}
	return nil
}

// sameContent reports whether a path leads to a file that is known, nil for none.
func sameContent(info fs.FileInfo, path string) bool {
	if info == nil || path == "" || path == "-" {
		return false
	}
	other, err := os.Stat(path)
	return err == nil && os.SameFile(info, other)
}

// isStdout reports whether a path leads to what standard output goes to, other than
// nowhere.
func (e *env) isStdout(path string) bool {
	if path == "-" {
		return true
	}
	out := streamInfo(e.stdout)
	return sameContent(out, path) && !sameContent(out, os.DevNull)
}

// notBothToStdout returns an error if JSON and an output file both go to standard output.
func (e *env) notBothToStdout(c *cli.Context, path, what string) error {
	if c.Bool("json") && e.isStdout(path) {
		return usagef("--json prints on standard output: write %s to a file", what)
	}
	return nil
}

// notBothFromStdin returns an error if two files to be read are both to come from standard input,
// or else from one stream, which gives its content once.
func (e *env) notBothFromStdin(a, b place) error {
	if a.path == "-" && b.path == "-" {
		return usagef("%s and %s cannot both come from standard input", a.what, b.what)
	}
	is, was := e.inputInfo(a.path), e.inputInfo(b.path)
	if is == nil || was == nil || is.Mode().IsRegular() || !os.SameFile(is, was) || sameContent(is, os.DevNull) {
		return nil
	}
	from := a.path
	if from == "-" || b.path == "-" {
		from = inputName("-")
	}
	return usagef("%s and %s cannot both come from %s", a.what, b.what, from)
}

// inputInfo returns what is known of a file to be read, nil if that is nothing.
func (e *env) inputInfo(path string) fs.FileInfo {
	if path == "-" {
		return streamInfo(e.stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
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
