package compat_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
)

// A shape says what a random table may hold.
type shape struct {
	texts    bool // strings, and labels and names that hold any character
	tables   bool // relations
	missing  bool
	infinite bool
	weights  bool // of rows
	columns  bool // of columns
	sparse   bool // rows
	zeroByte bool // the character NUL in texts
	noName   bool // a name that is empty
	// plain adds a numeric column with a plain name and no missing values, so that
	// every row of a CSV file has a cell without quotes. No text is a number with a
	// comma: a column of nothing else is an error.
	plain bool
	rows  int // at most
}

// hostile are texts that mean something else where they are not quoted.
var hostile = []string{"", "?", " ", ",", ";", "|", "%", "'", "\"", "\\", "{", "}", "{0 1}", "\n", "\r", "\r\n", "\t", "\x01", "\x1a", "\x1f7", "\x7f", "\x00",
	"@data", "@attribute", "@RELATION x", "@end", "numeric", "Date", "string", "NaN", "nan", "inf", "1.5", "1,5", "-0", "null", "NA", " a", "a ", "a b", "it's", "a\\'b", "\\n", "\\u0041", "100%",
	"größe", "日本語", "\U0001f600", "\u00a0", "\u0085", "\u2028", "\ufeff", "\uffff", "\ufffd", "e\u0301", "''", "\"\"", "\\\\", "a\\", "1,2\n3,4", "'1,\\'a\\''", "#", "qid:1", "1:2", "att1", "class"}

func (s shape) text() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var text string
		switch n := rapid.IntRange(0, 199).Draw(t, "kind"); {
		case n == 0:
			text = strings.Repeat(rapid.SampledFrom(hostile).Draw(t, "part")+"x", 50_000)
		case n < 80:
			text = rapid.SampledFrom(hostile).Draw(t, "text")
		case n < 120:
			text = rapid.StringN(0, 12, -1).Draw(t, "text")
		case n < 160:
			text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 2, 4).Draw(t, "parts"), "")
		default:
			text = rapid.StringMatching(`[a-zA-Z0-9_.-]{1,8}`).Draw(t, "text")
		}
		if !s.zeroByte {
			text = strings.ReplaceAll(text, "\x00", "0")
		}
		if s.plain && commaNumber.MatchString(text) {
			text += "x"
		}
		return text
	})
}

// commaNumber matches what may be a number with a comma.
var commaNumber = regexp.MustCompile(`^[-+]?[0-9.]*,[0-9.,]*([eE][-+]?[0-9]+)?$`)

var numbers = []float64{0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1022 - 0x1p-1074,
	0.1, 1.0 / 3, 1e15, 1e15 - 1, 1e21, 1e22, 1e23, 1<<53 + 2, 1e-7, 123456789.12345679, math.Inf(1), math.Inf(-1)}

func (s shape) number(t *rapid.T) float64 {
	var v float64
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		v = rapid.SampledFrom(numbers).Draw(t, "number")
	case 1:
		// rapid prefers few bits, whose numbers are short: spread them
		v = math.Float64frombits(rapid.Uint64().Draw(t, "bits") * 0x9e3779b97f4a7c15)
	default:
		v = float64(rapid.IntRange(-1000, 1000).Draw(t, "eighths")) / 8
	}
	if math.IsNaN(v) || math.IsInf(v, 0) && !s.infinite {
		return 7
	}
	return v
}

// moments are date patterns with the milliseconds of which they tell multiples.
var moments = []struct {
	pattern string
	unit    int64
}{{"", 1000}, {"yyyy-MM-dd", 86_400_000}, {"yyyy-MM-dd'T'HH:mm:ss.SSS", 1}, {"dd.MM.yyyy HH:mm", 60_000}, {"'%{}\"'yyyy,DDD", 86_400_000}}

// moment returns a date between the years 1600 and 2900.
func moment(t *rapid.T, pattern string) float64 {
	unit := int64(0)
	for _, m := range moments {
		if m.pattern == pattern {
			unit = m.unit
		}
	}
	return float64(unit * rapid.Int64Range(-11_000_000_000_000/unit, 29_000_000_000_000/unit).Draw(t, "moment"))
}

