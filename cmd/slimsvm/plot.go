package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/chart"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

func plotCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "plot",
		Usage:     "draw a classifier or a regression of two features",
		ArgsUsage: "MODEL DATA OUT",
		Description: "Draws MODEL and the rows of DATA in the plane of two features:\n\n" +
			"  slimsvm plot moons.model moons.libsvm moons.svg\n\n" +
			"OUT is PNG or SVG, by its name; SVG if the name does not tell. Of a classifier,\n" +
			"regions show the predictions, dots the rows, and stars the model's vectors. An\n" +
			"ensemble's machines are drawn as lines instead. With two classes, circles mark\n" +
			"the rows that are inside the margin or on the wrong side. A regression of two\n" +
			"features is a map with contour lines; of one feature it is a curve. If there are\n" +
			"more features, --features chooses, and the others are set to their means.",
		Flags: append(dataFlags(labelOfModel), &cli.StringFlag{Name: "features", Usage: "draw features `A,B`: the numbers, from 1, of the horizontal and the vertical one, or their names if the model has ARFF or CSV columns; for the curve of a regression, one feature A", DefaultText: "the only ones"}, &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no summary or warnings"}),
		Action: func(c *cli.Context) error {
			args, err := words(c, 3, 3, "a model file, a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notBothFromStdin(place{"the model", args[0]}, place{"the data", args[1]}); err != nil {
				return err
			}
			if text := c.String("features"); strings.Count(text, ",") > 1 {
				return usagef("--features %q: expected two features with a comma between them, or one", text)
			}
			if _, err := pictureOf("OUT", args[2]); err != nil {
				return err
			}
			if err := e.apart(place{"OUT", args[2]}, place{"MODEL", args[0]}, place{"DATA", args[1]}, place{"the file of names", namesOfInput(args[1])}); err != nil {
				return err
			}
			return e.plot(c, args[0], args[1], args[2])
		},
	}
}

func (e *env) plot(c *cli.Context, model, data, out string) error {
	p, encoding, err := e.loadModel(model)
	if err != nil {
		return err
	}
	model = inputName(model)
	classifies := p.Model().Task.Classifies()
	if _, ok := p.Model().Kernel.(kernel.Precomputed); ok {
		return format.WithPath(errors.New("a precomputed kernel has kernel values in place of features, which span no plane"), model)
	}
	chosen, err := chosenFeatures(c.String("features"), encoding, chart.MinFeatures(p.Model()))
	if err != nil {
		return err
	}
	w := &warner{env: e, quiet: c.Bool("quiet")}
	rows, err := e.rowsOf(c, data, encoding, w)
	if err != nil {
		return err
	}
	data = inputName(data)
	if classifies {
		rows, _ = w.known(rows, nil, p.Model().Labels, data)
	}
	d, err := chart.NewDrawing(p, encoding, rows, chosen)
	if many := (*chart.TooManyFeaturesError)(nil); errors.As(err, &many) {
		hint := "choose two with --features A,B"
		if chart.MinFeatures(p.Model()) == 1 {
			hint = "choose one or two with --features A or A,B"
		}
		if called := calledFeatures(encoding); called != "" {
			hint += "; " + called
		}
		err = hinted{many, hint}
	}
	if err != nil {
		return format.WithPath(err, data)
	}
	kind, _ := pictureOf("OUT", out)
	text, err := d.Draw(c.Context, kind)
	if err := c.Context.Err(); err != nil {
		return err
	}
	if err != nil {
		return format.WithPath(err, model)
	}
	if err := e.writeOutput(c, out, text); err != nil {
		return err
	}
	if c.Bool("quiet") {
		return nil
	}
	said := fmt.Sprintf("%s: %s, ", out, phrase.Count(rows.Len(), "row"))
	switch {
	case p.Model().Vote == models.Ensemble:
		said += phrase.Count(machineCount(p.Model()), "machine")
	case d.HasMargin():
		said += fmt.Sprintf("%s, %s at or inside the margin", phrase.Count(p.Model().Vectors.Len(), "vector"), phrase.Count(d.Margin(), "row"))
	default:
		said += phrase.Count(p.Model().Vectors.Len(), "vector")
	}
	e.say("%s", said)
	return nil
}

// chosenFeatures returns the numbers of the features of --features A,B, or A if one is enough; nil
// if the text is empty. A and B are numbers, or names of features of the encoding, which may be
// nil.
func chosenFeatures(text string, encoding *encode.Encoding, least int) ([]int32, error) {
	if text == "" {
		return nil, nil
	}
	named := strings.Split(text, ",")
	if len(named) < least {
		return nil, usagef("--features %q: expected two features with a comma between them", text)
	}
	var chosen []int32
	for _, s := range named {
		s = strings.TrimSpace(s)
		if f, ok := featureNamed(s, encoding); ok {
			chosen = append(chosen, f)
			continue
		}
		f, err := strconv.ParseInt(s, 10, 32)
		if err != nil || f < 0 {
			if encoding != nil {
				return nil, hinted{usagef("--features %q: %q is not the name or number of a feature", text, s), calledFeatures(encoding)}
			}
			return nil, usagef("--features %q: %q is not the number of a feature", text, s)
		}
		chosen = append(chosen, int32(f))
	}
	if len(chosen) > 1 && chosen[0] == chosen[1] {
		return nil, usagef("--features %q: expected two different features", text)
	}
	return chosen, nil
}

// mostNames is how many names of features a hint has.
const mostNames = 8

// calledFeatures tells what features are called, "" where they are numbered.
func calledFeatures(encoding *encode.Encoding) string {
	if encoding == nil {
		return ""
	}
	var list []string
	names := encoding.Names()
	if class := int(encoding.ClassColumn().First); class <= len(names) { // it has a number among them
		names = slices.Delete(slices.Clone(names), class-1, class)
	}
	for _, name := range names[:min(len(names), mostNames)] {
		list = append(list, strconv.Quote(name))
	}
	if more := len(names) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return "the features are " + strings.Join(list, ", ")
}

// featureNamed returns the number of the feature with a name, if there is one.
func featureNamed(name string, encoding *encode.Encoding) (int32, bool) {
	if encoding == nil {
		return 0, false
	}
	i := slices.Index(encoding.Names(), name)
	return int32(i + 1), i >= 0
}
