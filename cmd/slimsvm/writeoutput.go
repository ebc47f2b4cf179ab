package main

import (
	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// writeModel writes a model, and files that belong to it: all of them or none.
func (e *env) writeModel(c *cli.Context, path string, m *models.Model, also ...*format.Output) error {
	out, err := e.create(c.Context, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := models.Write(out, m); err != nil {
		return err
	}
	return format.CloseAll(append(also, out)...)
}

// begunOutput begins to write a file, or with - to standard output, with a text.
func (e *env) begunOutput(c *cli.Context, path string, text []byte) (*format.Output, error) {
	out, err := e.create(c.Context, path)
	if err != nil {
		return nil, err
	}
	if _, err := out.Write(text); err != nil {
		out.Abort()
		return nil, err
	}
	return out, nil
}

// writeOutput writes a file, or with - to standard output.
func (e *env) writeOutput(c *cli.Context, path string, text []byte) error {
	out, err := e.begunOutput(c, path, text)
	if err != nil {
		return err
	}
	return out.Close()
}