// header returns random columns and the place of a class that has labels.
func (s shape) header(depth int) *rapid.Generator[*format.Header] {
	return rapid.Custom(func(t *rapid.T) *format.Header {
		h := &format.Header{Relation: s.text().Draw(t, "relation"), Class: -1}
		names := rapid.SliceOfNDistinct(s.text(), 1, 6, rapid.ID).Draw(t, "names")
		types := []format.Type{format.Numeric, format.Nominal, format.Date}
		if s.texts {
			types = append(types, format.String)
		}
		if s.tables && depth > 0 {
			types = append(types, format.Relational)
		}
		for _, name := range names {
			if name == "" && !s.noName {
				name = "empty"
			}
			a := format.Attribute{Name: name, Type: rapid.SampledFrom(types).Draw(t, "type")}
			if s.columns && rapid.IntRange(0, 9).Draw(t, "weighted") == 0 {
				a.Weight = s.number(t)
			}
			switch a.Type {
			case format.Nominal:
				a.Labels = rapid.SliceOfNDistinct(s.text(), 1, 5, rapid.ID).Draw(t, "labels")
			case format.Date:
				a.Pattern = rapid.SampledFrom(moments).Draw(t, "pattern").pattern
			case format.Relational:
				a.Attributes = s.header(depth-1).Draw(t, "inner").Attributes
			}
			h.Attributes = append(h.Attributes, a)
		}
		if s.plain {
			h.Attributes = append(h.Attributes, format.Attribute{Name: "plain"})
		}
		return h
	})
}

// row returns a random row.
func (s shape) row(t *rapid.T, attributes []format.Attribute) format.Instance {
	in := format.Instance{Weight: 1, Sparse: s.sparse && rapid.Bool().Draw(t, "sparse")}
	if s.weights && rapid.IntRange(0, 4).Draw(t, "weighted") == 0 {
		in.Weight = s.number(t)
	}
	for i := range attributes {
		a := &attributes[i]
		if in.Sparse && a.Type != format.String && a.Type != format.Relational && rapid.Bool().Draw(t, "left out") {
			continue
		}
		v := math.NaN()
		if !s.missing || s.plain && i == len(attributes)-1 || rapid.IntRange(0, 7).Draw(t, "missing") > 0 {
			v = s.value(t, a, &in)
		}
		in.X.Index, in.X.Value = append(in.X.Index, int32(i)), append(in.X.Value, v)
	}
	return in
}

func (s shape) value(t *rapid.T, a *format.Attribute, in *format.Instance) float64 {
	switch a.Type {
	case format.Nominal:
		return float64(rapid.IntRange(0, len(a.Labels)-1).Draw(t, "label"))
	case format.Date:
		return moment(t, a.Pattern)
	case format.String:
		in.Strings = append(in.Strings, s.text().Draw(t, "text"))
		return float64(len(in.Strings) - 1)
	case format.Relational:
		rows := []format.Instance{}
		for range rapid.IntRange(0, 3).Draw(t, "inner rows") {
			rows = append(rows, s.row(t, a.Attributes))
		}
		in.Tables = append(in.Tables, rows)
		return float64(len(in.Tables) - 1)
	}
	return s.number(t)
}

// draw returns a random data set in memory and what it says.
func (s shape) draw(t *rapid.T) (*rowList, *table) {
	m := &rowList{header: s.header(2).Draw(t, "header")}
	w := &table{relation: m.header.Relation, columns: columnsOf(m.header.Attributes)}
	for range rapid.IntRange(1, s.rows).Draw(t, "rows") {
		in := s.row(t, m.header.Attributes)
		m.rows = append(m.rows, in)
		w.rows = append(w.rows, rowOf(m.header.Attributes, &in))
	}
	return m, w
}

// A rowList is a format.Reader of rows in memory.
type rowList struct {
	header *format.Header
	rows   []format.Instance
	next   int
}

func (m *rowList) Header() (*format.Header, error) { return m.header, nil }

func (m *rowList) Read() (format.Instance, error) {
	if m.next == len(m.rows) {
		return format.Instance{}, io.EOF
	}
	m.next++
	return m.rows[m.next-1], nil
}

// arff returns the rows as ARFF text.
func (m *rowList) arff() ([]byte, error) {
	var b bytes.Buffer
	m.next = 0
	if _, err := format.Copy(arff.NewWriter(&b), m); err != nil {
		return nil, fmt.Errorf("ARFF: %w", err)
	}
	return b.Bytes(), nil
}
