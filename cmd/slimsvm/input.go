package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/internal/formats"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// dataFlags say how data files are read. label is the column of the label when none is given.
func dataFlags(label string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "class", Usage: "`COLUMN` with the label in ARFF and CSV: its name, first, last, or a number from 1; a name takes precedence", DefaultText: label},
		&cli.StringFlag{Name: "from", Usage: "`FORMAT` of the data: " + strings.Join(formatNames(), ", "), DefaultText: "detected by name and content"},
		&cli.BoolFlag{Name: "weka", Usage: "read ARFF as Weka does, including its misreadings"},
		&cli.StringFlag{Name: "separator", Usage: "`CHARACTER` between cells of CSV: one character, tab, or space (any number of blanks and tabs)", DefaultText: "detected"},
		&cli.StringFlag{Name: "quote", Usage: "`CHARACTER` around cells of CSV: \" or '; with ', backslashes escape quotes, as in Weka's CSV", DefaultText: "\""},
		&cli.StringFlag{Name: "decimal", Usage: "decimal `MARK` of numbers in CSV: . or ,", DefaultText: "detected"},
		&cli.StringFlag{Name: "header", Usage: "whether the first line of CSV has the column names: yes or no", DefaultText: "detected"},
		flags.NewTexts(cli.StringSliceFlag{Name: "missing", Usage: "`WORD` that means a missing value in CSV, such as NA; can be repeated"}),
		&cli.BoolFlag{Name: "drop-queries", Usage: "leave out the query ids (qid) of SVMlight files"},
	}
}

// labelOfModel is the column of the label for commands that read a model.
const labelOfModel = "the column of MODEL's label"

// formatNames returns the names of the data formats.
func formatNames() (names []string) {
	for _, f := range formats.All {
		names = append(names, f.Name)
	}
	return names
}

// columnFlags are dataFlags where no model tells what columns hold.
func columnFlags() []cli.Flag {
	return append(dataFlags("last"), flags.NewTexts(cli.StringSliceFlag{Name: nominal, Usage: "`COLUMN` of CSV whose cells are labels, even where they look like numbers: its name, first, last, or a number from 1; can be repeated"}))
}

// nominal is the option of columns that hold labels.
const nominal = "nominal"

// dataOptions returns what the flags say.
func dataOptions(c *cli.Context) (o datafile.Options, err error) {
	o = datafile.Options{
		Format: c.String("from"), Class: c.String("class"), Weka: c.Bool("weka"),
		CSV: datafile.CSV{Missing: c.StringSlice("missing"), Nominal: c.StringSlice(nominal)}, DropQueries: c.Bool("drop-queries"),
	}
	switch s := c.String("separator"); {
	case s == "tab" || s == `\t`:
		o.CSV.Separator = '\t'
	case s == "space" || s == " ":
		o.CSV.Separator = csvfmt.Blanks
	case len(s) == 1 && csvfmt.CanSeparate(s[0]):
		o.CSV.Separator = s[0]
	case len(s) == 1:
		return o, usagef("--separator %q: it may be part of a number or a word, or is a quote, and cannot separate cells", s)
	case s != "" || isSet(c, "separator"):
		return o, usagef("--separator %q: expected one character, tab, or space", s)
	}
	switch s := c.String("quote"); {
	case s == "'":
		o.CSV.Quote, o.CSV.Backslash = '\'', true
	case s == `"`:
		o.CSV.Quote = '"'
	case s != "" || isSet(c, "quote"):
		return o, usagef("--quote %q: expected \" or '", s)
	}
	switch s := c.String("decimal"); {
	case s == "." || s == ",":
		o.CSV.DecimalMark = s[0]
	case s != "" || isSet(c, "decimal"):
		return o, usagef("--decimal %q: expected . or ,", s)
	}
	switch c.String("header") {
	case headerWords[0]:
		o.CSV.FirstLine = csvfmt.FirstLineNames
	case headerWords[1]:
		o.CSV.FirstLine = csvfmt.FirstLineRow
	}
	return o, nil
}

// headerWords are those of --header.
var headerWords = []string{"yes", "no"}

// input is an open data file. Reading ends when the command's context does.
type input struct {
	*datafile.File
	ctx     context.Context
	command *cli.Command
	path    string // for messages
	from    string // path as the command has it
	class   string // of the options
	// unheeded are the options for data that the format does not heed.
	unheeded []string

	header  *format.Header
	own     bool // header is not the file's
	weights inputWeights
	groups  inputGroups
	dropped droppedColumns

	keep   []bool       // which rows are read, the others being passed over; nil: all
	rows   int          // that were read
	seen   atomic.Int64 // rows, now and then
	end    func()       // of the progress bar
	places *rowPlaces   // of the rows; nil: nobody asks
	labels *classTexts  // of the rows; nil: nobody asks
}

