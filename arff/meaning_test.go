package arff

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// A meaning is what a file says: its attributes, and its rows with every value
// in place, as texts that are equal where the meaning is.
type meaning struct {
	relation   string
	attributes []string
	rows       []string
}

// sameMeaning returns nil when two meanings are equal.
func sameMeaning(want, got *meaning) error {
	if want.relation != got.relation {
		return fmt.Errorf("relation %q, want %q", got.relation, want.relation)
	}
	if err := sameTexts("attribute", want.attributes, got.attributes); err != nil {
		return err
	}
	return sameTexts("row", want.rows, got.rows)
}

func sameTexts(what string, want, got []string) error {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Errorf("%s %d is\n%.300s, want\n%.300s", what, i+1, got[i], want[i])
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("%d %ss, want %d", len(got), what, len(want))
	}
	return nil
}

// readMeaning reads a file to its end.
func readMeaning(r *Reader) (*meaning, error) {
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	m := &meaning{relation: h.Relation}
	for i := range h.Attributes {
		m.attributes = append(m.attributes, sayAttribute(&h.Attributes[i]))
	}
	for {
		in, err := r.Read()
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		m.rows = append(m.rows, sayRow(h.Attributes, &in))
	}
}

func sayAttribute(a *format.Attribute) string {
	s := fmt.Sprintf("%q %s", a.Name, typeName(a.Type))
	switch a.Type {
	case format.Nominal:
		s += fmt.Sprintf(" %q", a.Labels)
	case format.Date:
		s += fmt.Sprintf(" %q", a.Pattern)
	case format.Relational:
		for i := range a.Attributes {
			s += fmt.Sprintf(" (%s)", sayAttribute(&a.Attributes[i]))
		}
	}
	return s + sayWeight(a.Weight)
}

func sayWeight(w float64) string {
	if w == 0 || w == 1 {
		return ""
	}
	return " weight " + sayNumber(w)
}

func sayNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func sayRow(attributes []format.Attribute, in *format.Instance) string {
	var values []string
	for i := range attributes {
		values = append(values, sayValue(&attributes[i], in.X.At(int32(i)), in))
	}
	return joinRow(in.Sparse, in.Weight, values)
}

func joinRow(sparse bool, weight float64, values []string) string {
	s := "dense"
	if sparse {
		s = "sparse"
	}
	if weight != 1 {
		s += " weight " + sayNumber(weight)
	}
	return s + " [" + strings.Join(values, ", ") + "]"
}

func sayValue(a *format.Attribute, v float64, in *format.Instance) string {
	if math.IsNaN(v) {
		return "missing"
	}
	switch a.Type {
	case format.Nominal:
		return strconv.Quote(a.Labels[int(v)])
	case format.String:
		return strconv.Quote(in.Strings[int(v)])
	case format.Relational:
		var rows []string
		for i := range in.Tables[int(v)] {
			rows = append(rows, sayRow(a.Attributes, &in.Tables[int(v)][i]))
		}
		return "{" + strings.Join(rows, "; ") + "}"
	}
	if v == 0 && in.Sparse {
		v = 0 // a zero that is left out has no sign
	}
	return sayNumber(v)
}

// The recorded meanings.
type (
	jsonFile struct {
		Relation   string
		Attributes []jsonAttribute
		Rows       []jsonRow
	}
	jsonAttribute struct {
		Name, Type, Format string
		Values             []string
		Attributes         []jsonAttribute
		Weight             any
	}
	jsonRow struct {
		Sparse bool
		Weight any
		Values []any
	}
)

// parseMeaning reads a recorded meaning.
func parseMeaning(text []byte) (*meaning, error) {
	var f jsonFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	m := &meaning{relation: f.Relation}
	attributes, err := f.attributes(f.Attributes)
	if err != nil {
		return nil, err
	}
	for i := range attributes {
		m.attributes = append(m.attributes, sayAttribute(&attributes[i]))
	}
	for _, row := range f.Rows {
		s, err := row.say(attributes)
		if err != nil {
			return nil, err
		}
		m.rows = append(m.rows, s)
	}
	return m, nil
}

func (f *jsonFile) attributes(from []jsonAttribute) (to []format.Attribute, err error) {
	types := []string{"numeric", "nominal", "string", "date", "relational"}
	for _, a := range from {
		k := slices.Index(types, a.Type)
		if k < 0 {
			return nil, fmt.Errorf("type %q", a.Type)
		}
		w, err := jsonNumber(a.Weight)
		if err != nil {
			return nil, err
		}
		inner, err := f.attributes(a.Attributes)
		if err != nil {
			return nil, err
		}
		to = append(to, format.Attribute{Name: a.Name, Type: format.Type(k), Labels: a.Values, Pattern: a.Format, Attributes: inner, Weight: w})
	}
	return to, nil
}

// jsonNumber reads a number, which is a text where JSON has none; nil is 1.
func jsonNumber(v any) (float64, error) {
	switch v := v.(type) {
	case nil:
		return 1, nil
	case float64:
		return v, nil
	case string:
		return strconv.ParseFloat(v, 64)
	}
	return 0, fmt.Errorf("%v is no number", v)
}

func (row *jsonRow) say(attributes []format.Attribute) (string, error) {
	if len(row.Values) != len(attributes) {
		return "", fmt.Errorf("%d values of %d attributes", len(row.Values), len(attributes))
	}
	w, err := jsonNumber(row.Weight)
	if err != nil {
		return "", err
	}
	var values []string
	for i, v := range row.Values {
		s, err := row.sayValue(&attributes[i], v)
		if err != nil {
			return "", err
		}
		values = append(values, s)
	}
	return joinRow(row.Sparse, w, values), nil
}

func (row *jsonRow) sayValue(a *format.Attribute, v any) (string, error) {
	if v == nil {
		return "missing", nil
	}
	switch a.Type {
	case format.Nominal, format.String:
		return fmt.Sprintf("%q", v), nil
	case format.Relational:
		text, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		var inner []jsonRow
		if err := json.Unmarshal(text, &inner); err != nil {
			return "", err
		}
		var rows []string
		for _, in := range inner {
			s, err := in.say(a.Attributes)
			if err != nil {
				return "", err
			}
			rows = append(rows, s)
		}
		return "{" + strings.Join(rows, "; ") + "}", nil
	case format.Date:
		if date, ok := v.(map[string]any); ok {
			v = date["ms"]
		}
	}
	x, err := jsonNumber(v)
	return sayNumber(x), err
}
