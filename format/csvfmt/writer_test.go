package csvfmt_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

func numeric(name string) format.Attribute { return format.Attribute{Name: name} }

func nominal(name string, labels ...string) format.Attribute {
	return format.Attribute{Name: name, Type: format.Nominal, Labels: labels}
}

func text(name string) format.Attribute { return format.Attribute{Name: name, Type: format.String} }

// written returns what a writer writes, or its error.
func written(w *csvfmt.Writer, out *bytes.Buffer, h *format.Header, rows ...format.Instance) string {
	if err := w.WriteHeader(h); err != nil {
		return err.Error()
	}
	for _, in := range rows {
		if err := w.Write(in); err != nil {
			return err.Error()
		}
	}
	if err := w.Flush(); err != nil {
		return err.Error()
	}
	return out.String()
}

// at returns a row with the given values in front and texts.
func at(values []float64, texts ...string) format.Instance {
	in := format.Instance{Weight: 1, Strings: texts}
	for k, v := range values {
		in.X.Index = append(in.X.Index, int32(k))
		in.X.Value = append(in.X.Value, v)
	}
	return in
}

func TestWriter(t *testing.T) {
	type columns = []format.Attribute
	nan := math.NaN()
	for _, c := range []struct {
		columns []format.Attribute
		rows    []format.Instance
		want    string
	}{
		{columns{numeric("a"), nominal("b", "x", "y")}, []format.Instance{at([]float64{0.1, 1}), at([]float64{nan, nan}), at([]float64{1e22, 0})}, "a,b\n0.1,y\n,\n1e+22,x\n"},
		{columns{numeric("a"), numeric("b")}, []format.Instance{at([]float64{1000001, 1e7}), at([]float64{-20200131, 1234567.5}), at([]float64{1<<53 - 1, 1 << 53})}, "a,b\n1000001,10000000\n-20200131,1234567.5\n9007199254740991,9.007199254740992e+15\n"},
		{columns{numeric("a")}, []format.Instance{at([]float64{nan}), at([]float64{math.Inf(-1)}), at([]float64{math.Copysign(0, -1)})}, "a\n?\n-inf\n-0\n"},
		// sparse rows are written whole
		{columns{numeric("a"), nominal("b", "x", "y"), numeric("c")}, []format.Instance{row(0, 2, 5), row(0), row(0, 1, 1)}, "a,b,c\n0,x,5\n0,x,0\n0,y,0\n"},
		{columns{text("a"), numeric("b")}, []format.Instance{at([]float64{1, 1}, "u", "v"), at([]float64{0, 2}, "w, \"x\"")}, "\"a\",\"b\"\nv,1\n\"w, \"\"x\"\"\",2\n"},
		// what might be something else is quoted
		{columns{nominal("a", "", "?", "1", "1,5", "inf", " x", "x ", "a;b", "a\tb", "a|b", "it's", "a\r", "a\nb", "\ufeffa", "NA", "x y", "é", "-", "0x10"), numeric("n")},
			func() (rows []format.Instance) {
				for k := range 19 {
					rows = append(rows, row(0, 0, float64(k)))
				}
				return rows
			}(),
			"a,n\n\"\",0\n\"?\",0\n\"1\",0\n\"1,5\",0\n\"inf\",0\n\" x\",0\n\"x \",0\n\"a;b\",0\n\"a\tb\",0\n\"a|b\",0\n\"it's\",0\n\"a\r\",0\n\"a\nb\",0\n\"\ufeffa\",0\nNA,0\nx y,0\né,0\n-,0\n0x10,0\n"},
		// names that might be values are marked by quotes
		{columns{numeric("1990"), numeric("b")}, nil, "\"1990\",\"b\"\n"},
		{columns{numeric(""), numeric("b")}, nil, "\"\",\"b\"\n"},
		{columns{numeric("?"), numeric("b")}, nil, "\"?\",\"b\"\n"},
		{columns{nominal("x", "x", "1"), numeric("b")}, nil, "\"x\",\"b\"\n"},
		{columns{nominal("x", "y", "1"), nominal("b", "u")}, nil, "x,b\n"},
		{columns{nominal("1", "y", "1"), nominal("b", "u")}, nil, "\"1\",\"b\"\n"},
		{columns{numeric("a,b"), numeric("c")}, nil, "\"a,b\",c\n"},
		{columns{nominal("x", "x"), nominal("b", "1")}, nil, "\"x\",\"b\"\n"},
		{columns{nominal("x", "x", "1"), nominal("b", "1")}, nil, `column 1: a reader could not tell the name "x" from a value, since no column goes without quotes`},
		{columns{nominal(",", "1e999")}, nil, `column 1, ",": a reader would take labels for numbers, since no column or name goes without quotes`},
		{columns{numeric("n"), nominal("x", "1,5", "2,500")}, nil, `column 2, "x": a reader would take labels for numbers, since all have a comma, which separates`},
		{columns{numeric("n"), nominal("x", "1,5", "2")}, nil, "n,x\n"},
		// what only the rows show
		{columns{numeric("n"), nominal("x", "1,5", "2")}, []format.Instance{at([]float64{1, 0}), at([]float64{2, nan})}, `column 2, "x": a reader would take labels for numbers, since all have a comma, which separates`},
		{columns{numeric("n"), nominal("x", "1,5", "2")}, []format.Instance{at([]float64{1, 0}), at([]float64{2, 1})}, "n,x\n1,\"1,5\"\n2,\"2\"\n"},
		{columns{numeric("n"), nominal("x", "1,5", "y")}, []format.Instance{at([]float64{1, 0}), at([]float64{2, 1})}, "n,x\n1,\"1,5\"\n2,y\n"},
		{columns{numeric("n"), text("x")}, []format.Instance{at([]float64{1, 0}, "1,5"), at([]float64{2, 0}, "-2,5e3")}, `column 2, "x": a reader would take labels for numbers, since all have a comma, which separates`},
		{columns{numeric("?"), nominal("1", "01", "a,b")}, []format.Instance{at([]float64{nan, 0})}, `column 2, "1": a reader would take labels for numbers, since no column or name goes without quotes`},
		{columns{numeric("?"), text("1")}, []format.Instance{at([]float64{nan, 0}, "nan")}, `column 2, "1": a reader would take labels for numbers, since no column or name goes without quotes`},
		{columns{numeric("?"), nominal("1", "01", "")}, []format.Instance{at([]float64{nan, 1}), at([]float64{nan, 0})}, `column 2, "1": a reader would take labels for numbers, since no column or name goes without quotes`},
		{columns{numeric("?"), text("1")}, []format.Instance{at([]float64{nan, 0}, ""), at([]float64{nan, 0}, "7")}, `column 2, "1": a reader would take labels for numbers, since no column or name goes without quotes`},
		{columns{numeric("?"), text("1")}, []format.Instance{at([]float64{nan, 0}, "")}, "\"?\",\"1\"\n,\"\"\n"},
		{columns{numeric("n"), nominal("x", "1,5", "")}, []format.Instance{at([]float64{1, 0}), at([]float64{2, 1})}, `column 2, "x": a reader would take labels for numbers, since all have a comma, which separates`},
		{columns{numeric("?"), text("1")}, []format.Instance{at([]float64{nan, 0}, "1e999"), at([]float64{nan, 0}, "1;")}, "\"?\",\"1\"\n,\"1e999\"\n,\"1;\"\n"},
		{columns{numeric("?"), text("1")}, []format.Instance{at([]float64{nan, 0}, "01"), at([]float64{0, 0}, "2")}, "\"?\",\"1\"\n,\"01\"\n0,\"2\"\n"},
		{columns{text("x")}, nil, `column 1: a reader could not tell the name "x" from a value, since no column goes without quotes`},
		{columns{{Name: "d", Type: format.Date}, numeric("n")}, []format.Instance{at([]float64{0, 1}), at([]float64{981173106789, 1}), at([]float64{-62167219200000, nan}), at([]float64{nan, 1})},
			"d,n\n1970-01-01T00:00:00.000Z,1\n2001-02-03T04:05:06.789Z,1\n0000-01-01T00:00:00.000Z,\n,1\n"},
		// what a table cannot hold
		{columns{numeric("a"), numeric("b"), numeric("a")}, nil, `column 3: another one has the name "a" already`},
		{columns{{Name: "r", Type: format.Relational}}, nil, `column 1, "r": a table cannot hold tables`},
		{columns{{Name: "w", Weight: 2}}, nil, `column 1, "w": a table cannot hold the column's weight 2`},
		{columns{{Name: "w", Weight: 1}}, nil, "w\n"},
		{columns{{Name: "t", Type: 7}}, nil, `column 1, "t": unknown type 7`},
		{columns{numeric("a\x00")}, nil, `column 1, "a\x00": "a\x00": unexpected NUL byte: expected a text in UTF-8`},
		{columns{nominal("a", "\xff")}, nil, `column 1, "a": "\xff": the text is not UTF-8`},
		{columns{text("a"), numeric("b")}, []format.Instance{at([]float64{0}, "\xff")}, `column 1, "a": "\xff": the text is not UTF-8`},
		{columns{text("a"), numeric("b")}, []format.Instance{at([]float64{0}, "x"), at([]float64{1}, "x")}, `column 1, "a": there is no text 1 of 1`},
		{columns{text("a"), numeric("b")}, []format.Instance{row(0)}, `column 1, "a": there is no text 0 of 0`},
		{columns{nominal("a", "x")}, []format.Instance{row(0, 0, 1)}, `column 1, "a": there is no label 1 of 1`},
		{columns{nominal("a", "x")}, []format.Instance{row(0, 0, 0.5)}, `column 1, "a": there is no label 0.5 of 1`},
		{columns{nominal("a", "x")}, []format.Instance{row(0, 0, -1)}, `column 1, "a": there is no label -1 of 1`},
		{columns{numeric("a")}, []format.Instance{row(0, 0, 1, 1, 2)}, "a value with index 1, expected 0 to 0"},
		{columns{numeric("a"), numeric("b")}, []format.Instance{row(0, 1, 1, 0, 2)}, "a row that a table cannot hold: index 0 follows index 1: indices must increase"},
		{columns{numeric("a"), numeric("b")}, []format.Instance{row(0, 1, nan, 1, 2)}, "a row that a table cannot hold: index 1 follows index 1: indices must increase"},
		{columns{numeric("a")}, []format.Instance{{Weight: 2}}, "a table cannot hold the weight 2, expected 1"},
		{columns{{Name: "d", Type: format.Date}}, []format.Instance{row(0, 0, 0.5)}, `column 1, "d": 0.5 is no date from year 0 to 9999 in whole milliseconds`},
		{columns{{Name: "d", Type: format.Date}}, []format.Instance{row(0, 0, 253402300800000)}, `column 1, "d": 2.534023008e+14 is no date from year 0 to 9999 in whole milliseconds`},
		{columns{{Name: "d", Type: format.Date}}, []format.Instance{row(0, 0, math.Inf(1))}, `column 1, "d": +Inf is no date from year 0 to 9999 in whole milliseconds`},
		{nil, nil, "the header declares no columns, and the number of features is not set"},
	} {
		var out bytes.Buffer
		got := written(csvfmt.NewWriter(&out), &out, &format.Header{Attributes: c.columns}, c.rows...)
		if got != c.want {
			t.Errorf("%v:\n%q\nwant\n%q", c.columns, got, c.want)
		}
	}
}