// inputWeights are the weights of an input's rows.
type inputWeights struct {
	stay    bool        // in their column, or their file, where they are looked at
	listed  bool        // in a file
	row     float64     // of the present row
	invalid func(error) // is called for weights that no row can have, nil: nobody asks
}

// inputGroups are the groups of an input's rows in a column.
type inputGroups struct {
	column string // of the options; "": none
	at     int    // its position
	rows   *rowGroups
}

// droppedColumns are the columns of an input that the options leave out.
type droppedColumns struct {
	names    []string
	found    map[int]bool     // where they are in header; nil: not looked for yet
	header   *format.Header   // at that time
	dropping *encode.Dropping // nil: no column is left out of rows
	row      vec.Vector       // what is left of the present row
}

// checkEvery is the number of rows between two looks at the context.
const checkEvery = 1 << 8

// Read returns the next row.
func (in *input) Read() (format.Instance, error) {
	for {
		row, err := in.next()
		switch {
		case err != nil || in.keep == nil:
			return row, err
		case in.rows > len(in.keep):
			return row, format.ErrChanged
		case in.keep[in.rows-1]:
			return row, nil
		}
	}
}

// next reads a row.
func (in *input) next() (format.Instance, error) {
	if in.rows%checkEvery == 0 {
		in.seen.Store(int64(in.rows))
		if err := in.ctx.Err(); err != nil {
			return format.Instance{}, err
		}
	}
	row, err := in.File.Read()
	if err == nil {
		in.rows++
		if in.places != nil {
			in.places.Add(in.place())
		}
		if in.labels != nil {
			err = in.labels.take(row.X)
		}
		if in.groups.rows != nil {
			in.groups.rows.take(in, row)
		}
		if in.weights.row = row.Weight; in.weights.stay && (in.weights.listed || in.WeightColumn() >= 0) {
			row.Weight = 1
		}
		if in.dropped.dropping != nil {
			in.dropped.dropping.Row(&in.dropped.row, row.X)
			row.X = in.dropped.row
		}
	}
	return row, err
}

// without leaves columns out, and makes class the label's column, as the options have them.
func (in *input) without(class string, columns []string) error {
	at, err := encode.FindClass(in.header, class)
	if err == nil {
		in.dropped.dropping, err = encode.NewDropping(in.header, at, columns)
	}
	if err != nil {
		return in.at(in.columnFault(err))
	}
	in.header = in.dropped.dropping.Header
	return nil
}

// Header returns the columns, but those that are left out.
func (in *input) Header() (*format.Header, error) {
	if in.dropped.dropping != nil || in.own {
		return in.header, nil
	}
	return in.File.Header()
}

// declared reports whether the data declare their columns.
func (in *input) declared() bool { return len(in.header.Attributes) > 0 }

// at puts the file's name into an error of reading it.
func (in *input) at(err error) error { return in.At(err) }

// A liner tells the line in which its last row began.
type liner interface{ Line() int }

// place returns the line of the last row, or the row's number where the reader tells no
// lines.
func (in *input) place() int {
	if l, ok := in.Reader.(liner); ok {
		return l.Line()
	}
	return in.rows
}

// newPlaces returns places for rows of the file.
func (in *input) newPlaces() *rowPlaces {
	_, lines := in.Reader.(liner)
	return &rowPlaces{lines: lines}
}

// here puts the file's name and the line of the last row into an error of that
// row, or the row's number where the reader tells no lines.
func (in *input) here(err error) error { return in.hereAt(in.place(), err) }

// hereAt is here for an error of an earlier row, of which place was the place.
func (in *input) hereAt(place int, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := in.Reader.(liner); ok {
		return &format.Error{Path: in.path, Line: place, Err: err}
	}
	return in.at(fmt.Errorf("row %d: %w", place, err))
}

func (in *input) close() {
	in.end()
	in.Close()
}

// open opens a data file, or with - standard input, and reads its header.
func (e *env) open(c *cli.Context, path string) (*input, error) {
	return e.openText(c, path, nil)
}

// openText is open of a file whose text is given; nil: it is to be opened.
func (e *env) openText(c *cli.Context, path string, text io.Reader) (*input, error) {
	in, err := e.openRaw(c, path, text, 0)
	if err != nil {
		return nil, err
	}
	return in.withHeader()
}

