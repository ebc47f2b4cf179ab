package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/train"
)

// encodeFlags say how declared columns become features.
func encodeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "as", Usage: "use the defaults of a Weka classifier: weka-smo (SMO, or SMOreg where labels are numbers) or weka-libsvm (LibSVM)"},
		&cli.StringFlag{Name: "scale", Usage: "scale features: normalize (to [0,1]), standardize (to mean 0 and deviation 1) or none; a model keeps the ranges", DefaultText: "none"},
		dropFlag("data to predict may lack it; "),
		&cli.BoolFlag{Name: "scale-first", Usage: "scale numeric columns, including a numeric label, before nominal columns become features"},
	}
}

// drop is the option of columns that are left out.
const drop = "drop"

func dropFlag(effect string) cli.Flag {
	return flags.NewTexts(cli.StringSliceFlag{Name: drop, Usage: "`COLUMN` to leave out, such as an id: its name, first, last, or a number from 1; " + effect + "can be repeated"})
}

func encodeCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "encode",
		Usage:     "write ARFF or CSV columns as features in LIBSVM's format",
		ArgsUsage: "IN OUT",
		Description: "Turns the columns of ARFF or CSV into features as train does, and writes them in\n" +
			"LIBSVM's format:\n\n" +
			"  slimsvm encode --scale normalize train.arff train.libsvm\n" +
			"  slimsvm encode --like iris.model test.arff test.libsvm\n\n" +
			"Missing values are replaced, and a nominal column becomes one feature per label,\n" +
			"as in Weka's filters. Labels are numbered from 0. Rows without a label are left\n" +
			"out; with --like they stay, with the label -1, or 0 where labels are numbers.\n\n" +
			"OUT.names gets the names of features, columns and labels. From it slimsvm convert\n" +
			"restores the columns, unless they were scaled.",
		Flags: append(append(append(columnFlags(), encodeFlags()...),
			&cli.StringFlag{Name: "like", Usage: "encode the data as `MODEL` does, instead of learning how from the data"},
		), slices.Concat(weightFlags(), talkFlags())...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothToStdout(c, args[1], "OUT"); err != nil {
				return err
			}
			if err := e.notBothFromStdin(place{"the model", c.String("like")}, place{"the data", args[0]}); err != nil {
				return err
			}
			return e.encode(c, args[0], args[1])
		},
	}
}

func (e *env) encode(c *cli.Context, from, to string) error {
	read := []place{{"IN", from}, {"--like", c.String("like")}, {"the file of names of IN", namesOfInput(from)}, weightPlace(c)}
	for _, w := range []place{{"OUT", to}, {"the file of names", namesOfOutput(to)}} {
		if err := e.apart(w, read...); err != nil {
			return err
		}
	}
	if err := encodesAlike(c); err != nil {
		return err
	}
	if err := encodesTo(to); err != nil {
		return err
	}
	like, err := e.encodingOf(c.String("like"))
	if err != nil {
		return err
	}
	e.wants(like)
	in, err := e.open(c, from)
	if err != nil {
		return err
	}
	defer in.close()
	if class, err := encode.FindClass(in.header, c.String("class")); err == nil && c.String("like") == "" {
		keepDigits(in, nil, &warner{env: e, quiet: c.Bool("quiet")}, class)
	}
	src, encoding, err := e.encoded(c, in, like)
	if err != nil {
		return err
	}
	out, err := e.create(c.Context, to)
	if err != nil {
		return err
	}
	defer out.Abort()
	rows, err := format.Copy(rowWriter{libsvmfmt.NewWriter(out), in}, src)
	if err != nil {
		return in.at(err)
	}
	w := &warner{env: e, quiet: c.Bool("quiet")}
	did := written{Rows: rows, From: in.Codec.Name, To: libsvmfmt.Codec.Name, Out: to, Features: encoding.Features()}
	o := &dataOutput{Output: out, warner: w, path: to, file: namesOfOutput(to), kept: namesOfEncoding(encoding)}
	if did.Names, err = o.finish(c); err != nil {
		return err
	}
	src.warnLost(w, in.path)
	if like == nil && encoding.Nominal() {
		k := encoding.ClassColumn()
		w.warnPlaces(in.path, &format.Attribute{Name: k.Name, Type: k.Type, Labels: k.Labels}, "slimsvm train on the data themselves keeps labels as they are")
	}
	if !c.Bool("json") {
		return nil
	}
	return jsonline.Print(e.stdout, did)
}

// encodesAlike returns wrong usage if options contradict --like.
func encodesAlike(c *cli.Context) error {
	if !isSet(c, "like") {
		return nil
	}
	names := []string{nominal}
	for _, f := range encodeFlags() {
		names = append(names, f.Names()[0])
	}
	for _, name := range names {
		if isSet(c, name) {
			return usagef("--%s does not go with --like, which encodes as the model does", name)
		}
	}
	return nil
}

