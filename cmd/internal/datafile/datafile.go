// Package datafile opens data files of every format that the commands know, and
// makes of them what training and prediction want: numeric features and labels.
//
// Formats that declare their columns (ARFF, CSV) go through format/encode, whose
// encoding is kept with the model, so that later files are encoded in the same
// way. In formats that do not (LIBSVM, SVMlight) the numbers stand for themselves.
package datafile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// Options say how a data file is read. The zero Options tell the format by name
// and content, and read it as its package does unless they say otherwise.
type Options struct {
	Format string // name of a format; "": found by name and content
	Class  string // column of the label, as in encode.Options
	Weka   bool   // read ARFF as Weka does, its misreadings included

	Weights     Weights
	Groups      string // column of CSV that is not the label's, as csvfmt.Reader.Groups; "": none
	CSV         CSV
	DropQueries bool // leave out query ids of SVMlight
}

// CSV are the options of csvfmt.Reader that a user may set.
type CSV struct {
	Separator byte
	Quote     byte
	Backslash bool
	FirstLine csvfmt.FirstLine
	Names     []string
	Missing   []string
	Nominal   []string

	DecimalMark byte
	LikelyComma bool
}

// A File is an open data file.
type File struct {
	format.Reader
	Name  string       // for messages
	Codec format.Codec // the file's format

	// ContinueOnFault says that reading goes on behind faults, so that none is looked into until
	// the end of the file.
	ContinueOnFault bool

	file    io.Closer
	watch   format.Watch
	weigher weigher // nil: the weights are the reader's
}

// A weigher reads files whose weights stand elsewhere. Commands that open none are not linked with it.
type weigher interface {
	header(f *File) (*format.Header, error)
	read(f *File) (format.Instance, error)
}

// Read returns the next row. At the end, and where the reader gives an error, a file that has changed
// is format.ErrChanged, and compressed data that are damaged are reported as such.
func (f *File) Read() (format.Instance, error) {
	row, err := f.read()
	return row, f.fault(err)
}

// fault returns what an error of the reader comes from.
func (f *File) fault(err error) error {
	switch {
	case err == nil:
		return nil
	case !f.ContinueOnFault:
		return f.watch.Check(err)
	}
	if changed := f.watch.Check(nil); changed != nil {
		return changed
	}
	return err
}

// Compressed reports whether the file is compressed.
func (f *File) Compressed() bool { return f.watch.Compressed() }

// read returns the next row with its weight.
func (f *File) read() (format.Instance, error) {
	if f.weigher == nil {
		return f.Reader.Read()
	}
	return f.weigher.read(f)
}

// Header returns the description of the columns. A column of weights is that of the label only if
// there is no other.
func (f *File) Header() (h *format.Header, err error) {
	if f.weigher == nil {
		h, err = f.Reader.Header()
	} else {
		h, err = f.weigher.header(f)
	}
	return h, f.fault(err)
}

// Check returns format.ErrChanged, in the place of err, if the file has changed since it was opened,
// and the damage of compressed data that err comes from.
func (f *File) Check(err error) error { return f.watch.Check(err) }

// CheckReopened returns format.ErrChanged if next, which was opened as f was and later, is another
// file, or has changed.
func (f *File) CheckReopened(next *File) error { return f.watch.CheckReopened(next.watch) }

// headSize is how much of a file is looked at to tell its format, and mostSeen where that does not do.
const headSize = 4 << 10

// Open opens the data file at path, packed or not; the path - stands for stdin. A fault of the file
// is a *format.Error with its name. Reading ends when ctx does, where much is read at a time: see
// csvfmt.Reader.Context.
func Open(ctx context.Context, path string, stdin io.Reader, o Options) (*File, error) {
	if path == "-" {
		return OpenStream(ctx, path, stdin, o)
	}
	file, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	return open(ctx, path, path, file, o)
}

// OpenStream opens a data file whose content is a stream, which Close leaves open.
// What path tells of the format and what faults call the file is as in Open.
func OpenStream(ctx context.Context, path string, stream io.Reader, o Options) (*File, error) {
	name := path
	if path == "-" {
		name = "standard input"
	}
	return open(ctx, path, name, format.OpenStream(stream, name), o)
}

