package main

import (
	"errors"
	"strings"

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
			"nominal values their label's place, counted from 0 (see --labels). What LIBSVM and SVMlight\n" +
			"files cannot say of columns and labels goes into a file OUT.names, from which the\n" +
			"way back restores it. Without one columns are called att_1, att_2 and so on, and\n" +
			"the file is read twice.",
		Flags: append(append(columnFlags(),
			dropFlag(""),
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` of OUT, instead of telling by its name; arff-sparse and arff-dense choose how rows are written"},
			&cli.StringFlag{Name: "labels", Value: string(byIndex), Usage: "numbers for nominal labels in LIBSVM and SVMlight files: index (0, 1, ...), number (what the text is), sign (1 and -1)"},
			&cli.StringFlag{Name: "names", Usage: "`FILE` of columns and labels of a LIBSVM or SVMlight file", DefaultText: "its name with .names"},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a data file and the file to write")
			if err != nil {
				return err
			}
			if err := notBoth(c, args[1], "OUT"); err != nil {
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

func (e *env) convert(c *cli.Context, from, to string) error {
	labels, err := labellingOf(c)
	if err != nil {
		return err
	}
	t, in, err := e.openTwice(c, from)
	if err != nil {
		return err
	}
	defer t.close()
	w := &warner{env: e, quiet: c.Bool("quiet")}
	w.warnInput(in)
	codec, how, err := target(c, to)
	if err != nil {
		return err
	}
	wants := datafile.Declares(codec)
	if c.IsSet("names") && in.declared() == wants {
		return usagef("--names goes with one file that declares its columns and one that does not")
	}
	if c.IsSet("labels") && (wants || !in.declared()) {
		return usagef("--labels says which numbers labels become: it goes with declared columns that are written as LIBSVM or SVMlight")
	}
	if err := convertsApart(c, in, from, to, wants); err != nil {
		return err
	}
	class, columns := c.String("class"), c.StringSlice(drop)
	if err := in.dropsDeclared(columns); err != nil {
		return err
	}
	if len(columns) > 0 {
		if err := in.without(class, columns); err != nil {
			return err
		}
		class = "" // it is the header's own
	}
	src := format.Reader(in)
	var kept *names
	switch {
	case in.declared() && !wants:
		f, err := flatten(in, class, labels)
		if err != nil {
			return err
		}
		t.once, src, kept = true, f, f.names
	case !in.declared() && wants:
		if src, err = t.restore(in); err != nil {
			return err
		}
	default:
		t.once = true
	}
	out, err := format.CreateOutput(c.Context, to, e.stdout)
	if err != nil {
		return err
	}
	defer out.Abort()
	dst := codec.NewWriter(out)
	copyDigits(in, dst, w, -1)
	rows, err := format.Copy(dst, &laidOut{Reader: src, layout: how})
	if err != nil {
		return in.at(err)
	}
	did := written{Rows: rows, From: in.Codec.Name, To: codec.Name, Out: to}
	if wants {
		err = out.Close()
	} else {
		o := &dataOutput{Output: out, warner: w, path: to, file: namesFile(c, to), kept: kept}
		if kept == nil {
			o.kept = o.carried(from)
		}
		did.Names, err = o.finish(c)
	}
	if err != nil || !c.Bool("json") {
		return err
	}
	return printJSON(e.stdout, did)
}

// convertsApart returns wrong usage if a file of names is the data that are read or
// written.
func convertsApart(c *cli.Context, in *input, from, to string, wants bool) error {
	out := place{"OUT", to}
	if !in.declared() {
		if err := apart(out, place{"the file of names", namesFile(c, from)}); err != nil {
			return err
		}
	}
	if wants {
		return nil
	}
	names := place{"the file of names", namesFile(c, to)}
	if err := distinct(out, names); err != nil {
		return err
	}
	return apart(names, place{"IN", from})
}

// written is what --json says of a file that was written.
type written struct {
	Rows     int    `json:"rows"`
	From     string `json:"from"` // format
	To       string `json:"to"`
	Out      string `json:"out"`
	Names    string `json:"names,omitempty"` // file of columns and labels
	Features int    `json:"features,omitempty"`
}
