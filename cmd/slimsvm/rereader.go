package main

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
)

// A rereader opens a data file that may have to be read two times.
type rereader struct {
	*env
	*source
	c       *cli.Context
	ignored []string // columns that the options name, and that are not heeded
	opened  []*input
}

// openRereadable opens a data file and reads its header.
func (e *env) openRereadable(c *cli.Context, path string) (*rereader, *input, error) {
	t, in, err := e.openRereadableRaw(c, path)
	if err != nil {
		return nil, nil, err
	}
	if err = in.readHeader(); err != nil {
		t.close()
		return nil, nil, err
	}
	return t, in, nil
}

// openRereadableRaw opens a data file and leaves its header to be read.
func (e *env) openRereadableRaw(c *cli.Context, path string) (*rereader, *input, error) {
	s, err := e.source(c.Context, path)
	if err != nil {
		return nil, nil, err
	}
	t := &rereader{env: e, source: s, c: c}
	in, err := t.open()
	if err != nil {
		t.close()
		return nil, nil, err
	}
	return t, in, nil
}

// reopen opens the file again, once it has been read to its end.
func (t *rereader) reopen() (*input, error) {
	in, err := t.open()
	if err == nil {
		err = in.readHeader()
	}
	if changed := t.opened[0].Check(nil); changed != nil {
		err = t.opened[0].at(changed)
	}
	return in, err
}

// content opens the file's text, unpacked, again. The rest that was not read first is
// read for that.
func (t *rereader) content(in *input) (io.ReadCloser, error) {
	if t.stream == nil {
		return format.Open(t.path)
	}
	if err := t.drain(in); err != nil {
		return nil, err
	}
	text, err := t.text()
	if err != nil {
		return nil, err
	}
	return format.OpenStream(text, in.path), nil
}

// drain reads the rest of a stream that was not read first, so that it can be read again.
func (t *rereader) drain(in *input) error {
	if t.stream == nil {
		return nil
	}
	_, err := io.Copy(io.Discard, t.replay.First())
	return in.at(err)
}

// restart is reopen for a file that need not have been read to its end, and leaves its header to
// be read.
func (t *rereader) restart(in *input) (*input, error) {
	if err := t.drain(in); err != nil {
		return nil, err
	}
	return t.open()
}

// weighted reports whether a row of ARFF, of which the header was read, has a weight, and returns
// the file to be read from there on. For that it may be read two times.
func (t *rereader) weighted(in *input) (found bool, again *input, err error) {
	if t.c.String(weightFile) != "" {
		return true, in, nil
	}
	if in.Codec.Name != arff.Codec.Name {
		return false, in, nil
	}
	for !found && err == nil {
		var row format.Instance
		row, err = in.Read()
		found = err == nil && row.Weight != 1
	}
	if again, err = t.restart(in); err == nil { // and a fault comes again
		err = again.readHeader()
	}
	return found, again, err
}

// options returns what the command's options say of the data.
func (t *rereader) options() (datafile.Options, error) {
	o, err := t.optionsOf(t.c)
	ignored := func(column string) bool { return slices.Contains(t.ignored, column) }
	if ignored(o.Class) {
		o.Class = ""
	}
	if ignored(o.Weights.Column) {
		o.Weights.Column = ""
	}
	o.CSV.Nominal = slices.DeleteFunc(slices.Clone(o.CSV.Nominal), ignored)
	return o, err
}

func (t *rereader) open() (*input, error) {
	rows := 0
	if len(t.opened) > 0 {
		rows = t.opened[0].rows
		t.opened[0].end()
	}
	text, err := t.text()
	if err != nil {
		return nil, err
	}
	o, err := t.options()
	if err != nil {
		return nil, err
	}
	in, err := t.openAs(t.c, o, t.path, text, rows)
	if err != nil {
		return nil, err
	}
	t.opened = append(t.opened, in)
	if err := t.source.checkSame(in); err != nil {
		return nil, err
	}
	return in, nil
}

// close closes what was opened.
func (t *rereader) close() {
	for _, in := range t.opened {
		in.close()
	}
	t.source.close()
}
