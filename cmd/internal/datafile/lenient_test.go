package datafile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestLooseRows: what the data lack is missing, and said.
func TestLooseRows(t *testing.T) {
	const (
		lacksSize  = `column "size" is missing, 2, the mean of training, stands for it in every row; add the column`
		lacksKind  = `column "kind" is missing, "a", the commonest label of training, stands for it in every row; add the column`
		noLabels   = `column "class" does not hold labels, as it did in training: there is no score`
		arffHeader = "@relation r\n@attribute kind numeric\n@attribute size numeric\n@attribute class {yes,no}\n@data\n"
	)
	for _, c := range []struct {
		name, format, train, test string
		rows, raw, told, warned   string
	}{
		{"all there", "csv", kinds, "class,kind,size\nyes,8,1\n", "1 1:1 4:1", "0:0 1:8 2:1", "", ""},
		{"a column of numbers lacks", "csv", kinds, "class,kind\nyes,8\n", "1 1:2 4:1", "0:0 1:8", "", lacksSize},
		{"a column of labels lacks", "csv", kinds, "size,class\n4,no\n", "0 1:4 2:1", "0:4 1:0", "", lacksKind},
		{"unknown labels", "csv", kinds, "kind,size,class\nb,1,maybe\n", "-1=maybe 1:1", "0:0 1:1 2:0", "kind=b class=maybe", ""},
		{"an unknown number as label", "csv", kinds, "kind,size,class\na,1,3.50\n", "-1=3.50 1:1 2:1", "0:0 1:1 2:3.5", "class=3.50", ""},
		{"texts as label", "arff", kinds, "@relation r\n@attribute kind {a}\n@attribute size numeric\n@attribute class string\n@data\na,1,no\n",
			"0 1:1 2:1", "0:0 1:1 2:0", "", ""},
		{"another text as label", "arff", kinds, "@relation r\n@attribute kind {a}\n@attribute size numeric\n@attribute class string\n@data\na,1,x\n",
			"-1=x 1:1 2:1", "0:0 1:1 2:0", "class=x", ""},
		{"texts as targets", "arff", sizes, "@relation r\n@attribute k {a,b}\n@attribute size numeric\n@attribute y string\n@data\na,1,'2.5'\n",
			"2.5 1:1", "0:0 1:1 2:0", "", ""},
		{"tables as label", "arff", kinds, "@relation r\n@attribute kind {a}\n@attribute size numeric\n@attribute class relational\n@attribute z numeric\n@end class\n@data\na,1,'2'\n",
			"NaN 1:1 2:1", "0:0 1:1 2:0", "", noLabels},
		{"numbers that are labels", "arff", kinds, arffHeader + "8,1,no\n", "0 1:1 4:1", "0:8 1:1 2:1", "", ""},
		{"zeros that are labels", "arff", "x,kind,class\n1,p,no\n2,0,yes\n", "@relation r\n@attribute kind numeric\n@attribute x numeric\n@data\n{1 5}\n",
			"NaN 1:5 2:1", "1:5", "", ""},
		{"labels that are the same number", "arff", "code,class\n007,spy\n7,clerk\nX,clerk\n", "@relation r\n@attribute code {007,7}\n@attribute class {clerk,spy}\n@data\n007,spy\n",
			"0 1:1", "0:0 1:1", "", ""},
		{"a label's numbers that are the same", "arff", "x,class\n1,01\n2,1\n3,A\n", "@relation r\n@attribute x numeric\n@attribute class numeric\n@data\n2,1\n",
			"NaN 1:2", "0:2 1:1", "", noLabels},
		{"a label's texts, too many to be taken for labels", "csv", "x,class\n1,no\n2,yes\n", "class,x\nyes,1\n" + distinct(200),
			"1 1:1", "0:0 1:1", "", ""},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.test), Options{Format: c.format})
		if err != nil {
			t.Fatal(c.name, err)
		}
		var warned, told []string
		r, err := NewLenientRows(f, fitted(t, c.train), func(text string) { warned = append(warned, text) })
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r.Unknown = func(column, label string) { told = append(told, column+"="+label) }
		x, y, err := r.Next()
		rows := fmt.Sprint(y)
		if s := r.UnknownText(); s != "" {
			rows += "=" + s
		}
		for k, i := range x.Index {
			rows += fmt.Sprintf(" %d:%v", i, x.Value[k])
		}
		var raw []string
		for k, i := range r.Raw().X.Index {
			raw = append(raw, fmt.Sprintf("%d:%v", i, r.Raw().X.Value[k]))
		}
		got := []string{rows, strings.Join(raw, " "), strings.Join(told, " "), strings.Join(warned, "; ")}
		if want := []string{c.rows, c.raw, c.told, c.warned}; err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%s: %q, %v\nwant %q", c.name, got, err, want)
		}
	}
	if _, err := loose(t, "arff", "code,class\n007,spy\n7,clerk\nX,clerk\n", "@relation r\n@attribute code numeric\n@data\n7\n"); err == nil ||
		err.Error() != `standard input: column "code": its numbers do not tell the labels "007" and "7" apart; the file must have them as labels or text` {
		t.Errorf("labels that are the same number: %v", err)
	}
	f, err := Open(t.Context(), "-", strings.NewReader("class,other\nyes,1\n"), Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewLenientRows(f, fitted(t, kinds), func(string) {}); !errors.Is(err, ErrNoColumns) {
		t.Errorf("no column: %v, want %v", err, ErrNoColumns)
	}
}

// distinct returns rows "label,n" with as many different labels.
func distinct(n int) (rows string) {
	for i := range n {
		rows += fmt.Sprintf("label%d,%d\n", i, i)
	}
	return rows
}

// loose returns the loose rows of a text.
func loose(t *testing.T, format, train, test string) (*Rows, error) {
	t.Helper()
	f, err := Open(t.Context(), "-", strings.NewReader(test), Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	return NewLenientRows(f, fitted(t, train), func(string) {})
}
