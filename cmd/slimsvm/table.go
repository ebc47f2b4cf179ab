package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// A table writes the rows with their columns, the predicted label, and the extras
// as more columns.
type table struct {
	format.Writer
	from     *format.Header
	declared *declaredRows // makes rows with the columns of from; nil: they have them
	class    int           // the label's column
	a        *answers
	columns  int               // of the data
	place    map[float64]int32 // of each answer among the labels; nil: a number
	dates    bool              // answers are dates
	row      vec.Vector
	weighted bool     // there is a column of the rows' weights behind all others, for formats that have none
	weights  bool     // a column of the data has the rows' weights
	kept     []int32  // columns whose cells are written as they stand
	texts    []string // those of the row that is being written
}

// keepDigits makes the table write the digits of its rows' cells, if it is CSV and they come from
// CSV, and the cells of columns that the model does not take for numbers as they stand. w is told
// of what gets lost.
func (t *table) keepDigits(in *input, a *answers, w *warner) {
	columns, csv := keepDigits(in, t.Writer, w, -1)
	if _, ok := t.Writer.(*csvfmt.Writer); ok && in.Texts() != nil {
		unused := a.unused(in.header)
		in.Texts().KeepTexts(unused)
		in.Texts().AllowInvalidNumbers(unused)
		columns, csv = slices.Concat(columns, unused), t.Writer.(*csvfmt.Writer)
		slices.Sort(columns)
		columns = slices.Compact(columns)
	} else if in.Texts() != nil {
		in.Texts().DisallowInvalidNumbers() // the cells are written as numbers
	}
	if len(columns) == 0 || csv == nil {
		return
	}
	t.kept = columns
	a.texts = func() []string {
		texts := make([]string, len(columns))
		for i, k := range columns {
			texts[i] = string(keptText(in, k))
		}
		return texts
	}
	csv.Text = func(column int) []byte {
		if i, ok := slices.BinarySearch(t.kept, int32(column)); ok {
			return []byte(t.texts[i])
		}
		return nil
	}
}

// unused returns the numeric columns that are no numbers to the model: it does not know them, or as
// something else.
func (a *answers) unused(h *format.Header) (columns []int32) {
	if a.encoding == nil {
		return nil
	}
	used := map[string]bool{}
	for i := range a.encoding.Columns {
		if c := &a.encoding.Columns[i]; c.Type == format.Numeric {
			used[c.Name] = true
		}
	}
	for i := range h.Attributes {
		if at := &h.Attributes[i]; at.Type == format.Numeric && !used[at.Name] {
			columns = append(columns, int32(i))
		}
	}
	return columns
}

// toTheMillisecond is the pattern of predicted dates.
const toTheMillisecond = "yyyy-MM-dd'T'HH:mm:ss.SSS"

// The first and the last date that every format can write.
var (
	firstDate = float64(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	lastDate  = float64(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - 1)
)

// dateOf returns a number of milliseconds as a date, NaN if it is none.
func dateOf(ms float64) float64 {
	if ms = math.Round(ms); ms >= firstDate && ms <= lastDate {
		return ms
	}
	return math.NaN()
}

func (t *table) begin(a *answers) error {
	t.a, t.columns = a, len(t.from.Attributes)
	h := *t.from
	h.Class = t.class
	h.Attributes = slices.Clone(h.Attributes)
	names := namesIn(h.Attributes)
	predicted := format.Attribute{Name: names.free("predicted")}
	if !a.p.Model().Task.Regresses() {
		predicted.Type = format.Nominal
		predicted.Labels, t.place = a.answers()
	} else if a.encoding != nil && a.encoding.ClassColumn().Type == format.Date {
		predicted.Type, predicted.Pattern, t.dates = format.Date, toTheMillisecond, true
	}
	h.Attributes = append(h.Attributes, predicted)
	for _, e := range a.extras {
		for _, name := range a.extraNames(e) {
			h.Attributes = append(h.Attributes, format.Attribute{Name: names.free(string(e) + " " + name)})
		}
	}
	if t.weighted {
		h.Attributes = append(h.Attributes, format.Attribute{Name: names.free("weight")})
	}
	return t.WriteHeader(&h)
}

// answers returns all labels that the model may answer and the place of each.
func (a *answers) answers() ([]string, map[float64]int32) {
	place := map[float64]int32{}
	if m := a.p.Model(); m.Task == models.OneClass {
		return a.labels(), map[float64]int32{1: 0, -1: 1}
	} else if a.encoding == nil || !a.encoding.Nominal() {
		for i, label := range m.Labels {
			place[float64(label)] = int32(i)
		}
		return a.labels(), place
	}
	labels := a.encoding.ClassColumn().Labels
	for i := range labels {
		place[float64(i)] = int32(i)
	}
	return labels, place
}

// columnNames are those that columns have. There may be one for each pair of many labels.
type columnNames map[string]bool

func namesIn(columns []format.Attribute) columnNames {
	names := make(columnNames, len(columns))
	for i := range columns {
		names[columns[i].Name] = true
	}
	return names
}

// free returns a name that no column has, and is one's from now on: name, or with a number behind it.
func (names columnNames) free(name string) string {
	for n, first := 2, name; names[name]; n++ {
		name = first + " " + strconv.Itoa(n)
	}
	names[name] = true
	return name
}

func (t *table) put(row *format.Instance, x *answer) error {
	if t.declared != nil {
		declared, err := t.declared.row(row)
		if err != nil {
			return err
		}
		row = &declared
	}
	r := &t.row
	r.Index, r.Value = append(r.Index[:0], row.X.Index...), append(r.Value[:0], row.X.Value...)
	v := x.value
	if t.place != nil {
		v = float64(t.place[v])
	} else if t.a.encoding != nil {
		v = t.a.encoding.Target(v)
	}
	if t.dates {
		if v = dateOf(v); math.IsNaN(v) {
			t.a.undated++
		}
	}
	r.Index, r.Value = append(r.Index, int32(t.columns)), append(r.Value, v)
	for i, v := range x.extras {
		r.Index, r.Value = append(r.Index, int32(t.columns+1+i)), append(r.Value, v)
	}
	out := *row
	if t.weighted {
		r.Index, r.Value = append(r.Index, int32(t.columns+1+len(x.extras))), append(r.Value, row.Weight)
		out.Weight = 1
	}
	if t.weights {
		out.Weight = 1
	}
	out.X, t.texts = *r, x.texts
	return t.Write(out)
}

func (t *table) wantsRows() bool { return true }

func (t *table) flush() error { return t.Flush() }
