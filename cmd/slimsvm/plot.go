package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
)

func plotCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "plot",
		Usage:     "draw a classifier in the plane of two features",
		ArgsUsage: "MODEL DATA OUT",
		Description: "Draws the classifier MODEL and the rows of DATA in the plane of two features:\n\n" +
			"  slimsvm plot moons.model moons.libsvm moons.svg\n\n" +
			"OUT is PNG or SVG, by its name; SVG if the name does not tell. Regions show\n" +
			"MODEL's predictions, dots the rows, and stars the model's vectors. An ensemble's\n" +
			"machines are drawn as lines instead. With two classes, circles mark the rows that\n" +
			"are inside the margin or on the wrong side. If there are more than two features,\n" +
			"--features chooses two, and the others are set to their means.",
		Flags: append(dataFlags(labelOfModel), &cli.StringFlag{Name: "features", Usage: "draw features `A,B`: the numbers, from 1, of the horizontal and the vertical one", DefaultText: "the only two"}, &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no summary or warnings"}),
		Action: func(c *cli.Context) error {
			args, err := words(c, 3, 3, "a model file, a data file and the file to write")
			if err != nil {
				return err
			}
			if err := e.notTwice(place{"the model", args[0]}, place{"the data", args[1]}); err != nil {
				return err
			}
			if _, err := chosenFeatures(c.String("features")); err != nil {
				return err
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
	if !p.Model().Task.Classifies() {
		return format.WithPath(errors.New("only classifiers are drawn"), model)
	}
	if _, ok := p.Model().Kernel.(kernel.Precomputed); ok {
		return format.WithPath(errors.New("a precomputed kernel has kernel values in place of features, which span no plane"), model)
	}
	w := &warner{env: e, quiet: c.Bool("quiet")}
	rows, err := e.rowsOf(c, data, encoding, w)
	if err != nil {
		return err
	}
	data = inputName(data)
	rows, _ = w.known(rows, nil, p.Model().Labels, data)
	chosen, err := chosenFeatures(c.String("features"))
	if err != nil {
		return err
	}
	d, err := newDrawing(p, rows, chosen)
	if err != nil {
		return format.WithPath(err, data)
	}
	draw := d.svg
	if kind, _ := pictureOf("OUT", out); kind == pictureOfDots {
		draw = d.png
	}
	text := draw(c.Context)
	if err := c.Context.Err(); err != nil {
		return err
	}
	if err := e.writeOutput(c, out, text); err != nil {
		return err
	}
	if c.Bool("quiet") {
		return nil
	}
	said := fmt.Sprintf("%s: %s, ", out, count(rows.Len(), "row"))
	switch {
	case p.Model().Vote == models.Ensemble:
		said += count(machineCount(p.Model()), "machine")
	case d.hasMargin():
		said += fmt.Sprintf("%s, %s at or inside the margin", count(p.Model().Vectors.Len(), "vector"), count(d.margin, "row"))
	default:
		said += count(p.Model().Vectors.Len(), "vector")
	}
	e.say("%s", said)
	return nil
}

// A drawing is a picture of a classifier of two features.
type drawing struct {
	p          *predict.Predictor
	rows       *format.Dataset
	features   [2]int32
	low, scale [2]float64         // pixels from them: (v - low) scale
	others     vec.Vector         // the other features, at their means
	plane      *predict.Predictor // answers as p does, for points with third as their third feature; nil: p itself does
	third      float64
	margin     int // rows at or inside the margin
	b          bytes.Buffer
}

const (
	drawingSide = 500 // pixels
	drawingStep = 2   // pixels of a cell of a region
)

// regionColours and dotColours are of the classes, in turn.
var (
	regionColours = []string{"#dbe9f9", "#fbe3d0", "#dff2df", "#f0e0f5", "#f7f3cc", "#e3e3e3"}
	dotColours    = []string{"#1f5fa8", "#c2540a", "#2b7a2b", "#7d3c98", "#8a7a00", "#555555"}
)

// newDrawing checks that there are two features, or two chosen, and finds their ranges.
func newDrawing(p *predict.Predictor, rows *format.Dataset, chosen []int32) (*drawing, error) {
	if rows.Len() == 0 {
		return nil, train.ErrNoData
	}
	d := &drawing{p: p, rows: rows}
	used := chosen
	if chosen == nil {
		var err error
		if used, err = d.used(); err != nil {
			return nil, err
		}
	} else {
		d.setOthers(chosen)
	}
	for k, f := range used {
		d.features[k] = f
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

// used returns the only two features.
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
					return nil, hinted{fmt.Errorf("there are more than two features: %d, %d, %d", used[0], used[1], used[2]), "choose two with --features A,B"}
				}
			}
		}
	}
	if len(used) != 2 {
		return nil, fmt.Errorf("%s: a picture needs two", count(len(used), "feature"))
	}
	slices.Sort(used)
	return used, nil
}

