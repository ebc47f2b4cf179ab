package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// modelName is the model's file when none is given: in the current directory,
// by the name of the data.
func modelName(data string) string { return filepath.Base(data) + ".model" }

// save writes the model file.
func (o *options) save(ctx context.Context, m *models.Model, out *messages) error {
	if stream := out.stream(o.model); stream != nil {
		out.talk.flush()
		return models.Write(stream, m)
	}
	f, err := format.Create(ctx, o.model)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := models.Write(f, m); err != nil {
		return err
	}
	return f.Close()
}

// stream returns stdout or stderr if path names what it goes to, else nil. Opened
// by a name such as /dev/stdout, a stream that goes to a file would begin anew
// and lose what it holds.
func (m *messages) stream(path string) io.Writer {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	for _, w := range []io.Writer{m.stdout, m.stderr} {
		if f, ok := w.(*os.File); ok {
			if s, err := f.Stat(); err == nil && os.SameFile(s, info) {
				return w
			}
		}
	}
	return nil
}