// encodesTo returns wrong usage if the name of the file to write says another format than
// it will have, by which the file would be misread.
func encodesTo(path string) error {
	if codec, err := datafile.Find("", path, nil); err == nil && datafile.Declares(codec) {
		return hinted{usagef("%s: features are written in LIBSVM's format, and not as %s, as the name says", path, codec.Name),
			"name it otherwise, such as .libsvm; slimsvm convert writes columns as " + codec.Name}
	}
	return nil
}

// An encoder gives rows as features.
type encoder interface {
	format.Reader
	warnLost(w *warner, path string) // of what the rows that were read have, and the format has not
}

const weightsLost = "%s: the weights of rows are left out, since the format has none; slimsvm train on the data themselves uses them"

// encodingOf returns the encoding of a model, nil where path is empty.
func (e *env) encodingOf(path string) (*encode.Encoding, error) {
	if path == "" {
		return nil, nil
	}
	_, encoding, err := e.loadModel(path)
	if err == nil && encoding == nil {
		err = format.WithPath(fmt.Errorf("the model does not say how declared columns become features"), inputName(path))
	}
	return encoding, err
}

// encoded returns the rows of in as features, by the encoding of a model or, if that is nil,
// by one learned from them.
func (e *env) encoded(c *cli.Context, in *input, encoding *encode.Encoding) (encoder, *encode.Encoding, error) {
	if encoding != nil {
		r, err := e.rowsFor(in, c.String("class"), encoding, &warner{env: e, quiet: c.Bool("quiet")})
		if err != nil {
			return nil, nil, err
		}
		rows := &encodedRows{rows: r}
		if encoding.Nominal() {
			rows.none = datafile.UnknownLabel
		}
		return rows, encoding, nil
	}
	o, err := encodeOptions(c)
	if err != nil {
		return nil, nil, err
	}
	if err := in.dropsDeclared(c.StringSlice(drop)); err != nil {
		return nil, nil, err
	}
	w := &warner{env: e, quiet: c.Bool("quiet")}
	w.warnInput(in)
	w.warnScaling(c, o)
	in.places = in.newPlaces()
	rows, err := format.ReadAll(c.Context, in)
	if err != nil {
		return nil, nil, in.at(err)
	}
	places := in.places
	if c.String("as") == wekaSMO {
		var weighted []int
		if rows, weighted, err = train.DropZeroWeights(rows); err != nil {
			return nil, nil, places.fault(in.path, err)
		}
		places = places.selected(weighted)
	}
	o.DecimalComma = in.DecimalComma()
	if class, err := encode.FindClass(in.header, o.Class); err == nil { // Fit tells of another
		o.ScaleLabel = scalesLabel(c, &in.header.Attributes[class])
	}
	encoding, err = fitEncoding(c.Context, c.String("as"), rows, o)
	if err != nil {
		return nil, nil, places.fault(in.path, in.columnFault(err))
	}
	data, err := encoding.Encode(c.Context, rows)
	if err != nil {
		return nil, nil, in.at(err)
	}
	if data.Len() == 0 && rows.Len() > 0 {
		return nil, nil, in.at(datafile.ErrUnlabelled)
	}
	w.warnWithout(in.path, rows.Len()-data.Len())
	if c.String("as") == wekaLibSVM { // nothing that was said about the rows is lost
		data.Weight = nil
	}
	return &memory{d: data}, encoding, nil
}

// encodedRows is a format.Reader of the rows for a model. One without a label that
// the model knows stays, so that predictions are of the same rows as the data; its
// label says nothing.
type encodedRows struct {
	*rows
	none       float64 // the label that says nothing
	unlabelled int     // rows that have it
	read       int     // rows
	weighted   bool    // a row has a weight
}

// Header returns an empty header.
func (r *encodedRows) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Read returns the next row.
func (r *encodedRows) Read() (format.Instance, error) {
	x, y, _, err := r.next()
	if err != nil {
		return format.Instance{}, err
	}
	r.read++
	r.weighted = r.weighted || r.raw.Weight != 1
	if math.IsNaN(y) {
		y = r.none
		r.unlabelled++
	}
	return format.Instance{X: x, Y: y, Weight: 1}, nil
}

func (r *encodedRows) warnLost(w *warner, path string) {
	if r.weighted {
		w.warn(weightsLost, path)
	}
	if r.unlabelled > 0 {
		w.warn("%s: %v stands for the labels of %d of %s, which are missing or none of the model's; a score will count them as wrong",
			path, r.none, r.unlabelled, phrase.Count(r.read, "row"))
	}
}

// memory is a format.Reader of a data set in memory.
type memory struct {
	d *format.Dataset
	n int
}

// Header returns an empty header.
func (m *memory) Header() (*format.Header, error) { return &format.Header{Class: -1}, nil }

// Read returns the next row.
func (m *memory) Read() (format.Instance, error) {
	if m.n == m.d.Len() {
		return format.Instance{}, io.EOF
	}
	m.n++
	return format.Instance{X: m.d.X.Row(m.n - 1), Y: m.d.Y[m.n-1], Weight: 1}, nil
}

func (m *memory) warnLost(w *warner, path string) {
	if m.d.Weight != nil {
		w.warn(weightsLost, path)
	}
}