// at returns the vector drawn at a pixel.
func (d *drawing) at(x, y float64) vec.Vector { return d.with(d.values(x, y)) }

// values returns those of the two features at a pixel.
func (d *drawing) values(x, y float64) (a, b float64) {
	return d.low[0] + x/d.scale[0], d.low[1] + (drawingSide-y)/d.scale[1]
}

// place returns the pixel where a vector is drawn.
func (d *drawing) place(v vec.Vector) (x, y float64) {
	return (v.At(d.features[0]) - d.low[0]) * d.scale[0], drawingSide - float64((v.At(d.features[1])-d.low[1])*d.scale[1])
}

// svg returns the picture, or if ctx ends a part of it.
func (d *drawing) svg(ctx context.Context) []byte {
	fmt.Fprintf(&d.b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n", drawingSide, drawingSide)
	d.regions(ctx)
	d.lines()
	d.dots()
	d.circles(ctx)
	d.stars()
	d.b.WriteString("</svg>\n")
	return d.b.Bytes()
}

// regions draws runs of cells with the same answer, a path for each class.
func (d *drawing) regions(ctx context.Context) {
	labels := d.p.Model().Labels
	paths := make([]bytes.Buffer, len(labels))
	for y := 0; y < drawingSide; y += drawingStep {
		places := d.answers(ctx, y)
		if ctx.Err() != nil {
			return
		}
		from, was := 0, -1
		for x := 0; x <= drawingSide; x += drawingStep {
			class := -1
			if x < drawingSide {
				class = places[x/drawingStep]
			}
			if class == was {
				continue
			}
			if was >= 0 {
				fmt.Fprintf(&paths[was], "M%d %dH%dv%dH%dz", from, y, x, drawingStep, from)
			}
			from, was = x, class
		}
	}
	for k := range paths {
		fmt.Fprintf(&d.b, "<path fill=\"%s\" d=\"%s\"/>\n", regionColours[k%len(regionColours)], paths[k].Bytes())
	}
}

// dots draws the rows, a path for each class.
func (d *drawing) dots() {
	for k, label := range d.p.Model().Labels {
		fmt.Fprintf(&d.b, "<path stroke=\"%s\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"", dotColours[k%len(dotColours)])
		for i, v := range d.rows.Y {
			if int(v) == label {
				x, y := d.place(d.rows.X.Row(i))
				fmt.Fprintf(&d.b, "M%.1f %.1fh0", x, y)
			}
		}
		d.b.WriteString("\"/>\n")
	}
}

// onMargin is how far beyond the margin a row may be that counts as on it.
const onMargin = 1e-6

// circles draws the rows of two classes that are not beyond the margin.
func (d *drawing) circles(ctx context.Context) {
	if !d.hasMargin() {
		return
	}
	d.b.WriteString("<g fill=\"none\" stroke=\"black\">\n")
	for _, i := range d.inMargin(ctx) {
		x, y := d.place(d.rows.X.Row(i))
		fmt.Fprintf(&d.b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\"/>\n", x, y)
	}
	d.b.WriteString("</g>\n")
}

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

// farthest is how many pixels from the picture something may be that is drawn: it is not seen
// anyway, and beyond some place there are no numbers.
const farthest = 1e6

// vectors returns where the model's vectors are drawn.
func (d *drawing) vectors() (places [][2]float64) {
	zs := &d.p.Model().Vectors
	for i := range zs.Len() {
		if x, y := d.place(zs.Row(i)); math.Abs(x) <= farthest && math.Abs(y) <= farthest {
			places = append(places, [2]float64{x, y})
		}
	}
	return places
}

// stars draws the model's vectors.
func (d *drawing) stars() {
	if d.p.Model().Vote == models.Ensemble {
		return
	}
	d.b.WriteString("<path stroke=\"black\" stroke-width=\"1.5\" d=\"")
	for _, at := range d.vectors() {
		x, y := at[0], at[1]
		const long, half, high = 8.0, 4.0, 6.9 // three lines through the middle, at 60 degrees
		fmt.Fprintf(&d.b, "M%.1f %.1fh%gM%.1f %.1fl%g %gM%.1f %.1fl%g %g", x-long, y, 2*long, x-half, y-high, 2*half, 2*high, x+half, y-high, -2*half, 2*high)
	}
	d.b.WriteString("\"/>\n")
}
