package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/partition"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/train"
)

func splitCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "split",
		Usage:     "divide the rows of a data file into two files",
		ArgsUsage: "DATA FIRST [REST]",
		Description: "Divides DATA at random into FIRST and REST, to train on and to test with:\n\n" +
			"  slimsvm split --size 75% iris.arff train.arff test.arff\n\n" +
			"Each label has the same share of both files. Without REST, the other rows are\n" +
			"left out. Rows keep their order and contents, and both files declare the same\n" +
			"columns as DATA. Their format is DATA's unless their names tell another.\n\n" +
			"With --folds, REST gets the rows that cv with the same seed holds out in fold\n" +
			"--fold. Add --random if cv's method is for regression or one-class, whose folds\n" +
			"ignore labels.\n\n" +
			"With --group-column or --group-file, no group has rows in both files. With\n" +
			"--weight-file, the weights go to FIRST.weights and REST.weights.",
		Flags: append(append(slices.Concat(columnFlags(), groupFlags("All rows of a group go to the same file, so SIZE is met only approximately", "The column is not the label, even if it is last")), weightColumnFlag(", which is not the label, even if it is last"),
			weightFileFlag("; they are written to FIRST.weights and REST.weights"),
			&cli.StringFlag{Name: "size", Value: "0.75", Usage: "`SIZE` of FIRST: a number of rows (500) or a share of them (0.75 or 75%)"},
			&cli.BoolFlag{Name: "random", Usage: "choose rows without regard to labels; with --folds, as cv does for regression and one-class methods"},
			&cli.BoolFlag{Name: "in-order", Usage: "put the first rows of DATA into FIRST, instead of a random choice"},
			flags.Int{IntFlag: &cli.IntFlag{Name: "folds", Usage: "number of folds: put one fold of a cross-validation into REST", DefaultText: "no folds"}},
			flags.Int{IntFlag: &cli.IntFlag{Name: "fold", Value: 1, Usage: "which fold goes into REST, counted from 1"}},
			flags.NewSeed(mostRandSeed, "seed of the random choice"),
			labelsFlag(),
			&cli.StringFlag{Name: "to", Usage: "`FORMAT` of FIRST and REST: " + strings.Join(outFormatNames(), ", "), DefaultText: "by their names"},
		), talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 3, "a data file and one or two files to write")
			n := c.Args().Get(1)
			numbered := n != "" && strings.Trim(n, "0123456789") == ""
			if err != nil && c.NArg() == 4 && numbered {
				return hinted{err, "subset.py's NUMBER is --size " + n + " here"}
			}
			if err != nil {
				return err
			}
			if numbered && !isSet(c, "size") && !isSet(c, "folds") {
				(&warner{env: e, quiet: c.Bool("quiet")}).warn("FIRST is a file that is called %s: --size %s says how many rows it gets", n, n)
			}
			first, rest := place{"FIRST", args[1]}, place{what: "REST"}
			if len(args) == 3 {
				rest.path = args[2]
			}
			for _, p := range []place{first, rest} {
				if err := e.notBothToStdout(c, p.path, p.what); err != nil {
					return err
				}
			}
			d, err := divisionOf(c)
			if err != nil {
				return err
			}
			if err := e.splitsApart(c, args[0], first, rest); err != nil {
				return err
			}
			return e.split(c, d, args[0], first, rest)
		},
	}
}

