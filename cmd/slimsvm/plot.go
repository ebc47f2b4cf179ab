package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
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
			if err := e.notTwice(place{"the model", args[0]}, place{"the data", args[1]}); err != nil {
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
	chosen, err := chosenFeatures(c.String("features"), encoding, fewestDrawn(p.Model()))
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
	d, err := newDrawing(p, encoding, rows, chosen)
	if err != nil {
		return format.WithPath(err, data)
	}
	kind, _ := pictureOf("OUT", out)
	text, err := d.draw(c.Context, kind)
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
	case d.hasMargin():
		said += fmt.Sprintf("%s, %s at or inside the margin", phrase.Count(p.Model().Vectors.Len(), "vector"), phrase.Count(d.margin, "row"))
	default:
		said += phrase.Count(p.Model().Vectors.Len(), "vector")
	}
	e.say("%s", said)
	return nil
}

// fewestDrawn returns the smallest number of features of a picture.
func fewestDrawn(m *models.Model) int {
	if m.Task.Classifies() {
		return 2
	}
	return 1
}

// A drawing is a picture of a model by two features, or of a regression by one. Places are in units from the left and from the top of its frame.
type drawing struct {
	p          *predict.Predictor
	rows       *format.Dataset
	features   []int32            // one or two
	low, scale [2]float64         // units of the picture from them: (v - low) scale
	others     vec.Vector         // the other features, at their means
	plane      *predict.Predictor // answers as p does, for points with third as their third feature; nil: p itself does
	third      float64
	margin     int              // rows at or inside the margin
	encoding   *encode.Encoding // nil: features have numbers only
	picture.Frame
}

// newDrawing checks that there are not too many features unless some are chosen, and finds their ranges.
func newDrawing(p *predict.Predictor, encoding *encode.Encoding, rows *format.Dataset, chosen []int32) (*drawing, error) {
	if rows.Len() == 0 {
		return nil, train.ErrNoData
	}
	d := &drawing{p: p, rows: rows, encoding: encoding}
	used := chosen
	if chosen == nil {
		var err error
		if used, err = d.used(); err != nil {
			return nil, err
		}
	} else {
		d.setOthers(chosen)
	}
	d.features = used
	for k, f := range used {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range rows.Len() {
			v := rows.X.Row(i).At(f)
			low, high = min(low, v), max(high, v)
		}
		width := high - low
		d.low[k], d.scale[k] = low-width/40, drawingSide/(width*1.05)
		if end := d.low[k] + drawingSide/d.scale[k]; !(width > 0) || math.IsInf(d.scale[k], 0) || math.IsInf(d.low[k], 0) || math.IsInf(end, 0) {
			return nil, fmt.Errorf("feature %d has no range that can be drawn: %v to %v", f, low, high)
		}
	}
	d.setPlane()
	return d, nil
}

// used returns all features, if they can be drawn.
func (d *drawing) used() ([]int32, error) {
	p, rows := d.p, d.rows
	var used []int32
	for _, m := range []*vec.Matrix{&rows.X, &p.Model().Vectors} {
		for i := range m.Len() {
			for _, f := range m.Row(i).Index {
				if !slices.Contains(used, f) {
					used = append(used, f)
				}
				if len(used) > 2 { // at once, since a row may have very many
					hint := "choose two with --features A,B"
					if fewestDrawn(p.Model()) == 1 {
						hint = "choose one or two with --features A or A,B"
					}
					return nil, hinted{fmt.Errorf("there are more than two features: %d, %d, %d", used[0], used[1], used[2]), hint}
				}
			}
		}
	}
	if least := fewestDrawn(p.Model()); len(used) < least {
		return nil, fmt.Errorf("%s: a picture needs %s", phrase.Count(len(used), "feature"), [...]string{1: "one", 2: "two"}[least])
	}
	slices.Sort(used)
	return used, nil
}

// at returns the vector drawn at a place.
func (d *drawing) at(x, y float64) vec.Vector { return d.with(d.values(x, y)) }

// values returns the values of the features at a place; of one feature, the second has no meaning.
func (d *drawing) values(x, y float64) (a, b float64) {
	a = d.low[0] + x/d.scale[0]
	if len(d.features) > 1 {
		b = d.low[1] + (drawingSide-y)/d.scale[1]
	}
	return a, b
}

// place returns the place where a vector is drawn in the plane of two features.
func (d *drawing) place(v vec.Vector) (x, y float64) {
	return (v.At(d.features[0]) - d.low[0]) * d.scale[0], drawingSide - float64((v.At(d.features[1])-d.low[1])*d.scale[1])
}

// onMargin is how far beyond the margin a row may be that counts as on it.
const onMargin = 1e-6

// hasMargin reports whether there is one machine of two classes.
func (d *drawing) hasMargin() bool {
	m := d.p.Model()
	return len(m.Labels) == 2 && len(m.Machines) == 1 && m.Vote != models.Ensemble
}

// inMargin returns the rows of two classes that are not beyond the margin, and counts
// them.
func (d *drawing) inMargin(ctx context.Context) (rows []int) {
	m := d.p.Model()
	if !d.hasMargin() {
		return nil
	}
	value := make([]float64, 1)
	if err := train.Decide(ctx, d.p, &d.rows.X, upTo(d.rows.Len()), func(b *predict.Batch, at, i int) {
		b.Decisions(value, at)
		if int(d.rows.Y[i]) != m.Labels[0] {
			value[0] = -value[0]
		}
		if value[0] <= 1+onMargin {
			rows = append(rows, i)
		}
	}); err != nil {
		return nil
	}
	d.margin = len(rows)
	return rows
}