// openLike is openText of a file whose columns, the label's too, are what other data say.
func (e *env) openLike(c *cli.Context, path string, text io.Reader) (*input, error) {
	o, err := dataOptions(c)
	if err != nil {
		return nil, err
	}
	o.Class, o.CSV.Nominal, o.Weights = "", nil, datafile.Weights{Column: e.weighted, Optional: true}
	in, err := e.openWith(c, o, path, text, 0)
	if err != nil {
		return nil, err
	}
	return in.withHeader()
}

// withHeader returns the file with its header read.
func (in *input) withHeader() (*input, error) {
	if err := in.readHeader(); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *input) readHeader() (err error) {
	if in.header, err = in.Header(); err != nil {
		err = in.Check(err)
	}
	if err == nil && in.groups.column != "" {
		return in.grouped(in.class)
	}
	return in.at(err)
}

// counted counts what is read.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (r *counted) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n.Add(int64(n))
	return n, err
}

// seeks reports whether r can seek, as a pipe cannot.
func seeks(r io.Reader) bool {
	s, ok := r.(io.Seeker)
	if ok {
		_, err := s.Seek(0, io.SeekCurrent)
		ok = err == nil
	}
	return ok
}

// openRaw opens a data file and leaves its header to be read. text is the file's, nil:
// it is to be opened. rows is their number, 0: not known.
func (e *env) openRaw(c *cli.Context, path string, text io.Reader, rows int) (*input, error) {
	o, err := e.optionsOf(c)
	if err != nil {
		return nil, err
	}
	return e.openAs(c, o, path, text, rows)
}

// optionsOf returns dataOptions, and where the weights of rows stand.
func (e *env) optionsOf(c *cli.Context) (o datafile.Options, err error) {
	if o, err = dataOptions(c); err == nil {
		o.Groups = c.String(groupColumn)
		o.Weights, err = e.weightsOf(c)
	}
	return o, err
}

// openAs is openRaw with what the options say of the data.
func (e *env) openAs(c *cli.Context, o datafile.Options, path string, text io.Reader, rows int) (*input, error) {
	if err := e.notBothFromStdin(place{"the data", path}, weightPlace(c)); err != nil {
		return nil, err
	}
	in, err := e.openWith(c, o, path, text, rows)
	if err == nil && len(o.CSV.Nominal) > 0 && in.Texts() == nil {
		err = usagef("--%s is for columns of CSV, but %s is %s", nominal, in.path, in.Codec.Name)
		in.close()
	}
	if err == nil {
		if err = in.takesWeights(o); err != nil {
			in.close()
		}
	}
	return in, err
}

// openWith is openAs without a look at whether the options go together with the format.
func (e *env) openWith(c *cli.Context, o datafile.Options, path string, text io.Reader, rows int) (*input, error) {
	if err := e.notOutput(path); err != nil {
		return nil, err
	}
	o.CSV.Names, o.CSV.LikelyComma = e.names, e.comma
	if text == nil && path == "-" {
		text = e.stdin
	}
	var piped *counted
	if text != nil && !seeks(text) { // what can seek is read again in better ways
		piped = &counted{Reader: text}
		text = piped
	}
	var f *datafile.File
	var err error
	if text == nil {
		f, err = datafile.Open(c.Context, path, nil, o)
	} else {
		f, err = datafile.OpenStream(c.Context, path, text, o)
	}
	if err != nil {
		return nil, explained(err)
	}
	in := &input{File: f, path: f.Name, from: path, unheeded: unheeded(c, f.Codec), class: o.Class, ctx: c.Context, command: c.Command}
	in.weights.stay, in.weights.listed = slices.Contains(keepsWeights, c.Command.Name), o.Weights.List != nil
	in.groups.column, in.dropped.names = o.Groups, droppedBy(c)
	if piped != nil {
		in.end = e.watch(c.Bool("quiet"), "reading "+in.path, progress.Bytes, 0, piped.n.Load)
	} else {
		in.end = e.watch(c.Bool("quiet"), "reading "+in.path, progress.Rows, int64(rows), in.seen.Load)
	}
	return in, nil
}

// explained gives an error of finding a format its kind or a hint.
func explained(err error) error {
	switch {
	case errors.Is(err, datafile.ErrNoFormat):
		return usageError{err}
	case errors.Is(err, datafile.ErrUnrecognised):
		return hinted{err, fmt.Sprintf("name it with --from: %s", datafile.Names())}
	}
	return err
}
