package main

import (
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// gridFileFlags are the options for what a search writes beside the model.
func gridFileFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "plot", Usage: "draw the scores of all points to `FILE`, SVG or, if it ends in .png, PNG: a map with contour lines, or for one axis a line"},
		&cli.StringFlag{Name: "out", Usage: "write a table of all points to `FILE`: values, score, its standard deviation between folds, and the error if training failed"},
		&cli.StringFlag{Name: "format", Usage: "format of the --out file: csv, tsv or arff", DefaultText: "what the file's name says"},
	}
}

// pointFormats are what --format may say of a grid.
var pointFormats = []string{csvfmt.Codec.Name, csvfmt.TSV.Name, arff.Codec.Name}

// pointsFormat returns the format of the table of points.
func pointsFormat(c *cli.Context) (codec format.Codec, err error) {
	path, name := c.String("out"), c.String("format")
	if codec, err = datafile.Find(name, path, nil); err == nil && datafile.Declares(codec) {
		return codec, nil
	}
	if isSet(c, "format") {
		return codec, checkWord(c, "format", pointFormats)
	}
	return codec, usagef("--out, %s: the name tells no format of tables (.csv, .tsv, .arff): give it with --format", path)
}

// checkGridFiles returns an error if what a search writes beside the model cannot go where the options say.
func (e *env) checkGridFiles(c *cli.Context, data, model string) error {
	plot, points := c.String("plot"), c.String("out")
	if points == "" && isSet(c, "format") {
		return usagef("--format goes with --out")
	}
	if points != "" {
		if _, err := pointsFormat(c); err != nil {
			return err
		}
	}
	if err := checkPictureName("--plot", plot); err != nil {
		return err
	}
	switch {
	case e.isStdout(plot):
		return usagef("grid prints on standard output, where the picture cannot go too")
	case e.isStdout(points):
		return usagef("grid prints on standard output, where the points cannot go too")
	}
	written := []place{{"MODEL", model}, {"--plot", plot}, {"--out", points}}
	if err := e.distinct(written...); err != nil {
		return err
	}
	for _, w := range written {
		read := []place{{"DATA", data}, {"--" + catalog.Extra, c.String(catalog.Extra)}, weightPlace(c), groupPlace(c)}
		if w.path == "" {
			continue
		}
		if w.what != "MODEL" {
			read = append(read, place{"the file of names", namesOfInput(data)})
		}
		if err := e.apart(w, read...); err != nil {
			return err
		}
	}
	return nil
}

// bothErrors returns an error that tells of two, each of which may be nil.
func bothErrors(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return fmt.Errorf("%w; %w", a, b)
}

// writePoints writes the table of all points, if --out wants one.
func (e *env) writePoints(c *cli.Context, s *search) error {
	path := c.String("out")
	if path == "" {
		return nil
	}
	codec, err := pointsFormat(c)
	if err != nil {
		return err
	}
	out, err := e.create(c.Context, path)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := s.table(codec.NewWriter(out)); err != nil {
		return err
	}
	return out.Close()
}

// table writes a row for each point, whose score is missing if there is none, and whose error if there is one.
func (s *search) table(w format.Writer) error {
	h := format.Header{Relation: "grid"}
	for _, a := range s.axes {
		h.Attributes = append(h.Attributes, format.Attribute{Name: a.name})
	}
	score := len(h.Attributes)
	h.Attributes = append(h.Attributes, format.Attribute{Name: s.Key}, format.Attribute{Name: "deviation"}, format.Attribute{Name: "error", Type: format.String})
	h.Class = score
	if err := w.WriteHeader(&h); err != nil {
		return err
	}
	row := format.Instance{Weight: 1, Strings: make([]string, 1)}
	for i := range h.Attributes {
		row.X.Index, row.X.Value = append(row.X.Index, int32(i)), append(row.X.Value, 0)
	}
	v := row.X.Value
	for k, p := range s.points {
		copy(v, p)
		v[score], v[score+1], v[score+2] = math.NaN(), math.NaN(), math.NaN()
		if err := s.tried[k].err; err != nil {
			v[score+2], row.Strings[0] = 0, err.Error()
		} else {
			v[score], v[score+1] = s.tried[k].score, float64(*s.told(k).Deviation)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	return w.Flush()
}
