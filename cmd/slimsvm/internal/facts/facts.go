// Package facts says what is in data files: columns, labels and ranges, or every value.
package facts

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/tally"
	"github.com/slimsvm/slimsvm/format"
)

// Data are what there is to say of a data file. Columns are those that it
// declares; features, with the lowest and highest number, those of a file that
// declares none.
type Data struct {
	File     string           `json:"file"`
	Format   string           `json:"format"`
	Relation string           `json:"relation,omitempty"`
	Decimal  string           `json:"decimal,omitempty"` // what fractions begin with, if it is a comma
	Rows     int              `json:"rows"`
	Columns  []column         `json:"columns,omitempty"`
	Class    string           `json:"class,omitempty"`         // the label's column
	Features int              `json:"features"`                // columns beside the label's; feature numbers in use
	First    *int32           `json:"first_feature,omitempty"` // nil: none are in use
	Last     *int32           `json:"last_feature,omitempty"`
	Min      *jsonline.Number `json:"min,omitempty"` // of all features, where none are declared
	Max      *jsonline.Number `json:"max,omitempty"`
	Density  jsonline.Number  `json:"density"` // share of values that are not zero, text apart
	Missing  int              `json:"missing"`
	Weighted bool             `json:"weighted"`          // some row has a weight other than 1
	Labels   []labelled       `json:"labels,omitzero"`   // nil: they are not counted
	Targets  *span            `json:"targets,omitempty"` // of a numeric label

	nonzero int64
	used    indexSet
	label   span // of all features, where none are declared
	labels  map[float64]int
}

// A column is what there is to say of one.
type column struct {
	Name    string           `json:"name"`
	Type    string           `json:"type"`
	Min     *jsonline.Number `json:"min,omitempty"`
	Max     *jsonline.Number `json:"max,omitempty"`
	Nonzero int              `json:"nonzero"`
	Missing int              `json:"missing"`
	Labels  []labelled       `json:"labels,omitzero"` // of a nominal column, as declared; nil: it is none

	values  span
	counts  []int
	listed  int
	pattern string // of dates
}

// labelled is a label with the number of rows that have it.
type labelled struct {
	Label string `json:"label"`
	Rows  int    `json:"rows"`
}

// A span is the interval of some values.
type span struct {
	Min  jsonline.Number `json:"min"`
	Max  jsonline.Number `json:"max"`
	some bool
}

func (s *span) take(v float64) {
	if !s.some {
		s.Min, s.Max, s.some = jsonline.Number(v), jsonline.Number(v), true
	}
	s.Min, s.Max = min(s.Min, jsonline.Number(v)), max(s.Max, jsonline.Number(v))
}

// mostLabels is the number of different labels that are counted where no columns
// are declared; more are the targets of a regression.
const mostLabels = 1000

// Gather takes the rows that read returns, up to io.EOF, of a file with the header. class is the label's column; -1: none
// is declared.
func Gather(h *format.Header, class int, read func() (format.Instance, error)) (*Data, error) {
	f := &Data{Relation: h.Relation, labels: map[float64]int{}}
	if class >= 0 {
		f.Class = h.Attributes[class].Name
	}
	for _, a := range h.Attributes {
		f.Columns = append(f.Columns, column{Name: a.Name, Type: phrase.Type(a.Type), counts: make([]int, len(a.Labels))})
	}
	for {
		row, err := read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		f.Rows++
		f.Weighted = f.Weighted || row.Weight != 1
		if len(h.Attributes) > 0 {
			f.takeRow(&row)
		} else {
			f.takeFeatures(&row)
		}
	}
	f.finish(h, class)
	return f, nil
}

func (f *Data) takeRow(row *format.Instance) {
	for k, i := range row.X.Index {
		c, v := &f.Columns[i], row.X.Value[k]
		c.listed++
		switch {
		case math.IsNaN(v):
			c.Missing++
			continue
		case v != 0:
			c.Nonzero++
		}
		if len(c.counts) > 0 {
			c.counts[int(v)]++
		}
		c.values.take(v)
	}
}

func (f *Data) takeFeatures(row *format.Instance) {
	for k, i := range row.X.Index {
		f.used.add(i)
		if row.X.Value[k] != 0 {
			f.nonzero++
		}
		f.label.take(row.X.Value[k])
	}
	if len(f.labels) <= mostLabels {
		f.labels[row.Y]++
	}
	if f.Targets == nil {
		f.Targets = new(span)
	}
	f.Targets.take(row.Y)
}

// finish completes the facts when all rows are read.
func (f *Data) finish(h *format.Header, class int) {
	if len(f.Columns) == 0 {
		f.finishFeatures()
		return
	}
	f.Features = len(f.Columns) - 1
	cells := int64(0)
	for i := range f.Columns {
		c, a := &f.Columns[i], &h.Attributes[i]
		f.Missing += c.Missing
		if a.Type == format.String || a.Type == format.Relational {
			c.Nonzero = 0 // these values are no numbers
		} else {
			cells += int64(f.Rows)
		}
		f.nonzero += int64(c.Nonzero)
		c.pattern = a.Pattern
		if c.listed < f.Rows { // rows that leave it out have 0
			c.values.take(0)
			if len(c.counts) > 0 {
				c.counts[0] += f.Rows - c.listed
			}
		}
		switch a.Type {
		case format.Nominal:
			c.Labels = []labelled{}
			for k, label := range a.Labels {
				c.Labels = append(c.Labels, labelled{label, c.counts[k]})
			}
		case format.Numeric, format.Date:
			if c.values.some {
				c.Min, c.Max = &c.values.Min, &c.values.Max
			}
		}
		if i == class {
			f.Labels = c.Labels
			if a.Type == format.Numeric && c.values.some {
				f.Targets = &c.values
			}
		}
	}
	f.Density = share(f.nonzero, cells)
}

