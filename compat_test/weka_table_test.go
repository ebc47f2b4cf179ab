package compat_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// A table is what a data file says: its columns, and every cell of its rows.
type table struct {
	relation string
	columns  []column
	rows     []tableRow
}

type column struct {
	name    string
	kind    format.Type
	labels  []string
	pattern string
	weight  float64 // 0: not given, as by Weka 3.6, which knows none
	inner   []column
}

// A tableRow has a cell for every column: nil is missing, a number or date is a
// float64, a label or string a string, a relation a []tableRow.
type tableRow struct {
	sparse bool
	weight float64
	cells  []any
}

// dummyText is what Weka 3.6 puts where a sparse row leaves out a string.
const dummyText = "*WEKA*DUMMY*STRING*FOR*STRING*ATTRIBUTES*"

// readRows reads all of a reader whose data declare columns.
func readRows(r format.Reader) (*table, error) {
	h, err := r.Header()
	if err != nil {
		return nil, err
	}
	t := &table{relation: h.Relation, columns: columnsOf(h.Attributes)}
	for {
		in, err := r.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		t.rows = append(t.rows, rowOf(h.Attributes, &in))
	}
}

func columnsOf(attributes []format.Attribute) []column {
	var columns []column
	for _, a := range attributes {
		if a.Type == format.Date && a.Pattern == "" {
			a.Pattern = "yyyy-MM-dd'T'HH:mm:ss"
		}
		if a.Weight == 0 {
			a.Weight = 1
		}
		columns = append(columns, column{a.Name, a.Type, slices.Clone(a.Labels), a.Pattern, a.Weight, columnsOf(a.Attributes)})
	}
	return columns
}

func rowOf(attributes []format.Attribute, in *format.Instance) tableRow {
	row := tableRow{sparse: in.Sparse, weight: in.Weight, cells: make([]any, len(attributes))}
	for i := range attributes {
		v := in.X.At(int32(i))
		switch a := &attributes[i]; {
		case math.IsNaN(v):
		case a.Type == format.Nominal:
			row.cells[i] = a.Labels[int(v)]
		case a.Type == format.String:
			row.cells[i] = strings.Clone(in.Strings[int(v)])
		case a.Type == format.Relational:
			rows := []tableRow{}
			for k := range in.Tables[int(v)] {
				rows = append(rows, rowOf(a.Attributes, &in.Tables[int(v)][k]))
			}
			row.cells[i] = rows
		default:
			row.cells[i] = v
		}
	}
	return row
}

// wekaTable reads what Weka's SerializedInstancesSaver writes.
func wekaTable(stream []byte) (*table, error) {
	v, err := parseJava(stream)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*javaObject)
	if !ok || o.class != "weka.core.Instances" {
		return nil, errors.New("the stream holds no Instances")
	}
	t := new(table)
	err = t.fromWeka(o)
	return t, err
}

// vector returns the elements of a FastVector.
func vector(v any) []any {
	o, ok := v.(*javaObject)
	if !ok {
		return nil
	}
	return o.fields["m_Objects"].(*javaArray).values[:o.fields["m_Size"].(int64)]
}

func (t *table) fromWeka(o *javaObject) error {
	t.relation = o.fields["m_RelationName"].(string)
	attributes := vector(o.fields["m_Attributes"])
	for _, a := range attributes {
		c, err := wekaColumn(a.(*javaObject))
		if err != nil {
			return err
		}
		t.columns = append(t.columns, c)
	}
	for _, in := range vector(o.fields["m_Instances"]) {
		row, err := wekaRow(attributes, in.(*javaObject))
		if err != nil {
			return err
		}
		t.rows = append(t.rows, row)
	}
	return nil
}

func wekaColumn(a *javaObject) (column, error) {
	types := []format.Type{format.Numeric, format.Nominal, format.String, format.Date, format.Relational}
	c := column{name: a.fields["m_Name"].(string), kind: types[a.fields["m_Type"].(int64)]}
	switch c.kind {
	case format.Nominal:
		for _, v := range vector(a.fields["m_Values"]) {
			label, err := wekaText(v)
			if err != nil {
				return c, err
			}
			c.labels = append(c.labels, label)
		}
	case format.Date:
		c.pattern = a.fields["m_DateFormat"].(*javaObject).fields["pattern"].(string)
	case format.Relational:
		var inner table
		if err := inner.fromWeka(a.fields["m_Header"].(*javaObject)); err != nil {
			return c, err
		}
		c.inner = inner.columns
	}
	return c, nil
}

// wekaText returns a text, which Weka packs when it is long.
func wekaText(v any) (string, error) {
	if text, ok := v.(string); ok {
		return text, nil
	}
	packed := v.(*javaObject)
	text := packed.fields["m_storedObjectArray"].(*javaArray).bytes
	if packed.fields["m_isCompressed"].(int64) != 0 {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return "", err
		}
		if text, err = io.ReadAll(z); err != nil {
			return "", err
		}
	}
	inner, err := parseJava(text)
	if err != nil {
		return "", err
	}
	s, ok := inner.(string)
	if !ok {
		return "", errors.New("the stream within the stream holds no text")
	}
	return s, nil
}

func wekaRow(attributes []any, in *javaObject) (tableRow, error) {
	row := tableRow{weight: in.fields["m_Weight"].(float64), sparse: in.class == "weka.core.SparseInstance"}
	values := in.fields["m_AttValues"].(*javaArray).numbers
	if row.sparse {
		dense := make([]float64, len(attributes))
		for k, i := range in.fields["m_Indices"].(*javaArray).values {
			dense[i.(int64)] = values[k]
		}
		values = dense
	}
	for i, v := range values {
		cell, err := wekaCell(attributes[i].(*javaObject), v)
		if err != nil {
			return row, err
		}
		row.cells = append(row.cells, cell)
	}
	return row, nil
}

func wekaCell(a *javaObject, v float64) (any, error) {
	if math.IsNaN(v) {
		return nil, nil
	}
	switch kind := a.fields["m_Type"].(int64); kind {
	case 0, 3:
		return v, nil
	case 4:
		var inner table
		err := inner.fromWeka(vector(a.fields["m_Values"])[int(v)].(*javaObject))
		if inner.rows == nil {
			inner.rows = []tableRow{}
		}
		return inner.rows, err
	default:
		return wekaText(vector(a.fields["m_Values"])[int(v)])
	}
}
