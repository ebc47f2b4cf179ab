package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

// A twice opens a data file that may have to be read two times. Standard input is
// kept while it is read first, until it is known that once is enough.
type twice struct {
	*env
	c      *cli.Context
	path   string
	replay *format.Replay // nil: not standard input
	first  io.Reader
	once   bool
	opened []*input
}

// Read reads standard input the first time.
func (t *twice) Read(p []byte) (int, error) {
	if t.once {
		return t.stdin.Read(p)
	}
	return t.first.Read(p)
}

// openTwice opens a data file and reads its header.
func (e *env) openTwice(c *cli.Context, path string) (*twice, *input, error) {
	t, in, err := e.openTwiceRaw(c, path)
	if err == nil {
		if err = in.readHeader(); err == nil {
			(&warner{env: e, quiet: c.Bool("quiet")}).warnMixed(in)
		}
	}
	if err != nil {
		t.close()
	}
	return t, in, err
}

// openTwiceRaw opens a data file and leaves its header to be read.
func (e *env) openTwiceRaw(c *cli.Context, path string) (*twice, *input, error) {
	t := &twice{env: e, c: c, path: path}
	from := e
	if path == "-" {
		t.replay = format.NewReplay(c.Context, e.stdin)
		t.first = t.replay.First()
		from = &env{stdin: t, stdout: e.stdout, stderr: e.stderr}
	}
	in, err := t.open(from)
	return t, in, err
}

// again opens the file again, once it has been read to its end.
func (t *twice) again() (*input, error) {
	from := t.env
	if t.replay != nil {
		r, err := t.replay.Again()
		if err != nil {
			return nil, err
		}
		from = &env{stdin: r, stdout: t.stdout, stderr: t.stderr}
	}
	in, err := t.open(from)
	if err == nil {
		err = in.readHeader()
	}
	return in, err
}

// text opens the file's text, unpacked, again. The rest that was not read first is
// read for that.
func (t *twice) text(in *input) (io.ReadCloser, error) {
	if t.replay == nil {
		return format.Open(t.path)
	}
	if _, err := io.Copy(io.Discard, t.first); err != nil {
		return nil, in.at(err)
	}
	r, err := t.replay.Again()
	if err != nil {
		return nil, err
	}
	return format.OpenInput(t.path, r)
}

func (t *twice) open(from *env) (*input, error) {
	rows := 0
	if len(t.opened) > 0 {
		rows = t.opened[0].rows
		t.opened[0].end()
	}
	in, err := from.openRaw(t.c, t.path, rows)
	if err != nil {
		return nil, err
	}
	t.opened = append(t.opened, in)
	return in, nil
}

// close closes what was opened.
func (t *twice) close() {
	for _, in := range t.opened {
		in.close()
	}
	if t.replay != nil {
		t.replay.Close()
	}
}