func (f *Data) finishFeatures() {
	f.Features = f.used.n
	if f.Features > 0 {
		f.First, f.Last = &f.used.low, &f.used.high
	}
	f.Density = share(f.nonzero, int64(f.Rows)*int64(f.Features))
	if f.label.some {
		f.Min, f.Max = &f.label.Min, &f.label.Max
	}
	if len(f.labels) > mostLabels {
		return
	}
	values := make([]float64, 0, len(f.labels))
	for y := range f.labels {
		values = append(values, y)
	}
	slices.Sort(values)
	f.Labels = []labelled{}
	for _, y := range values {
		f.Labels = append(f.Labels, labelled{phrase.Label(y), f.labels[y]})
	}
}

func share(part, whole int64) jsonline.Number {
	if whole == 0 {
		return 0
	}
	return jsonline.Number(float64(part) / float64(whole))
}

// An indexSet counts different feature numbers.
type indexSet struct {
	low, high int32
	n         int
	few       []bool           // by number
	far       map[int32]uint64 // of 64 numbers i from mostFew on, by i/64: bit i%64
	word      uint64           // the last one of these, and its place in far; 0: none
	at        int32
}

// mostFew bounds the numbers that are kept in a table.
const mostFew = 1 << 22

func (s *indexSet) add(i int32) {
	if i < mostFew {
		if int(i) < len(s.few) && s.few[i] {
			return
		}
		for int(i) >= len(s.few) {
			s.few = append(s.few, make([]bool, max(1024, len(s.few)))...)
		}
		s.few[i] = true
	} else {
		at, bit := i/64, uint64(1)<<(i%64)
		if s.word == 0 || s.at != at { // numbers that follow each other are looked up once
			s.word, s.at = s.far[at], at
		}
		if s.word&bit != 0 {
			return
		}
		if s.far == nil {
			s.far = map[int32]uint64{}
		}
		s.word |= bit
		s.far[at] = s.word
	}
	if s.n == 0 {
		s.low, s.high = i, i
	}
	s.n++
	s.low, s.high = min(s.low, i), max(s.high, i)
}

// Print writes the facts for people.
func (f *Data) Print(to io.Writer) error {
	w := bufio.NewWriter(to) // which keeps the first error
	relation := ""
	if f.Relation != "" {
		relation = fmt.Sprintf(", relation %q", f.Relation)
	}
	decimal := ""
	if f.Decimal != "" {
		decimal = ", decimal commas"
	}
	fmt.Fprintf(w, "%s: %s%s%s\n", phrase.Escaped(f.File), f.Format, relation, decimal)
	density := 100 * float64(f.Density)
	if len(f.Columns) == 0 {
		fmt.Fprintf(w, "%s, %s", phrase.Count(f.Rows, "row"), phrase.Count(f.Features, "feature"))
		if f.Features > 0 {
			fmt.Fprintf(w, " from %d to %d, values %g to %g", *f.First, *f.Last, float64(*f.Min), float64(*f.Max))
		}
		fmt.Fprintf(w, ", %.4g%% not zero\n", density)
	} else {
		fmt.Fprintf(w, "%s, %s, %s, %.4g%% not zero\n", phrase.Count(f.Rows, "row"), phrase.Count(len(f.Columns), "column"), phrase.Count(f.Missing, "missing value"), density)
	}
	if f.Weighted {
		fmt.Fprintln(w, "rows have weights")
	}
	f.printLabels(w)
	if len(f.Columns) == 0 {
		return w.Flush()
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "column\tname\ttype\tmissing\tvalues")
	texts := dates{}
	for i := range f.Columns {
		c := &f.Columns[i]
		values := ""
		switch {
		case c.Type == "nominal":
			values = phrase.Count(len(c.Labels), "label")
		case c.Min != nil && c.Type == "date":
			values = texts.text(c.pattern, float64(*c.Min)) + " to " + texts.text(c.pattern, float64(*c.Max))
		case c.Min != nil:
			values = fmt.Sprintf("%g to %g", float64(*c.Min), float64(*c.Max))
		}
		fmt.Fprintf(t, "%d\t%q\t%s\t%d\t%s\n", i+1, c.Name, c.Type, c.Missing, values)
	}
	t.Flush()
	return w.Flush()
}

// printLabels writes how many rows each label has.
func (f *Data) printLabels(w io.Writer) {
	name := "labels"
	if f.Class != "" {
		name = fmt.Sprintf("label %q", f.Class)
	}
	switch {
	case len(f.Labels) > 0 && len(f.Labels) <= tally.MostShown:
		fmt.Fprintf(w, "%s:", name)
		for i, l := range f.Labels {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, " %s (%s)", phrase.Word(l.Label), phrase.Count(l.Rows, "row"))
		}
		fmt.Fprintln(w)
	case f.Targets != nil && f.Class != "":
		fmt.Fprintf(w, "%s: %g to %g\n", name, float64(f.Targets.Min), float64(f.Targets.Max))
	case f.Targets != nil:
		fmt.Fprintf(w, "%s: more than %d different ones, %g to %g: targets of a regression?\n", name, tally.MostShown, float64(f.Targets.Min), float64(f.Targets.Max))
	case len(f.Labels) > 0:
		fmt.Fprintf(w, "%s: %d different ones\n", name, len(f.Labels))
	}
}
