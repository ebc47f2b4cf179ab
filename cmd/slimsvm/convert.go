package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
)

func convertCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "convert a data file into another format",
		ArgsUsage: "IN OUT",
		Description: "The formats are told by the files' names and by content, or given; .gz and .zst\n" +
			"files are packed. Columns become the features of their place, counted from 1,\n" +
			"nominal values their label's place, counted from 0. What LIBSVM and SVMlight\n" +
			"files cannot say of columns and labels goes into a file OUT.names, from which the\n" +
			"way back restores it.",
		Flags: append(dataFlags(),
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` of OUT, instead of telling by its name"},
			&cli.StringFlag{Name: "names", Usage: "`FILE` of columns and labels of a LIBSVM or SVMlight file", DefaultText: "its name with .names"},
		),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and the file to write")
			if err != nil {
				return err
			}
			return e.convert(c, args[0], args[1])
		},
	}
}

func (e *env) convert(c *cli.Context, from, to string) error {
	in, err := e.open(c, from)
	if err != nil {
		return err
	}
	defer in.close()
	codec, err := datafile.Find(c.String("to"), to, nil)
	if err != nil {
		if errors.Is(err, datafile.ErrUnrecognised) {
			return usagef("%s: the name does not tell a format: give it with --to", to)
		}
		return explained(err)
	}
	src := format.Reader(in)
	var names []byte
	switch wants := datafile.Declares(codec); {
	case in.declared() && !wants:
		if src, names, err = flatten(in, c.String("class")); err != nil {
			return err
		}
	case !in.declared() && wants:
		if src, err = e.restore(c, in, from); err != nil {
			return err
		}
	}
	out, err := format.CreateOutput(c.Context, to, e.stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := format.Copy(codec.NewWriter(out), &watched{Reader: src, ctx: c.Context}); err != nil {
		return in.at(err)
	}
	if names != nil && to != "-" {
		if err := writeFile(c.Context, namesFile(c, to), names); err != nil {
			return err
		}
	}
	return out.Close()
}

// watched is a reader that ends when a context does.
type watched struct {
	format.Reader
	ctx context.Context
	n   int
}

func (w *watched) Read() (format.Instance, error) {
	if w.n++; w.n&1023 == 0 && w.ctx.Err() != nil {
		return format.Instance{}, w.ctx.Err()
	}
	return w.Reader.Read()
}

func namesFile(c *cli.Context, data string) string {
	if name := c.String("names"); name != "" {
		return name
	}
	return data + ".names"
}

func writeFile(ctx context.Context, path string, text []byte) error {
	out, err := format.Create(ctx, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Close()
}

// namesText is the text of a .names file: an ARFF header, behind a comment that
// says which column the label is.
func namesText(h *format.Header, class int) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%% class %d\n", class+1)
	w := arff.NewWriter(&b)
	if err := w.WriteHeader(h); err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readNames reads a .names file.
func readNames(path string) (*format.Header, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, format.WithPath(err, path)
	}
	class := 0
	if _, err := fmt.Sscanf(string(text), "%% class %d", &class); err != nil {
		return nil, format.WithPath(fmt.Errorf("expected %q first: %w", "% class N", err), path)
	}
	h, err := arff.NewReader(bytes.NewReader(text)).Header()
	if err != nil {
		return nil, format.WithPath(err, path)
	}
	if class < 1 || class > len(h.Attributes) {
		return nil, format.WithPath(fmt.Errorf("the label's column is %d of %d", class, len(h.Attributes)), path)
	}
	named := *h
	named.Class = class - 1
	return &named, nil
}
