package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/format"
)

// dataFlags say how data files are read.
func dataFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "class", Usage: "column of the label: `NAME`, first, last, or a number from 1"},
		&cli.StringFlag{Name: "from", Usage: "`FORMAT` of the data, instead of telling by name and content"},
		&cli.BoolFlag{Name: "weka", Usage: "read ARFF as Weka does, its misreadings included"},
	}
}

// input is an open data file.
type input struct {
	format.Reader
	path   string
	header *format.Header
	close  func() error
}

// declared reports whether the data declare their columns.
func (in *input) declared() bool { return len(in.header.Attributes) > 0 }

// at puts the file's name into an error of reading it.
func (in *input) at(err error) error { return format.WithPath(err, in.path) }

// headSize is how much of a file is looked at to tell its format.
const headSize = 4 << 10

// open opens a data file, or with - standard input, and reads its header.
func (e *env) open(c *cli.Context, path string) (*input, error) {
	in, err := e.openRaw(c, path)
	if err != nil {
		return nil, err
	}
	if in.header, err = in.Header(); err != nil {
		in.close()
		return nil, in.at(err)
	}
	return in, nil
}

// openRaw opens a data file and leaves its header to be read.
func (e *env) openRaw(c *cli.Context, path string) (*input, error) {
	file, err := format.OpenInput(path, e.stdin)
	if err != nil {
		return nil, err
	}
	in := &input{path: path, close: file.Close}
	if path == "-" {
		in.path = "standard input"
	}
	if err := in.begin(c, path, file); err != nil {
		file.Close()
		return nil, in.at(err)
	}
	return in, nil
}

func (in *input) begin(c *cli.Context, path string, file io.Reader) error {
	buffered := bufio.NewReaderSize(file, headSize)
	head, err := buffered.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	codec, err := findCodec(c.String("from"), path, head)
	if err != nil {
		return err
	}
	in.Reader = codec.NewReader(buffered)
	if r, ok := in.Reader.(*arff.Reader); ok {
		r.Weka = c.Bool("weka")
	}
	return nil
}

// findCodec returns the codec of that name, or if the name is empty the one that
// fits path and head.
func findCodec(name, path string, head []byte) (format.Codec, error) {
	if name != "" {
		for _, codec := range catalog.Formats {
			if codec.Name == name {
				return codec, nil
			}
		}
		return format.Codec{}, usagef("no format %q: there are %s", name, formatNames())
	}
	codec, ok := format.Detect(path, head, catalog.Formats)
	if !ok {
		return codec, hinted{errors.New("the format is not recognised"),
			fmt.Sprintf("name it with --from: %s", formatNames())}
	}
	return codec, nil
}

func formatNames() string {
	names := ""
	for i, codec := range catalog.Formats {
		if i > 0 {
			names += ", "
		}
		names += codec.Name
	}
	return names
}