// splitsApart returns wrong usage if a file that a split writes, of rows, of names or of weights, is
// another of these or one that it reads.
func (e *env) splitsApart(c *cli.Context, data string, parts ...place) error {
	read := []place{{"DATA", data}, {"the file of names of DATA", namesOfInput(data)}, weightPlace(c), groupPlace(c)}
	var written []place
	for _, p := range parts {
		if p.path == "" {
			continue
		}
		written = append(written, p, place{"the file of names of " + p.what, namesOfOutput(p.path)})
		if c.String(weightFile) == "" {
			continue
		}
		if isStream(p.path) {
			return usagef("--%s: weights go beside %s, which is a stream", weightFile, p.what)
		}
		weights := place{"the file of weights of " + p.what, weightsOfOutput(p.path)}
		if err := e.apart(weights); err != nil {
			return err
		}
		written = append(written, weights)
	}
	if err := e.distinct(written...); err != nil {
		return err
	}
	for _, w := range written {
		if err := e.unlike(w, read...); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if err := e.apart(p); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) split(c *cli.Context, d *partition.Plan, data string, first, rest place) error {
	labelling, err := labellingOf(c)
	if err != nil {
		return err
	}
	t, in, err := e.openRereadable(c, data)
	if err != nil {
		return err
	}
	defer t.close()
	w := &warner{env: e, quiet: c.Bool("quiet")}
	w.warnInput(in)
	parts := []*conversion{{rereader: t, labels: labelling, w: w, to: first.path}}
	if rest.path != "" {
		parts = append(parts, &conversion{rereader: t, labels: labelling, w: w, to: rest.path})
	}
	numbered := false
	for _, p := range parts {
		if err := p.targetLike(in); err != nil {
			return err
		}
		numbered = numbered || in.declared() && !datafile.Declares(p.codec)
		w.warnPunctuation(in, p)
	}
	if isSet(c, "labels") && !numbered {
		return errLabelling
	}
	in.keepGroups()
	labels, err := labelsFor(d, in, c.String("class"))
	if err != nil {
		return err
	}
	groups, err := e.rowGroups(c, in, len(labels))
	if err != nil {
		return err
	}
	if groups != nil {
		d.Groups, d.MissingGroups = groups.of, groups.lacking
	}
	keep, err := d.First(labels)
	if r := (*train.RowError)(nil); errors.As(err, &r) {
		err = hinted{fmt.Errorf("row %d: %w", r.Row+1, r.Err), "--random makes folds as they are made of targets"}
	}
	if err != nil {
		return in.at(err)
	}
	w.warnMissingClasses(in, c.String("class"), labels, keep, first.path)
	parts[0].keep = keep
	if len(parts) > 1 {
		parts[1].keep = others(keep)
	}
	did, err := writeParts(parts)
	if err != nil {
		return err
	}
	return (&divided{Rows: len(labels), First: did[0], Rest: did[len(did)-1], Seed: c.Uint64("seed")}).print(e, c, len(did))
}

// warnPunctuation tells that a part is CSV with another separator or decimal mark than the data, which
// are CSV as well.
func (w *warner) warnPunctuation(in *input, part *conversion) {
	table, ok := part.codec.NewWriter(io.Discard).(*csvfmt.Writer)
	texts := in.Texts()
	if !ok || texts == nil {
		return
	}
	has, comma := cmp.Or(table.Separator, ','), in.DecimalComma()
	had, _ := texts.Found()
	if has == had && !comma {
		return
	}
	mark := "points"
	if comma {
		mark = "commas"
	}
	w.warn("%s has %s between cells and points in fractions, %s has %s and %s", part.to, separators(has), in.path, separators(had), mark)
}

// separators returns what cells are separated by, in words.
func separators(c byte) string {
	names := map[byte]string{',': "commas", ';': "semicolons", '\t': "tabs", ' ': "blanks", '|': "vertical bars"}
	return cmp.Or(names[c], strconv.Quote(string(rune(c))))
}

// targetLike finds the format of the file to be written: that of in unless there is
// another.
func (v *conversion) targetLike(in *input) error {
	v.codec = in.Codec
	if _, err := datafile.Find("", v.to, nil); err != nil && v.c.String("to") == "" {
		return nil // the name tells none
	}
	var err error
	v.codec, v.layout, err = target(v.c, v.to)
	return err
}

// writeParts writes files of which each is read anew, and gives them their names when
// all are complete.
func writeParts(parts []*conversion) ([]*written, error) {
	var pieces []*piece
	for i, v := range parts {
		in, err := v.reopen()
		if err != nil {
			return nil, err
		}
		if i > 0 && datafile.Declares(v.codec) == datafile.Declares(parts[0].codec) {
			v.w = &warner{env: v.w.env, quiet: true} // it was said of the first
		}
		p, err := v.write(in)
		if err != nil {
			return nil, err
		}
		defer p.out.Abort()
		pieces = append(pieces, p)
	}
	var g group
	defer g.abort()
	var did []*written
	for i, p := range pieces {
		v := parts[i]
		if err := p.join(v.c, &g); err != nil {
			return nil, err
		}
		if v.env.weights != nil {
			if err := v.writeWeights(&g, &p.did); err != nil {
				return nil, err
			}
		}
		did = append(did, &p.did)
	}
	return did, g.close()
}

// weightsOfOutput returns the path for the weights of the rows of a file that is written.
func weightsOfOutput(data string) string { return data + ".weights" }

// writeWeights writes the weights of the rows that are written, one a line, and adds the file to
// those that take their names together.
func (v *conversion) writeWeights(g *group, did *written) error {
	did.Weights = weightsOfOutput(v.to)
	out, err := v.create(v.c.Context, did.Weights)
	if err != nil {
		return err
	}
	g.outs = append(g.outs, out)
	var line []byte
	for i, weight := range v.env.weights.Weights {
		if v.keep[i] {
			line = append(textscan.AppendPlain(line[:0], weight), '\n')
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// divided is what --json says of a split.
type divided struct {
	Rows  int      `json:"rows"`
	Seed  uint64   `json:"seed"`
	First *written `json:"first"`
	Rest  *written `json:"rest,omitempty"`
}

// print tells what was done to the files, one or two.
func (d *divided) print(e *env, c *cli.Context, files int) error {
	if files < 2 {
		d.Rest = nil
	}
	if c.Bool("json") {
		return jsonline.Print(e.stdout, d)
	}
	if !c.Bool("quiet") {
		for _, w := range []*written{d.First, d.Rest} {
			if w != nil {
				e.say("%s: %d of %s", w.Out, w.Rows, phrase.Count(d.Rows, "row"))
			}
		}
	}
	return nil
}

// labelsFor reads a file to its end, and returns the label of each row: a nominal one's place, NaN
// where there is none, and in folds of rows of weight 0, which cv leaves out. Where labels have no
// part in the division there need be none: then they are 0.
func labelsFor(d *partition.Plan, in *input, className string) ([]float64, error) {
	class, err := -1, error(nil)
	if in.declared() {
		if class, err = encode.FindClass(in.header, className); err != nil && (d.UsesLabels() || className != "") {
			return nil, in.at(err)
		}
	}
	var labels []float64
	heavy, labelled := false, false // there is a row with a weight, and one of these with a label
	for {
		row, read := in.Read()
		switch {
		case read == io.EOF && d.Folds > 0 && len(labels) > 0 && !labelled:
			fault := datafile.ErrUnlabelled
			if !heavy {
				fault = train.ErrWeightless
			}
			return nil, in.at(fault)
		case read == io.EOF:
			return labels, nil
		case read != nil:
			return nil, in.at(read)
		case d.Folds > 0 && in.weights.row == 0:
			labels = append(labels, math.NaN())
		case err != nil:
			labels = append(labels, 0)
		case class >= 0:
			labels = append(labels, row.X.At(int32(class)))
		default:
			labels = append(labels, row.Y)
		}
		if in.weights.row != 0 {
			heavy, labelled = true, labelled || !math.IsNaN(labels[len(labels)-1])
		}
	}
}
