package facts

import (
	"bufio"
	"io"
	"math"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
)

type dumpedAttribute struct {
	Name       string            `json:"name"`
	Type       string            `json:"type"`
	Values     []string          `json:"values,omitzero"`
	Format     string            `json:"format,omitempty"`
	Attributes []dumpedAttribute `json:"attributes,omitempty"`
	Weight     *jsonline.Number  `json:"weight,omitempty"`
}

type dumpedRow struct {
	Sparse bool             `json:"sparse,omitempty"`
	Weight *jsonline.Number `json:"weight,omitempty"`
	Values []any            `json:"values"`
}

func dumpAttributes(attributes []format.Attribute) []dumpedAttribute {
	d := []dumpedAttribute{}
	for _, a := range attributes {
		n := dumpedAttribute{Name: a.Name, Type: phrase.Type(a.Type), Format: a.Pattern, Attributes: dumpAttributes(a.Attributes)}
		if a.Type == format.Nominal {
			n.Values = append([]string{}, a.Labels...)
		}
		if a.Weight != 0 && a.Weight != 1 {
			n.Weight = (*jsonline.Number)(&a.Weight)
		}
		d = append(d, n)
	}
	return d
}

func (d dates) row(attributes []format.Attribute, row *format.Instance) dumpedRow {
	dumped := dumpedRow{Sparse: row.Sparse, Values: make([]any, len(attributes))}
	if row.Weight != 1 {
		weight := jsonline.Number(row.Weight)
		dumped.Weight = &weight
	}
	for i, a := range attributes {
		dumped.Values[i] = d.value(a, row.X.At(int32(i)), row)
	}
	return dumped
}

func (d dates) value(a format.Attribute, v float64, row *format.Instance) any {
	if math.IsNaN(v) {
		return nil
	}
	switch a.Type {
	case format.Nominal:
		return a.Labels[int(v)]
	case format.String:
		return row.Strings[int(v)]
	case format.Date:
		return dumpedDate{jsonline.Number(v), d.text(a.Pattern, v)}
	case format.Relational:
		rows := []dumpedRow{}
		for i := range row.Tables[int(v)] {
			rows = append(rows, d.row(a.Attributes, &row.Tables[int(v)][i]))
		}
		return rows
	}
	return jsonline.Number(v)
}

type dumpedDate struct {
	MS   jsonline.Number `json:"ms"`
	Text string          `json:"text,omitempty"`
}

// Dump writes the meaning of a data file, of its header and the rows that read returns up to io.EOF, as JSON:
//
//	{"relation": text,
//	 "attributes": [{"name": text, "type": "numeric|nominal|string|date|relational",
//	    "values": [...] (nominal), "format": text (date), "attributes": [...] (relational), "weight": w (if not 1)}],
//	 "rows": [{"sparse": true (if so), "weight": w (if not 1), "values": [...]}]}
//
// null is a missing value; numbers are numbers, or "Infinity" and "-Infinity";
// labels and strings are text; dates are {"ms": milliseconds, "text": as the
// attribute's pattern has it}; relational values are lists of rows. Sparse rows
// are written out. Where no columns are declared, a row is {"label": y, "index":
// [...], "value": [...]}.
func Dump(to io.Writer, h *format.Header, read func() (format.Instance, error)) error {
	w := bufio.NewWriter(to)
	head, err := jsonline.Marshal(h.Relation)
	if err != nil {
		return err
	}
	attributes, err := jsonline.Marshal(dumpAttributes(h.Attributes))
	if err != nil {
		return err
	}
	w.WriteString(`{"relation": ` + string(head) + ",\n \"attributes\": " + string(attributes) + ",\n \"rows\": [")
	texts := dates{}
	for n := 0; ; n++ {
		row, err := read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var text []byte
		if len(h.Attributes) > 0 {
			text, err = jsonline.Marshal(texts.row(h.Attributes, &row))
		} else {
			text, err = jsonline.Marshal(map[string]any{"label": jsonline.Number(row.Y), "index": row.X.Index, "value": jsonline.Numbers(row.X.Value)})
		}
		if err != nil {
			return err
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
