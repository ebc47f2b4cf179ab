package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/format"
)

// A dumped table is a data file's meaning as JSON:
//
//	{"relation": text,
//	 "attributes": [{"name": text, "type": "numeric|nominal|string|date|relational",
//	    "values": [...] (nominal), "format": text (date), "attributes": [...] (relational), "weight": w (if not 1)}],
//	 "rows": [{"sparse": true (if so), "weight": w, "values": [...]}]}
//
// null is a missing value; numbers are numbers, or "Infinity" and "-Infinity";
// labels and strings are text; dates are {"ms": milliseconds}; relational values
// are lists of rows. Sparse rows are written out.
type dumpedAttribute struct {
	Name       string            `json:"name"`
	Type       string            `json:"type"`
	Values     []string          `json:"values,omitempty"`
	Format     string            `json:"format,omitempty"`
	Attributes []dumpedAttribute `json:"attributes,omitempty"`
	Weight     float64           `json:"weight,omitempty"`
}

type dumpedRow struct {
	Sparse bool    `json:"sparse,omitempty"`
	Weight float64 `json:"weight"`
	Values []any   `json:"values"`
}

func dumpAttributes(attributes []format.Attribute) []dumpedAttribute {
	var d []dumpedAttribute
	for _, a := range attributes {
		n := dumpedAttribute{Name: a.Name, Type: typeName(a.Type), Values: a.Labels, Format: a.Pattern, Attributes: dumpAttributes(a.Attributes)}
		if a.Weight != 1 {
			n.Weight = a.Weight
		}
		d = append(d, n)
	}
	return d
}

func dumpRow(attributes []format.Attribute, row *format.Instance) dumpedRow {
	d := dumpedRow{Sparse: row.Sparse, Weight: row.Weight, Values: make([]any, len(attributes))}
	for i, a := range attributes {
		d.Values[i] = dumpValue(a, row.X.At(int32(i)), row)
	}
	return d
}

func dumpValue(a format.Attribute, v float64, row *format.Instance) any {
	if math.IsNaN(v) {
		return nil
	}
	switch a.Type {
	case format.Nominal:
		return a.Labels[int(v)]
	case format.String:
		return row.Strings[int(v)]
	case format.Date:
		return map[string]float64{"ms": v}
	case format.Relational:
		rows := []dumpedRow{}
		for i := range row.Tables[int(v)] {
			rows = append(rows, dumpRow(a.Attributes, &row.Tables[int(v)][i]))
		}
		return rows
	}
	if math.IsInf(v, 1) {
		return "Infinity"
	}
	if math.IsInf(v, -1) {
		return "-Infinity"
	}
	return v
}

// dump prints columns and rows, a row a line.
func (e *env) dump(in *input) error {
	w := bufio.NewWriter(e.stdout)
	head, err := json.Marshal(in.header.Relation)
	if err != nil {
		return err
	}
	attributes, err := json.Marshal(dumpAttributes(in.header.Attributes))
	if err != nil {
		return err
	}
	w.WriteString(`{"relation": ` + string(head) + ",\n \"attributes\": " + string(attributes) + ",\n \"rows\": [")
	for n := 0; ; n++ {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return in.at(err)
		}
		var text []byte
		if in.declared() {
			text, err = json.Marshal(dumpRow(in.header.Attributes, &row))
		} else {
			text, err = json.Marshal(map[string]any{"label": row.Y, "index": row.X.Index, "value": row.X.Value})
		}
		if err != nil {
			return in.at(err)
		}
		if n > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n   ")
		w.Write(text)
	}
	w.WriteString("]}\n")
	return w.Flush()
}
