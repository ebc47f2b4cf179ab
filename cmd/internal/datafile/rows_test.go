package datafile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// fitted returns the encoding that a text's rows give.
func fitted(t *testing.T, text string) *encode.Encoding {
	t.Helper()
	f, err := Open(t.Context(), "-", strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := format.ReadAll(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Fit(t.Context(), rows, encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// written returns rows as "label index:value ...; ..." and what is said of labels.
func written(r *Rows) (text string, told []string, err error) {
	r.Unknown = func(column, label string) { told = append(told, column+"="+label) }
	for {
		x, y, err := r.Next()
		if err == io.EOF {
			return strings.TrimSuffix(text, "; "), told, nil
		}
		if err != nil {
			return text, told, err
		}
		text += fmt.Sprint(y)
		for k, i := range x.Index {
			text += fmt.Sprintf(" %d:%v", i, x.Value[k])
		}
		text += "; "
	}
}

const kinds = "size,kind,class\n1,a,no\n2,7,yes\n3,8,no\n" // kind is a, 7 or 8

func TestRows(t *testing.T) {
	for _, c := range []struct {
		name, train, test string
		m                 models.Model
		rows, told        string
	}{
		{"other order, more columns", kinds, "class,more,kind,size\nyes,p,8,1\nno,q,a,2\n", models.Model{}, "1 1:1 4:1; 0 1:2 2:1", ""},
		{"no labels", kinds, "kind,size\n8,1\na,2\n", models.Model{}, "NaN 1:1 4:1; NaN 1:2 2:1", ""},
		{"nothing but missing labels", kinds, "kind,size,class\n8,1,?\na,2,\n", models.Model{}, "NaN 1:1 4:1; NaN 1:2 2:1", ""},
		{"labels that are all numbers here", kinds, "kind,size,class\n8,1,no\n7.0,2,yes\n", models.Model{}, "0 1:1 4:1; 1 1:2 3:1", ""},
		{"unknown labels", kinds, "kind,size,class\nb,1,no\na,2,maybe\n", models.Model{}, "0 1:1; -1 1:2 2:1", "kind=b class=maybe"},
		{"unknown numbers", kinds, "kind,size,class\n9,1,3\n7,2,?\n", models.Model{}, "-1 1:1; NaN 1:2 3:1", "kind=9 class=3"},
		{"missing values", kinds, "kind,size,class\n?,,no\na,?,yes\n", models.Model{}, "0 1:2 2:1; 1 1:2 2:1", ""},
		{"numeric label", "x,y\n1,5\n2,6\n", "y,x\n7,1\n?,2\n", models.Model{}, "7 1:1; NaN 1:2", ""},
		{"one class, labels 1 and -1 by their texts", "x,c\n1,1\n2,-1\n3,odd\n", "x,c\n1,-1\n2,odd\n3,1\n4,?\n",
			models.Model{Task: models.OneClass}, "-1 1:1; NaN 1:2; 1 1:3; NaN 1:4", ""},
		{"one class, numeric labels", "x,c\n1,1\n2,-1\n", "x,c\n1,-1\n", models.Model{Task: models.OneClass}, "-1 1:1", ""},
		{"kernel values", "id,k1,k2,c\n1,1,0,a\n2,0,1,b\n", "c,k2,k1,id\nb,0,0,0\na,0.5,0,7\n",
			models.Model{Kernel: kernel.Precomputed{}}, "1 0:0 1:0 2:0; 0 0:7 1:0 2:0.5", ""},
	} {
		e := fitted(t, c.train)
		f, err := Open(t.Context(), "-", strings.NewReader(c.test), Options{Format: "csv"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRowsFor(&c.m, f, e)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantWritten(t, c.name, r, c.rows, c.told)
	}
}

// wantWritten checks what becomes of rows, and what is said of unknown labels.
func wantWritten(t *testing.T, name string, r *Rows, want, tells string) {
	t.Helper()
	rows, told, err := written(r)
	if rows != want || strings.Join(told, " ") != tells || err != nil {
		t.Errorf("%s: %s, told %q, %v; want %s, %s", name, rows, told, err, want, tells)
	}
}

func TestRowsErrors(t *testing.T) {
	for _, c := range []struct {
		name, train, test string
		m                 models.Model
		want              string
	}{
		{"no such column", kinds, "size,class\n1,no\n", models.Model{}, `standard input: column is missing: "kind"`},
		{"another type", kinds, "size,kind,class\nbig,a,no\n", models.Model{}, `standard input:2:1: column "size": expected a number, found "big"`},
		{"a fault of the file", kinds, "size,kind,class\n1,a,no\n2,b\n", models.Model{}, `standard input:3:`},
		{"labels as kernel values", kinds, kinds, models.Model{Kernel: kernel.Precomputed{}}, `column "kind" holds labels, expected kernel values`},
		{"a missing kernel value", "id,k1,c\n1,1,a\n", "id,more,k1,c\n1,?,1,?\n1,2,?,a\n", models.Model{Kernel: kernel.Precomputed{}},
			`standard input:3: column "k1": the kernel value is missing`},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.test), Options{Format: "csv"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRowsFor(&c.m, f, fitted(t, c.train))
		if err == nil {
			_, _, err = written(r)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestInputs: the encoding that a model keeps must fit its labels.
func TestInputs(t *testing.T) {
	text, err := fitted(t, kinds).MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	numeric, err := fitted(t, "x,y\n1,5\n2,6\n").MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    models.Model
		want string
	}{
		{models.Model{Labels: []int{1, 0}, Inputs: text}, ""},
		{models.Model{Labels: []int{1, 2}, Inputs: text}, "label 2 has no text among the model's inputs"},
		{models.Model{Labels: []int{-1}, Inputs: text}, "label -1 has no text among the model's inputs"},
		{models.Model{Labels: []int{5, 6}, Inputs: numeric}, ""},
		{models.Model{Task: models.EpsilonSVR, Inputs: numeric}, ""},
		{models.Model{Labels: []int{-1}, Inputs: text, InputsLine: 12}, "12: label -1 has no text among the model's inputs"},
		{models.Model{Inputs: []byte(`{"relation":"","class":0,"columns":0}`)}, "1: inputs: the label's column is 0 of 0"},
		{models.Model{Inputs: []byte(`{"relation":"","class":0,"columns":0}`), InputsLine: 12}, "12: inputs: the label's column is 0 of 0"},
		{models.Model{}, ErrNoInputs.Error()},
	} {
		e, err := Inputs(&c.m)
		if c.want == "" && (err != nil || e == nil) || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("labels %v, inputs %.20q: %v, want %q", c.m.Labels, c.m.Inputs, err, c.want)
		}
	}
	if _, err := Inputs(&models.Model{}); !errors.Is(err, ErrNoInputs) {
		t.Errorf("no inputs: %v", err)
	}
}

// TestPrecomputed: an encoded problem becomes one of kernel values, zeros and all.
func TestPrecomputed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"id,k1,k2,c\n1,1,0,a\n2,0,0,b\n3,0,9,?\n", "0 0:1 1:1 2:0; 1 0:2 1:0 2:0"},
		{"id,k1,k2,c\n1,1,0,a\n2,?,0,b\n", `row 2: column "k1": the kernel value is missing`},
		{"id,k1,k2,c\n?,?,0,?\n1,1,0,a\n2,?,0,b\n", `row 3: column "k1": the kernel value is missing`},
		{"id,k1,k2,c\n1,1,0,a\n2,0,0,b\n3,?,9,?\n?,?,9,?\n", "0 0:1 1:1 2:0; 1 0:2 1:0 2:0"},
		{"id,k1,c\n1,p,a\n", `column "k1" holds labels, expected kernel values`},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.text), Options{Format: "csv"})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := format.ReadAll(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Encode(t.Context(), rows, encode.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var labelled []int
		for i := range rows.Len() {
			if class := rows.X.Row(i).At(int32(p.Encoding.Class)); !math.IsNaN(class) {
				labelled = append(labelled, i)
			}
		}
		got := ""
		if err := p.Precomputed(t.Context(), rows, func(i int) int { return labelled[i] }); err != nil {
			got = err.Error()
		} else {
			for i := range p.Data.Len() {
				got += fmt.Sprint(p.Data.Y[i])
				x := p.Data.X.Row(i)
				for k, index := range x.Index {
					got += fmt.Sprintf(" %d:%v", index, x.Value[k])
				}
				got += "; "
			}
			got = strings.TrimSuffix(got, "; ")
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestWarn(t *testing.T) {
	var b strings.Builder
	tell := Warn("data", nil, &b)
	for i := range 30 {
		tell("c", fmt.Sprint(i/2))
	}
	for i := range 30 {
		tell("c", fmt.Sprint(math.Sqrt(float64(i))))
	}
	text := b.String()
	if n := strings.Count(text, "\n"); n != mostWarnings+1 || !strings.HasPrefix(text, "WARNING: data: label \"0\" of column \"c\" does not occur in the training data\n") ||
		!strings.HasSuffix(text, "WARNING: more such labels are not listed\n") {
		t.Errorf("%d lines: %s", n, text)
	}
}
