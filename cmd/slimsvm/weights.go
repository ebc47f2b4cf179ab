package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
)

// The weights of rows stand at their ends in ARFF, or where these options say.
const (
	weightColumn = "weight-column"
	weightFile   = "weight-file"
	weightsTo    = "weights-to"
)

// weightColumnFlag is the option of commands that write the column as it stands or only look at it.
func weightColumnFlag(effect string) cli.Flag {
	return &cli.StringFlag{Name: weightColumn, Usage: "`COLUMN` of CSV or ARFF with the weights of rows" + effect + ": its name, first, last, or a number from 1"}
}

// weightFileFlag is the option of a file of weights, of which effect says more.
func weightFileFlag(effect string) cli.Flag {
	return &cli.StringFlag{Name: weightFile, Usage: "`FILE` with the weights of all rows, one per line, for data in any format" + effect}
}

// weightFlags say where the weights of rows stand, for commands that heed them.
func weightFlags() []cli.Flag {
	return []cli.Flag{
		weightColumnFlag(", which is not a feature and, if it is last, not the label"),
		weightFileFlag(""),
	}
}

// weightsOf returns where the options say that the weights of rows stand.
func (e *env) weightsOf(c *cli.Context) (w datafile.Weights, err error) {
	w.Column = c.String(weightColumn)
	path := c.String(weightFile)
	switch {
	case path == "" && w.Column == "":
		return w, nil
	case path != "" && w.Column != "":
		return w, usagef("--%s and --%s do not go together", weightColumn, weightFile)
	case c.String("as") == wekaLibSVM:
		return w, usagef("--as %s trains without the weights of rows, as Weka's class does", wekaLibSVM)
	case path == "":
		return w, nil
	case path == "-":
		return w, usagef("--%s reads a file, not standard input", weightFile)
	}
	if e.weights == nil { // all readings of the data have the same
		f, err := e.openInput(path)
		if err != nil {
			return w, err
		}
		defer f.Close()
		if e.weights, err = datafile.ReadWeights(c.Context, f, inputName(path)); err != nil {
			return w, err
		}
	}
	w.List = e.weights
	return w, nil
}

// weightPlace is the file of weights, which no other is.
func weightPlace(c *cli.Context) place { return place{"--" + weightFile, c.String(weightFile)} }

// droppedBy returns the columns that the options leave out: those of --drop, and those of the rows' weights and groups.
func droppedBy(c *cli.Context) []string {
	columns := slices.Clone(c.StringSlice(drop))
	for _, option := range []string{weightColumn, groupColumn} {
		if column := c.String(option); column != "" {
			columns = append(columns, column)
		}
	}
	return columns
}

// takesWeights returns wrong usage if the data have no columns, of which one is to have the weights.
func (in *input) takesWeights(o datafile.Options) error {
	if o.Weights.Column != "" && !datafile.Declares(in.Codec) {
		return usagef("--%s is for CSV and ARFF, but %s is %s; --%s is for all formats", weightColumn, in.path, in.Codec.Name, weightFile)
	}
	return nil
}

// keepsWeights are the commands that write rows with all their columns.
var keepsWeights = []string{"scale", "split"}

// withWeights shows rows with their weights in a column of their own, in front of the last.
type withWeights struct {
	format.Reader
	header *format.Header
	x      vec.Vector
}

// errWeightsTo is wrong usage of --weights-to.
var errWeightsTo = usagef("--%s names a column, but LIBSVM and SVMlight files have none", weightsTo)

// newWithWeights returns rows with a column of weights that has a name.
func newWithWeights(r format.Reader, name string) (*withWeights, error) {
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	if namesIn(h.Attributes)[name] {
		return nil, usagef("--%s %q: there is a column of that name", weightsTo, name)
	}
	w := &withWeights{Reader: r, header: new(format.Header)}
	*w.header = *h
	at := max(0, len(h.Attributes)-1)
	if w.header.Attributes = slices.Insert(slices.Clone(h.Attributes), at, format.Attribute{Name: name}); h.Class >= at {
		w.header.Class++
	}
	return w, nil
}

// at returns the place of the column.
func (w *withWeights) at() int { return max(0, len(w.header.Attributes)-2) }

// Header returns all columns.
func (w *withWeights) Header() (*format.Header, error) { return w.header, nil }

// Read returns the next row.
func (w *withWeights) Read() (format.Instance, error) {
	row, err := w.Reader.Read()
	if err != nil {
		return row, err
	}
	at, put := int32(w.at()), false
	w.x.Index, w.x.Value = w.x.Index[:0], w.x.Value[:0]
	weight := func() {
		if !put {
			w.x.Index, w.x.Value, put = append(w.x.Index, at), append(w.x.Value, row.Weight), true
		}
	}
	for k, i := range row.X.Index {
		if i >= at {
			weight()
			i++
		}
		w.x.Index, w.x.Value = append(w.x.Index, i), append(w.x.Value, row.X.Value[k])
	}
	weight()
	row.X, row.Weight = w.x, 1
	return row, nil
}

// shiftDigits makes a table that has the column of weights ask for the digits of the others' cells.
func (w *withWeights) shiftDigits(out format.Writer) {
	table, _ := out.(*csvfmt.Writer)
	if table == nil || table.Text == nil {
		return
	}
	at, text := w.at(), table.Text
	table.Text = func(column int) []byte {
		switch {
		case column < at:
			return text(column)
		case column == at:
			return nil
		}
		return text(column - 1)
	}
}

// sum returns the sum of weights.
func sum(weights []float64) (sum float64) {
	for _, weight := range weights {
		sum += weight
	}
	return sum
}

// little is what weights add up to that were divided by their sum.
const little = 1 + 1e-6

// warnSmallWeights tells of weights of rows that add up to no more than one row like others does, as weights do that were
// divided by their sum: costs are meant for rows of weight 1, and so is the deviation of columns, by Weka's n-1.
func (w *warner) warnSmallWeights(p *problem, rows int, sum float64) {
	if rows < 2 || sum > little {
		return
	}
	var so []string
	if p.method.Has("cost") && p.preset != wekaLibSVM { // with which they cost what others do
		so = append(so, "errors on all of them cost no more than on one of weight 1")
	}
	if p.encode.Scaling == encode.Standardize {
		so = append(so, "columns are not standardized by their deviation")
	}
	if so != nil {
		w.warn("%s: the weights of %s add up to %.6g, so that %s; weights of a mean of 1 are like those of rows without",
			p.in.path, phrase.Count(rows, "row"), sum, strings.Join(so, ", and "))
	}
}
