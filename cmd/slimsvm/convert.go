package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/format"
)

func convertCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "convert a data file to another format",
		ArgsUsage: "IN OUT",
		Description: "Converts IN to the format that OUT's name tells:\n\n" +
			"  slimsvm convert iris.arff iris.csv\n\n" +
			"IN's format is detected by its name and content. If OUT ends in .gz or .zst, it is\n" +
			"compressed. In LIBSVM and SVMlight files, each column is the feature of its\n" +
			"position, counted from 1, and a nominal value is the position of its label,\n" +
			"counted from 0 (see --labels).\n\n" +
			"LIBSVM and SVMlight files have no names for columns and labels: these go into\n" +
			"OUT.names, and converting back restores them. Without such a file, columns are\n" +
			"called att_1, att_2 and so on, and IN is read twice.",
		Flags: append(append(slices.Concat(columnFlags(), weightFlags()),
			&cli.StringFlag{Name: weightsTo, Usage: "write the weights of rows into a new `COLUMN` of this name, before the last column"},
			dropFlag(""),
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` of OUT: " + strings.Join(outFormatNames(), ", "), DefaultText: "by its name"},
			labelsFlag(),
			&cli.StringFlag{Name: "names", Usage: "`FILE` with the names of columns and labels for a LIBSVM or SVMlight file: read for IN, or written for OUT", DefaultText: "its name with .names"},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothToStdout(c, args[1], "OUT"); err != nil {
				return err
			}
			return e.convert(c, args[0], args[1])
		},
	}
}

// target returns the format and the layout of a file to be written.
func target(c *cli.Context, path string) (format.Codec, layout, error) {
	name, how := c.String("to"), asItIs
	if l, ok := strings.CutPrefix(name, arff.Codec.Name+"-"); ok && (l == string(dense) || l == string(sparse)) {
		name, how = arff.Codec.Name, layout(l)
	}
	codec, err := datafile.Find(name, path, nil)
	if errors.Is(err, datafile.ErrUnrecognised) {
		return codec, how, usagef("%s: the name does not tell a format: give it with --to", path)
	}
	return codec, how, explained(err)
}

// errLabelling is wrong usage of --labels.
var errLabelling = usagef("--labels says which numbers labels become: it goes with declared columns that are written as LIBSVM or SVMlight")

// errNamesStream is wrong usage of --names for data that are read.
var errNamesStream = usagef("--names reads a file, not standard input")

func (e *env) convert(c *cli.Context, from, to string) error {
	labels, err := labellingOf(c)
	if err != nil {
		return err
	}
	codec, how, err := target(c, to)
	if err != nil {
		return err
	}
	wants := datafile.Declares(codec)
	if isSet(c, "labels") && wants {
		return errLabelling
	}
	if isSet(c, weightsTo) && !wants {
		return errWeightsTo
	}
	if wants && c.String("names") == "-" {
		return errNamesStream
	}
	out := place{"OUT", to}
	if err := e.apart(out, append(replaced(out, place{"IN", from}), weightPlace(c))...); err != nil {
		return err
	}
	t, in, err := e.openRereadable(c, from)
	if err != nil {
		return err
	}
	defer t.close()
	v := &conversion{rereader: t, labels: labels, w: &warner{env: e, quiet: c.Bool("quiet")}, to: to, codec: codec, layout: how, only: true}
	v.w.warnInput(in)
	if err := v.w.warnComments(c, in, from, to); err != nil {
		return err
	}
	if isSet(c, "names") && in.declared() == wants {
		return usagef("--names goes with one file that declares its columns and one that does not")
	}
	if isSet(c, "labels") && !in.declared() {
		return errLabelling
	}
	if wants && len(droppedBy(c)) == 0 {
		if err := v.w.passClass(c, in, "columns are written as they are"); err != nil {
			return err
		}
	}
	if err := e.convertsApart(c, in, from, to, wants); err != nil {
		return err
	}
	did, err := v.convert(in)
	if err != nil || !c.Bool("json") {
		return err
	}
	return jsonline.Print(e.stdout, did)
}

// A conversion writes the rows of an open data file, or some of them, in a format.
type conversion struct {
	*rereader
	labels labelling
	w      *warner
	to     string
	codec  format.Codec
	layout layout
	keep   []bool // which rows are written; nil: all
	only   bool   // nothing else reads the file
}

// convert writes the file, and gives it its name.
func (v *conversion) convert(in *input) (*written, error) {
	p, err := v.write(in)
	if err != nil {
		return nil, err
	}
	defer p.out.Abort()
	var g group
	defer g.abort()
	if err := p.join(v.c, &g); err != nil {
		return nil, err
	}
	return &p.did, g.close()
}

// A piece is a file that is written but has not its name yet.
type piece struct {
	out  *format.Output
	data *dataOutput // out with what it can't say; nil: it says all
	did  written
}

// join adds the file to those that take their names with it, and its names.
func (p *piece) join(c *cli.Context, g *group) (err error) {
	if p.data != nil {
		p.did.Names, err = p.data.join(c, g)
		return err
	}
	g.outs = append(g.outs, p.out)
	return nil
}

// write writes the rows of in. The piece that it returns is to be finished or aborted.
func (v *conversion) write(in *input) (p *piece, err error) {
	src, kept, err := v.converted(in)
	if err != nil {
		return nil, err
	}
	out, err := v.create(v.c.Context, v.to)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			out.Abort()
		}
	}()
	dst := v.codec.NewWriter(out)
	copyDigits(in, dst, v.w, -1)
	if name := v.c.String(weightsTo); isSet(v.c, weightsTo) {
		with, err := newWithWeights(src, name)
		if err != nil {
			return nil, err
		}
		with.shiftDigits(dst)
		src = with
	}
	rows, err := format.Copy(rowWriter{dst, in}, &laidOut{Reader: src, layout: v.layout})
	if err != nil {
		return nil, in.at(err)
	}
	if f, ok := src.(*flat); ok && v.only && in.Texts() != nil {
		v.w.warnOwnNumbers(f, v.labels)
	}
	p = &piece{out: out, did: written{Rows: rows, From: in.Codec.Name, To: v.codec.Name, Out: v.to}}
	if !datafile.Declares(v.codec) {
		p.data = &dataOutput{Output: out, warner: v.w, path: v.to, file: chosenNames(v.c, namesOfOutput(v.to)), kept: kept}
		if kept == nil {
			if p.data.kept, err = v.w.carried(v.path); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// converted returns the rows of in as the format wants them, and what it can't say of
// their columns, which is whole when all rows are read.
func (v *conversion) converted(in *input) (format.Reader, *names, error) {
	class, columns := v.c.String("class"), droppedBy(v.c)
	if err := in.dropsDeclared(v.c.StringSlice(drop)); err != nil {
		return nil, nil, err
	}
	if in.weights.stay {
		columns = nil
	}
	if len(columns) > 0 {
		if err := in.without(class, columns); err != nil {
			return nil, nil, err
		}
		class = "" // it is the header's own
	}
	wants := datafile.Declares(v.codec)
	switch {
	case in.declared() && !wants:
		v.once, in.keep = v.only, v.keep
		f, err := flatten(in, class, v.labels)
		if err != nil {
			return nil, nil, err
		}
		v.w.warnLabels(f, v.labels, isSet(v.c, "labels"))
		return f, f.names, nil
	case !in.declared() && wants:
		r, err := v.declareColumns(in)
		if err != nil {
			return nil, nil, err
		}
		r.keep = v.keep
		return r, nil, nil
	default:
		v.once, in.keep = v.only, v.keep
		return in, nil, nil
	}
}

// convertsApart returns wrong usage if a file of names is the data that are read or
// written.
func (e *env) convertsApart(c *cli.Context, in *input, from, to string, wants bool) error {
	out := place{"OUT", to}
	if !in.declared() {
		if err := e.apart(out, place{"the file of names", chosenNames(c, namesOfInput(from))}); err != nil {
			return err
		}
	}
	if wants {
		return nil
	}
	names := place{"the file of names", chosenNames(c, namesOfOutput(to))}
	if err := e.distinct(out, names); err != nil {
		return err
	}
	apart := e.apart
	if _, err := os.Stat(namesOfInput(from)); err != nil && !in.declared() {
		apart = e.unlike // there are no names to be written
	}
	return apart(names, place{"IN", from}, weightPlace(c))
}

// written is what --json says of a file that was written.
type written struct {
	Rows     int    `json:"rows"`
	From     string `json:"from"` // format
	To       string `json:"to"`
	Out      string `json:"out"`
	Names    string `json:"names,omitempty"`   // file of columns and labels
	Weights  string `json:"weights,omitempty"` // file of the weights of rows
	Features int    `json:"features,omitempty"`
}