func open(ctx context.Context, path, name string, file io.ReadCloser, o Options) (*File, error) {
	f := &File{Name: name, file: file, watch: format.NewWatch(file)}
	if err := f.begin(ctx, path, file, o); err != nil {
		err = f.At(f.watch.Check(err))
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) begin(ctx context.Context, path string, file io.Reader, o Options) error {
	peek, whole := peeks(file)
	head, err := peek(headSize)
	if err != nil {
		return err
	}
	if err := notText(head); err != nil {
		return err
	}
	if wide := format.WideText(head); wide != nil { // which format.Open does not know without a mark
		return &format.Error{Line: 1, Column: 1, Err: wide}
	}
	if f.Codec, err = Find(o.Format, path, head); err == ErrUnrecognised && len(head) == headSize {
		if head, err = peek(mostSeen); err != nil { // lines may be long
			return err
		}
		f.Codec, err = Find(o.Format, path, head)
	}
	if err == ErrUnrecognised {
		err = unrecognised(head)
	}
	if err == nil && o.Format == "" && beginsModel(head) {
		err = errModel
	}
	if err == nil && o.Format == "" {
		err = formatMismatch(f.Codec, head)
	}
	if err == nil {
		f.Reader = o.reader(ctx, f.Codec, whole)
		if o.Weights.Column != "" || o.Weights.List != nil {
			f.weigher = &weightReader{Weights: o.Weights, class: o.Class, ctx: ctx}
		}
	}
	return err
}

// peeks returns what shows the first bytes of a file at its start, up to mostSeen, and the whole
// file: still the file itself if it can be read again, which some formats are.
func peeks(file io.Reader) (peek func(size int) (head []byte, err error), whole io.Reader) {
	if f, ok := file.(*os.File); ok { // a regular one, says format.Open
		return func(size int) ([]byte, error) {
			head := make([]byte, size)
			n, err := f.ReadAt(head, 0)
			return head[:n], notEnd(err)
		}, f
	}
	buffered := bufio.NewReaderSize(file, mostSeen)
	return func(size int) ([]byte, error) {
		head, err := buffered.Peek(size)
		return head, notEnd(err)
	}, buffered
}

// notEnd returns an error other than that of the end of a file.
func notEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// reader returns a reader of the codec with the options that it knows.
func (o *Options) reader(ctx context.Context, codec format.Codec, whole io.Reader) format.Reader {
	r := codec.NewReader(whole)
	switch r := r.(type) {
	case *arff.Reader:
		r.Weka = o.Weka
		r.Workers = runtime.GOMAXPROCS(0)
	case *csvfmt.Reader:
		r.Context, r.Workers = ctx, runtime.GOMAXPROCS(0)
		if r.Class = o.Class; !o.Weights.Optional {
			r.Weights = o.Weights.Column
		}
		r.Groups = o.Groups
		r.Separator, r.Quote, r.Backslash = o.CSV.Separator, o.CSV.Quote, o.CSV.Backslash
		r.FirstLine, r.Names, r.Missing = o.CSV.FirstLine, o.CSV.Names, o.CSV.Missing
		r.Nominal = o.CSV.Nominal
		r.DecimalMark, r.LikelyComma = o.CSV.DecimalMark, o.CSV.LikelyComma
	case *libsvmfmt.SVMLightReader:
		r.DropQueries = o.DropQueries
	}
	return r
}

// Close ends the reading.
func (f *File) Close() error {
	if c, ok := f.Reader.(io.Closer); ok {
		c.Close()
	}
	return f.file.Close()
}

// At puts the file's name into an error of reading it. One of writing what is made of it tells
// another file's name, and stays as it is.
func (f *File) At(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Op == "write" {
		return err
	}
	return format.WithPath(err, f.Name)
}

// Texts returns the file's reader if it tells the texts of cells, else nil.
func (f *File) Texts() *csvfmt.Reader {
	r, _ := f.Reader.(*csvfmt.Reader)
	return r
}

// Line returns the number of the line in which the last row began, 0 where the reader does not
// tell.
func (f *File) Line() int {
	if l, ok := f.Reader.(interface{ Line() int }); ok {
		return l.Line()
	}
	return 0
}

// DecimalComma reports whether fractions of a file, whose header was read, begin with a comma.
func (f *File) DecimalComma() bool {
	r := f.Texts()
	return r != nil && r.Decimal() == ','
}

// NumberText returns a number as a message about a file, whose header was read, shows it: with the file's
// decimal mark.
func (f *File) NumberText(v float64) string {
	text := fmt.Sprint(v)
	if f.DecimalComma() {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// Declares reports whether files of a format declare their columns.
func Declares(c format.Codec) bool {
	return c.Name != libsvmfmt.Codec.Name && c.Name != libsvmfmt.SVMLight.Name
}
