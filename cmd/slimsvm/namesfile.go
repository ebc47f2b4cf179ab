package main

import (
	"errors"
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
// warning.
func (w *warner) carried(data string) *names {
	path := namesOfInput(data)
	if path == "" {
		return nil
	}
	n, err := readNames(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.warn("%v: it does not go with the data", err)
	}
	return n
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

// finish gives the files their names, when all of them are complete: those beside the
// data first, so that data that are there have what belongs to them. Names beside the
// data that an earlier file of that name left would be taken for these data's, and are
// removed. It returns the path of the file of names, "" if there is none.
func (o *dataOutput) finish(c *cli.Context) (string, error) {
	if o.kept == nil || o.file == "" {
		return "", closeAll(func() error { return o.removeStale("") }, append(o.also, o.Output)...)
	}
	text, err := o.kept.text()
	if err != nil {
		return "", err
	}
	names, err := format.CreateOutput(c.Context, o.file, o.stdout)
	if err != nil {
		return "", err
	}
	defer names.Abort()
	if _, err := names.Write(text); err != nil {
		return "", err
	}
	return o.file, closeAll(func() error { return o.removeStale(o.file) }, append(o.also, names, o.Output)...)
}

// closeAll gives files their names in turn, when all of them are complete and last, if
// it is not nil, is done.
func closeAll(last func() error, outs ...*format.Output) error {
	for _, out := range outs {
		if err := out.Complete(); err != nil {
			return err
		}
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	for _, out := range outs {
		if err := out.Close(); err != nil {
			return err
		}
	}
	return nil
}

// removeStale removes the names of an earlier file, wherever they would be found by the
// path, unless they are about to be replaced.
func (o *dataOutput) removeStale(replaced string) error {
	if isStream(o.path) {
		return nil
	}
	for _, path := range datafile.NamesPaths(o.path) {
		if err := o.removeNames(path, replaced); err != nil {
			return err
		}
	}
	return nil
}

func (o *dataOutput) removeNames(stale, replaced string) error {
	if isStream(stale) || sameFile(stale, replaced) {
		return nil
	}
	if _, err := readNames(stale); err != nil {
		return nil // it is not there, or something else
	}
	if err := os.Remove(stale); err != nil {
		return err
	}
	o.warn("%s: removed, since it belonged to an earlier %s", stale, o.path)
	return nil
}
