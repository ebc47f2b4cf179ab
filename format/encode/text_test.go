package encode

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"o{s,o,r} h d@date p{yes,no}\no 80 5 no\ns 60 6 yes\n", `{"relation":"test","class":4,"columns":4}
{"name":"o","type":"nominal","labels":["s","o","r"],"fill":0,"feature":1,"scale":[[0,1],[0,1],[0,0]]}
{"name":"h","type":"numeric","fill":70,"feature":4,"scale":[[60,20]]}
{"name":"d","type":"date","fill":5.5,"feature":5,"scale":[[5,1]]}
{"name":"p","type":"nominal","labels":["yes","no"],"fill":0,"feature":6}
`},
		{"<&>'\"{} \\{\x01,é} y\n? \x01 0.1\n", `{"relation":"test","class":3,"columns":3}
{"name":"<&>'\"","type":"nominal","fill":0,"feature":1,"scale":[[0,0]]}
{"name":"\\","type":"nominal","labels":["\u0001","é"],"fill":0,"feature":2,"scale":[[0,0]]}
{"name":"y","type":"numeric","fill":0.1,"feature":3}
`},
	} {
		e, _ := fit(t, c.data, Options{Scaling: Normalize})
		text, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != c.want {
			t.Errorf("text\n%swant\n%s", text, c.want)
		}
		for _, text := range []string{c.want, strings.TrimSuffix(c.want, "\n"), strings.ReplaceAll(c.want, "\n", "\r\n")} {
			var again Encoding
			if err := again.UnmarshalText([]byte(text)); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if !reflect.DeepEqual(&again, e) {
				t.Errorf("%+v\nwas read as\n%+v", e, again)
			}
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	for _, c := range []struct {
		e    Encoding
		want string
	}{
		{Encoding{Columns: []Column{{Name: "a\xff"}, {}}}, `column "a\xff": the text "a\xff" is not UTF-8`},
		{Encoding{Columns: []Column{{Name: "a", Type: format.Nominal, Labels: []string{"x", "\x80"}}, {}}}, `column "a": the text "\x80" is not UTF-8`},
		{Encoding{Columns: []Column{{Name: "a", Fill: math.NaN()}}}, `column "a": json: unsupported value: NaN`},
	} {
		if text, err := c.e.MarshalText(); err == nil || err.Error() != c.want {
			t.Errorf("%q, %v, want %s", text, err, c.want)
		}
	}
	e := Encoding{Relation: "caf\xe9", Columns: []Column{{Name: "a", First: 1}, {Name: "b", First: 2}}}
	text, err := e.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var again Encoding
	if err := again.UnmarshalText(text); err != nil || again.Relation != "caf\ufffd" {
		t.Errorf("the data set's name was read as %q, %v", again.Relation, err)
	}
}

// TestUnmarshalErrors: a text that does not fit together is refused and changes
// nothing.
func TestUnmarshalErrors(t *testing.T) {
	const (
		head  = `{"relation":"r","class":3,"columns":3}` + "\n"
		first = `{"name":"a","type":"nominal","labels":["p","q","r"],"fill":2,"feature":1,"scale":[[0,1],[0,1],[0,1]]}` + "\n"
		mid   = `{"name":"b","type":"numeric","fill":0.5,"feature":4}` + "\n"
		last  = `{"name":"c","type":"nominal","labels":["yes","no"],"fill":0,"feature":5}` + "\n"
		whole = head + first + mid + last
	)
	var good Encoding
	if err := good.UnmarshalText([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{whole, "", "1:1: data set: expected an object, found an empty line"},
		{whole, "\n\n\n", "1:1: data set: expected an object, found an empty line"},
		{whole, "null\n", "1:1: data set: expected an object, found null"},
		{whole, "3\n", "1:1: data set: expected an object, found a number"},
		{whole, `{"relation":"r","class":1,"columns":1}` + "\n" + mid, "1: there is no column beside the label's"},
		{whole, "}\n", "1:1: data set: invalid character '}' looking for beginning of value"},
		{last, "", "1: 3 columns announced, 2 found"},
		{last, last + last, "3 columns announced, 4 found"},
		{last, last + "\n", "3 columns announced, 4 found"},
		{`"columns":3`, `"columns":2000000000`, "2000000000 columns announced, 3 found"},
		{`"columns":3`, `"columns":-3`, "-3 columns announced, 3 found"},
		{`"columns":3`, `"columns":3e99`, fmt.Sprintf(`1:27: data set: "columns": expected a whole number of %d bits, found 3e99`, strconv.IntSize)},
		{`"columns":3`, `"columns":3,"more":1`, `1:39: data set: unknown key "more"`},
		{`"class":3`, `"class":0`, "1: the label's column is 0 of 3"},
		{`"class":3`, `"class":4`, "the label's column is 4 of 3"},
		{mid, "null\n", "3:1: column 2: expected an object, found null"},
		{mid, mid[:20] + "\n", "3:21: column 2: the line ends inside the object"},
		{`0.5,"feature":4}`, `0.5,"feature":4} {}`, `3:54: column 2: expected the end of the line behind the object, found "{}"`},
		{`0.5,"feature":4}`, `0.5,"feature":4}}`, `3:53: column 2: expected the end of the line behind the object, found "}"`},
		{"numeric", "string", `column 2, "b": unknown type "string"`},
		{`"fill":0.5`, `"fill":1e999`, `3:30: column 2: "fill": expected a number of 64 bits, found 1e999`},
		{`"fill":0.5`, `"fill" : 1e999`, `3:30: column 2: "fill": expected a number of 64 bits, found 1e999`},
		{mid, `{"name":"fill","type":"numeric","fill":1e999,"feature":4}` + "\n", `3:33: column 2: "fill": expected a number of 64 bits, found 1e999`},
		{`"fill":0.5`, `"fill":"NaN"`, `3:30: column 2: "fill": expected a number of 64 bits, found a text`},
		{`"feature":4`, `"feature":3`, `column 2, "b": its first feature is 3, expected 4`},
		{`"feature":4`, `"feature":-4`, "its first feature is -4, expected 4"},
		{`"feature":4`, `"feature":4294967300`, `3:41: column 2: "feature": expected a whole number of 32 bits, found 4294967300`},
		{`"fill":0.5`, `"fill":[0.5]`, `3:30: column 2: "fill": expected a number of 64 bits, found a list`},
		{`"fill":0.5`, `"fill":{}`, `3:30: column 2: "fill": expected a number of 64 bits, found an object`},
		{`"type":"numeric"`, `"type":true`, `3:13: column 2: "type": expected a text, found bool`},
		{`["p","q","r"]`, `"p"`, `2:30: column 1: "labels": expected a list, found a text`},
		{`"name":"b"`, `"name" "b"`, `3:9: column 2: invalid character '"' after object key`},
		{`"name":"b"`, `"name":"a"`, `column 2, "a": another column has the name already`},
		{`"fill":0.5`, `"labels":["x"],"fill":0.5`, "labels in a column of type numeric"},
		{`"fill":2`, `"fill":3`, "no label 3 among 3"},
		{`"fill":2`, `"fill":-1`, "no label -1 among 3"},
		{`"fill":2`, `"fill":0.5`, "no label 0.5 among 3"},
		{`"fill":2`, `"fill":1e300`, "no label 1e+300 among 3"},
		{`"p","q","r"`, `"p","q","p"`, `two labels "p"`},
		{`,[0,1]]`, `]`, "2 scales for 3 features"},
		{`[[0,1],`, `[[0,1,2],`, "scale [0 1 2], expected a shift and a width"},
		{`[[0,1],`, `[[0],`, "scale [0], expected"},
		{`[[0,1],`, `[null,`, "2:83: column 1: expected a value, found null"},
		{`[[0,1],`, `[[],`, "scale [], expected"},
		{`[[0,1],`, `[[null,null],`, "2:84: column 1: expected a value, found null"},
		{`["p","q","r"]`, `["p",null,"r"]`, "2:44: column 1: expected a value, found null"},
		{`["p","q","r"]`, `null`, "2:39: column 1: expected a value, found null"},
		{`"fill":0.5`, `"fill":null`, "3:37: column 2: expected a value, found null"},
		{`"fill":0.5,`, ``, `3: column 2: expected the key "fill", which is not there`},
		{`,"feature":4`, ``, `3: column 2: expected the key "feature", which is not there`},
		{`"type":"numeric",`, ``, `3: column 2: expected the key "type", which is not there`},
		{`"name":"b",`, ``, `3: column 2: expected the key "name", which is not there`},
		{`"relation":"r",`, ``, `1: data set: expected the key "relation", which is not there`},
		{`"class":3,`, ``, `1: data set: expected the key "class", which is not there`},
		{`,"columns":3`, ``, `1: data set: expected the key "columns", which is not there`},
		{`"fill":0.5`, `"fill":0.5,"fill":1`, `3:41: column 2: the key "fill" stands twice`},
		{`"name":"b","type":"numeric","fill":0.5,"feature":4`, `"name":"a","type":"numeric","fill":0.5,"feature":3`, `column 2, "a": its first feature is 3, expected 4`},
		{`{"relation"`, "\xff{\"relation\"", `1:1: data set: byte 0xff is not UTF-8`},
		{`"labels":["p","q","r"]`, `"labels":["s","t","u"],"labels":["p"]`, `2:53: column 1: the key "labels" stands twice`},
		{`"fill":0.5`, `"FILL":0.5`, `3:30: column 2: unknown key "FILL"`},
		{`"name":"b"`, "\"name\":\"b\xff\"", `3:11: column 2: byte 0xff is not UTF-8`},
		{`[[0,1],`, `[[0,-1],`, "scale [0 -1], expected"},
		{`"fill":0,"feature":5`, `"fill":0,"feature":5,"scale":[[0,1]]`, "labels have a scale"},
		{`"type":"numeric","fill":0.5`, `"type":"nominal","labels":["x"],"fill":1`, "no label 1 among 1"},
		{`"type":"numeric","fill":0.5`, `"type":"nominal","labels":[],"fill":1`, "no label 1 among 0"},
		{`"labels":["yes","no"],`, "", "no labels"},
	} {
		text := strings.Replace(whole, c.old, c.new, 1)
		e := Encoding{Relation: "as before"}
		err := e.UnmarshalText([]byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %s", text, err, c.want)
		}
		if at := (*format.Error)(nil); !errors.As(err, &at) || at.Line < 1 || at.Line > 5 {
			t.Errorf("%s\n%v has no line", text, err)
		}
		if e.Relation != "as before" || e.Columns != nil {
			t.Errorf("%s\nchanged the encoding", text)
		}
	}
	for n := range len(whole) - 1 {
		if err := new(Encoding).UnmarshalText([]byte(whole[:n])); err == nil {
			t.Errorf("the first %d bytes of %d are an encoding", n, len(whole))
		}
	}
}

// FuzzUnmarshalText: whatever text is taken for an encoding is written as an equal
// one and encodes rows of any values with it.
func FuzzUnmarshalText(f *testing.F) {
	for _, columns := range []string{"a b", "a{p,q,r} b{x,y} c{z} d{} e@date y{n,p}", "y{n,p} a"} {
		for _, o := range []Options{{}, {Scaling: Normalize}, {Scaling: Standardize, ColumnsFirst: true}, {Class: "1"}} {
			e, err := Fit(f.Context(), parse(f, columns), o)
			if err != nil {
				f.Fatal(err)
			}
			text, err := e.MarshalText()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var e, again Encoding
		if e.UnmarshalText(text) != nil {
			return
		}
		out, err := e.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(out); err != nil || !reflect.DeepEqual(e, again) {
			t.Fatalf("%s\nbecame\n%s\n%v", text, out, err)
		}
		m, err := e.Mapper(e.Header())
		if err != nil {
			t.Fatal(err)
		}
		var in format.Instance
		for _, v := range []float64{0, 1, -2, 1e308, math.NaN()} {
			in.X.Index, in.X.Value = in.X.Index[:0], in.X.Value[:0]
			for i := range e.Columns {
				c := &e.Columns[i]
				if c.Type == format.Nominal && !(v >= 0 && v < float64(len(c.Labels))) {
					continue
				}
				in.X.Index, in.X.Value = append(in.X.Index, int32(i)), append(in.X.Value, v)
			}
			row := in.X.Clone()
			in.Y = m.Row(&in.X, row)
			e.LabelText(in.Y)
			for k, i := range in.X.Index {
				if i < 1 || int(i) > len(e.Names()) || k > 0 && i <= in.X.Index[k-1] {
					t.Fatalf("indices %v of %d names", in.X.Index, len(e.Names()))
				}
			}
		}
	})
}

// The mark of fractions is kept, and absent where it is a point.
func TestDecimalCommaText(t *testing.T) {
	const columns = "{\"name\":\"a\",\"type\":\"numeric\",\"fill\":0,\"feature\":1}\n{\"name\":\"b\",\"type\":\"numeric\",\"fill\":0,\"feature\":2}\n"
	for head, want := range map[string]bool{
		"{\"relation\":\"\",\"class\":2,\"columns\":2}\n":                   false,
		"{\"relation\":\"\",\"class\":2,\"columns\":2,\"decimal\":\",\"}\n": true,
	} {
		var e Encoding
		if err := e.UnmarshalText([]byte(head + columns)); err != nil || e.DecimalComma != want {
			t.Errorf("%s: comma %t, error %v", head, e.DecimalComma, err)
		}
		if text, err := e.MarshalText(); err != nil || string(text) != head+columns {
			t.Errorf("%s becomes %s, error %v", head+columns, text, err)
		}
	}
	var e Encoding
	err := e.UnmarshalText([]byte("{\"relation\":\"\",\"class\":2,\"columns\":2,\"decimal\":\".\"}\n" + columns))
	if want := `1: decimal ".", expected ","`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Inputs that are none, as those of a model of LIBSVM, are told from inputs that are cut off. Lines
// are counted from the first where the inputs are from no file.
func TestUnmarshalInputs(t *testing.T) {
	const head = "{\"relation\":\"\",\"class\":2,\"columns\":2}\n"
	for _, c := range []struct {
		text  []byte
		first int
		want  string
	}{
		{nil, 0, "the model has no inputs: its features are numbers as they stand, without columns to encode"},
		{[]byte{}, 9, "9:1: inputs: data set: expected an object, found an empty line"},
		{[]byte(head + "5\n6\n"), 0, "2:1: inputs: column 1: expected an object, found a number"},
		{[]byte(head + "5\n6\n"), 1, "2:1: inputs: column 1: expected an object, found a number"},
		{[]byte(head + "5\n6\n"), 9, "10:1: inputs: column 1: expected an object, found a number"},
	} {
		e := Encoding{Relation: "kept"}
		if err := e.UnmarshalInputs(c.text, c.first); err == nil || err.Error() != c.want || e.Relation != "kept" {
			t.Errorf("%q from line %d: error %v, want %s", c.text, c.first, err, c.want)
		}
	}
}
