package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
)

// namesOfInput returns the path of the names that belong to a data file, which need not
// be there: "" where the data are a stream, which has none beside it.
func namesOfInput(data string) string {
	if isStream(data) {
		return ""
	}
	return datafile.FindNames(data)
}

// namesOfOutput returns the path for the names of a data file that is written, "" where it
// is a stream.
func namesOfOutput(data string) string {
	if isStream(data) {
		return ""
	}
	return datafile.WrittenNames(data)
}

// chosenNames returns the file that --names says, or else beside.
func chosenNames(c *cli.Context, beside string) string {
	if name := c.String("names"); name != "" {
		return name
	}
	return beside
}

// carried returns the names beside a data file, which go with the same features into
// another, nil for none. What is there but is no file of names stays behind, with a
// warning. A file that cannot be read may be one.
func (w *warner) carried(data string) (*names, error) {
	path := namesOfInput(data)
	if path == "" {
		return nil, nil
	}
	n, err := readNames(path)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case !unread(path, err):
		w.warn("%v: it does not go with the data", err)
		return nil, nil
	}
	return nil, err
}

// unread reports whether the error of readNames is that something is there which may be a file of names, and
// cannot be read.
func unread(path string, err error) bool {
	return errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist) && !isFolder(path)
}

// isFolder reports whether there is a folder at path.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// A dataOutput is a file of numbered features and labels that is being written, with
// what it cannot say beside it.
type dataOutput struct {
	*format.Output
	*warner
	path string
	file string // of names; "": nowhere
	kept *names // nil: there are none
	also []*format.Output
}

// join adds the files to those that take their names with them: names first, so that data
// that are there have what belongs to them. It returns the path of the file of names, "" if
// there is none.
func (o *dataOutput) join(c *cli.Context, g *group) (string, error) {
	g.outs = append(g.outs, o.also...)
	names := ""
	if o.kept != nil && o.file != "" {
		text, err := o.kept.text()
		if err != nil {
			return "", err
		}
		if err := o.sparesNames(text, !isSet(c, "names")); err != nil {
			return "", err
		}
		out, err := o.create(c.Context, o.file)
		if err != nil {
			return "", err
		}
		names = o.file
		g.outs = append(g.outs, out)
		if _, err := out.Write(text); err != nil {
			return "", err
		}
	}
	g.outs = append(g.outs, o.Output)
	g.stale = append(g.stale, o.staleNames(names)...)
	return names, nil
}

// sparesNames returns an error if other names than these are there, and belong to other data, which would
// become what they are not; or if beside tells that nobody chose the file, and it holds something else.
func (o *dataOutput) sparesNames(text []byte, beside bool) error {
	if info, err := os.Stat(o.file); beside && err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if _, err := readNames(o.file); err != nil {
			return hinted{fmt.Errorf("%s, where the names of %s are written, holds something else", o.file, o.path),
				"give OUT another name, or if the file is to be replaced, remove it first"}
		}
	}
	data, ok := datafile.NamedBy(o.file)
	if !ok || sameFile(data, o.path) {
		return nil
	}
	if _, err := readNames(o.file); err != nil {
		return nil // not there, or something else
	}
	if there, err := os.ReadFile(o.file); err != nil || bytes.Equal(there, text) {
		return nil
	}
	return hinted{fmt.Errorf("%s has the names of %s, which differ from those of %s and would be lost", o.file, data, o.path),
		"--names says where the names of OUT are written; to number labels as in other data, train a model on those and say slimsvm encode --like MODEL"}
}

// finish gives the files their names, and returns what join does.
func (o *dataOutput) finish(c *cli.Context) (string, error) {
	var g group
	defer g.abort()
	names, err := o.join(c, &g)
	if err != nil {
		return "", err
	}
	return names, g.close()
}

// staleNames returns the names that an earlier file left, wherever they would be found by the
// path of the data, but those that are replaced. They would be taken for these data's. What cannot be read it
// tells of.
func (o *dataOutput) staleNames(replaced string) []staleFile {
	if isStream(o.path) {
		return nil
	}
	var list []staleFile
	for _, path := range datafile.NamesPaths(o.path) {
		if isStream(path) || sameFile(path, replaced) {
			continue
		}
		switch _, err := readNames(path); {
		case err == nil:
			list = append(list, staleFile{path: path, of: o})
		case unread(path, err):
			o.warn("%v: it stays, and may hold names of an earlier %s", err, o.path)
		}
	}
	return list
}