func TestWriterOptions(t *testing.T) {
	h := &format.Header{Attributes: []format.Attribute{nominal("a", "x:y", "NA", "x"), numeric("b")}}
	rows := []format.Instance{row(0, 0, 0, 1, 1), row(0, 0, 1, 1, 2), row(0, 0, math.NaN()), row(0, 0, 2)}
	for _, c := range []struct {
		set  func(w *csvfmt.Writer)
		want string
	}{
		{func(w *csvfmt.Writer) {}, "a,b\nx:y,1\nNA,2\n,0\nx,0\n"},
		{func(w *csvfmt.Writer) { w.Separator = ':' }, "a:b\n\"x:y\":1\nNA:2\n:0\nx:0\n"},
		{func(w *csvfmt.Writer) { w.Missing = "NA" }, "a,b\nx:y,1\n\"NA\",2\nNA,0\nx,0\n"},
		{func(w *csvfmt.Writer) { w.Missing = "?" }, "a,b\nx:y,1\nNA,2\n?,0\nx,0\n"},
		{func(w *csvfmt.Writer) { w.Missing = "-1" }, `csvfmt: "-1" cannot stand for a missing value`},
		{func(w *csvfmt.Writer) { w.Missing = "nan" }, `csvfmt: "nan" cannot stand for a missing value`},
		{func(w *csvfmt.Writer) { w.Missing = "a,b" }, `csvfmt: "a,b" cannot stand for a missing value`},
		{func(w *csvfmt.Writer) { w.Missing = " " }, `csvfmt: " " cannot stand for a missing value`},
		{func(w *csvfmt.Writer) { w.Missing = "\xff" }, `csvfmt: "\xff" cannot stand for a missing value`},
		{func(w *csvfmt.Writer) { w.Separator = '1' }, "csvfmt: '1' cannot separate cells"},
	} {
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		c.set(w)
		if got := written(w, &out, h, rows...); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for separator, want := range map[byte]string{
		'\t': "n\tx\n1\t\"1,5\"\n", ';': "n;x\n1;\"1,5\"\n",
		',': `column 2, "x": a reader would take labels for numbers, since all have a comma, which separates`,
	} {
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		w.Separator = separator
		h := &format.Header{Attributes: []format.Attribute{numeric("n"), nominal("x", "1,5", "a")}}
		if got := written(w, &out, h, at([]float64{1, 0})); got != want {
			t.Errorf("%q: %q, want %q", separator, got, want)
		}
	}
	// in one column of a .tsv file a comma might separate, too
	var single bytes.Buffer
	tabs := csvfmt.NewWriter(&single)
	tabs.Separator = '\t'
	if got, want := written(tabs, &single, &format.Header{Attributes: []format.Attribute{nominal("x", "1,5", "a")}}, row(0)),
		`column 1, "x": a reader would take labels for numbers, since all have a comma, which separates`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var once bytes.Buffer
	w := csvfmt.NewWriter(&once)
	for _, want := range []string{"<nil>", "csvfmt: the header is written already"} {
		if err := w.WriteHeader(&format.Header{Attributes: []format.Attribute{{Name: "a"}, {Name: "b"}}}); fmt.Sprint(err) != want {
			t.Errorf("WriteHeader: %v, want %s", err, want)
		}
	}
	if err := w.Flush(); err != nil || once.String() != "a,b\n" {
		t.Errorf("%q was written, %v", once.String(), err)
	}
	if err := csvfmt.NewWriter(new(bytes.Buffer)).Write(row(1)); err == nil || err.Error() != "csvfmt: Write before WriteHeader" {
		t.Error(err)
	}
}

// Rows of formats that declare no columns, LIBSVM's for one.
func TestWriterFeatures(t *testing.T) {
	if err := csvfmt.NewWriter(io.Discard).WriteHeader(nil); err == nil || err.Error() != "csvfmt: there is no header" {
		t.Errorf("no header: %v", err)
	}
	h := &format.Header{Class: -1}
	for _, c := range []struct {
		features int
		rows     []format.Instance
		want     string
	}{
		{3, []format.Instance{row(1, 1, 0.5, 3, 2), row(-1), row(2, 2, 1)}, "att1,att2,att3,class\n0.5,0,2,1\n0,0,0,-1\n0,1,0,2\n"},
		{1, []format.Instance{row(1, 1, 5)}, "att1,class\n5,1\n"},
		{2, []format.Instance{row(1, 3, 5)}, "a value with index 3, expected 1 to 2"},
		{2, []format.Instance{row(1), row(1, 0, 5)}, "a value with index 0, expected 1 to 2"},
		{0, nil, "the header declares no columns, and the number of features is not set"},
		{1 << 20, nil, "more than 1048576 columns: 1048577"},
	} {
		var out bytes.Buffer
		w := csvfmt.NewWriter(&out)
		w.Features = c.features
		if got := written(w, &out, h, c.rows...); got != c.want {
			t.Errorf("%d features: %.200q, want %q", c.features, got, c.want)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head     string
		csv, tsv bool
	}{
		{"a,b\n1,2\n", true, false},
		{"a\tb\n1\t2\n", true, true},
		{"a;b\n1;2\n", true, false},
		{"1,2\n3,4\n5,", true, false},
		{"1,2", true, false},
		{"a,b\r1,2\r", true, false},
		{"\ufeff\n\"a\nb\",c\n1,2\n\"x", true, false},
		{"a,b\n1,2,3\n", false, false},
		{"\ta\tb\nx\t1\t2\nx\t3\t4\n", true, true}, // the first name is empty
		{"\n  \n\t1\t2\n1\t\t3\n", true, true},
		{"\n,a\n1,2\n", true, false},
		{"\t1 1:x\n\t1 2:3\n", false, false}, {"\tA text\n\tin lines\n", false, false},
		{"\t \n\r\n", false, false}, {"\t% a\tb\n", false, false},
		{"1 1:2 2:3\n-1 1:4\n", false, false},
		{"@relation x\n@attribute a,b\n", false, false},
		{"% a, b\n@relation a,b\n", false, false},
		{"a\nb\n", false, false},
		{"", false, false}, {"\n", false, false}, {"\x00,\x00\n", false, false}, {"\xff,\xfe\n", false, false},
		{"svm_type c_svc\nkernel_type rbf\n", false, false},
		{"a,\"b\n", false, false},
		{"a,\"b\" c\n", false, false},
		{"\"a\",\"b\",\"name, cut", true, false}, {"\"a\"\t\"b\"\t\"c", true, true}, // lines longer than what is looked at
		{"größe,höhe,l\xc3", true, false}, {"größe;h\xe2\x82", true, false}, {"größe,h\xc3\n", false, false}, {"größe,h\xc3x", false, false},
		{"\"a", false, false}, {"\xc3", false, false},
	} {
		if got := csvfmt.Codec.Sniff([]byte(c.head)); got != c.csv {
			t.Errorf("%q: CSV %t", c.head, got)
		}
		if got := csvfmt.TSV.Sniff([]byte(c.head)); got != c.tsv {
			t.Errorf("%q: TSV %t", c.head, got)
		}
	}
}
