package libsvmfmt_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/formattest"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

var svmLightSamples = func() []formattest.Sample {
	row := formattest.Row
	rows := func(r ...format.Instance) []format.Instance { return r }
	return []formattest.Sample{
		{Name: "plain", Text: "+1 1:2 5:-0.5\n-1\n0 3:1e3\n", Rows: rows(row(1, 1, 2, 5, -0.5), row(-1), row(0, 3, 1000))},
		{Name: "comments", Text: "# a comment: with colons\n1 1:2 # 2:3 :: \"x\" #\n\n  \t# another\n-1 1:4#at once\n2# qid:3\n\r\n", Rows: rows(row(1, 1, 2), row(-1, 1, 4), row(2))},
		{Name: "comment first", Text: "\ufeff# x\n \n1.5 2:1\r\n", Rows: rows(row(1.5, 2, 1))},
		{Name: "comments only", Text: "# x\n#\n"},
		{Name: "not UTF-8", Text: "1 1:2 # \xff\x00\n1\n", Rows: rows(row(1, 1, 2), row(1))},
		{Name: "tiny", Text: "1 1:1e-310\n1 1:1e-400\n", Rows: rows(row(1, 1, 1e-310), row(1, 1, 0))},
		{Name: "query", Text: "1 1:2\n1 §qid:3 1:2\n", Rows: rows(row(1, 1, 2)), Fault: `query ids cannot be kept: found "qid:3"`},
		{Name: "bad query", Text: "1 §qid:x 1:2\n", Fault: `expected an integer as query id, found "qid:x"`},
		{Name: "query and blank", Text: "1 §qid: 3 1:2\n", Fault: `expected an integer as query id, found "qid:"`},
		{Name: "query cut by a comment", Text: "1 §qid:#3\n", Fault: `expected an integer as query id, found "qid:"`},
		{Name: "late query", Text: "1 1:2 §qid:3\n", Fault: `expected index:value, found "qid:3"`},
		{Name: "index 0", Text: "1 \t§0:2 1:2\n", Fault: "feature index 0: expected 1 or more"},
		{Name: "order", Text: "1 2:2 §1:2\n", Fault: "indices must increase"},
		{Name: "no target", Text: "# x\n  §1:2\n", Fault: `the label is not a number: "1:2"`},
		{Name: "word", Text: "§yes 1:2\n", Fault: `the label is not a number: "yes"`},
		{Name: "model", Text: "§SVM-light Version V6.02\n", Fault: `the label is not a number: "SVM-light", which is how a model of SVMlight's begins`},
		{Name: "infinite target", Text: "§-inf 1:2\n", Fault: "is not finite"},
		{Name: "infinite value", Text: "1 1:§inf\n", Fault: "is not a finite number"},
		{Name: "value cut by a comment", Text: "1 1:§#2\n", Fault: "expected a number as value of feature 1"},
		{Name: "word behind", Text: "1 1:2 §x # y\n", Fault: `expected index:value, found "x"`},
		{Name: "target cut by a colon", Text: "§1:# 2\n", Fault: `the label is not a number: "1:"`},
	}
}()

func TestSVMLight(t *testing.T) {
	formattest.Run(t, libsvmfmt.SVMLight, formattest.Limits{MinIndex: 1, NoNonFinite: true, NoWeight: true, Concatenates: true}, svmLightSamples...)
}

func TestSVMLightQueries(t *testing.T) {
	for text, want := range map[string]string{
		"1 qid:3 1:2\n-1 qid:-4\n2 1:1\n0 qid:12#x\n": "1[1]2;-1;2[1]1;0;",
		"1 qid:99999999999999999999\n":                `1:3: expected an integer as query id, found "qid:99999999999999999999"`,
		"1 qid:1.5\n":                                 `1:3: expected an integer as query id, found "qid:1.5"`,
		"1 qid:1 qid:2\n":                             `1:9: expected index:value, found "qid:2"`,
		"1 qid:1 0:2\n":                               "1:9: feature index 0: expected 1 or more",
		"1 QID:1\n":                                   `1:3: expected index:value, found "QID:1"`,
		"1qid:1\n":                                    `1:1: the label is not a number: "1qid:1"`,
	} {
		r := libsvmfmt.NewSVMLightReader(strings.NewReader(text))
		r.DropQueries = true
		got := ""
		for {
			in, err := r.Read()
			if err != nil {
				if err != io.EOF {
					got += err.Error()
				}
				break
			}
			got += fmt.Sprint(in.Y)
			for k, i := range in.X.Index {
				got += fmt.Sprintf("[%d]%v", i, in.X.Value[k])
			}
			got += ";"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	r := libsvmfmt.NewSVMLightReader(strings.NewReader("# x\n\n1 qid:3 1:2\n"))
	if _, err := r.Read(); !errors.Is(err, libsvmfmt.ErrQuery) || r.Line() != 3 {
		t.Errorf("line %d: %v", r.Line(), err)
	}
}

// FuzzSVMLight: no text makes the reader panic; without comments and empty lines
// it reads what LIBSVM's reader does, but for feature 0; what it reads comes back.
func FuzzSVMLight(f *testing.F) {
	for _, s := range svmLightSamples {
		f.Add([]byte(strings.ReplaceAll(s.Text, "§", "")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := libsvmfmt.SVMLight.Parse(t.Context(), bytes.NewReader(data))
		other, otherErr := libsvmfmt.Parse(t.Context(), bytes.NewReader(data))
		if otherErr == nil && !bytes.ContainsRune(data, '#') {
			zero := false
			for i := range other.Len() {
				x := other.X.Row(i)
				zero = zero || len(x.Index) > 0 && x.Index[0] == 0
			}
			if (err == nil) == zero || err == nil && !sameRows(d, other) {
				t.Errorf("%v, %+v; as LIBSVM's %+v", err, d, other)
			}
		}
		if e := (*format.Error)(nil); err != nil {
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 {
				t.Errorf("error %v does not name a place", err)
			}
			return
		}
		var b bytes.Buffer
		w := libsvmfmt.NewSVMLightWriter(&b)
		for i := range d.Len() {
			if err := w.Write(format.Instance{X: d.X.Row(i), Y: d.Y[i], Weight: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if again, err := libsvmfmt.SVMLight.Parse(t.Context(), &b); err != nil || !sameRows(d, again) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func sameRows(a, b *format.Dataset) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		x, y := a.X.Row(i), b.X.Row(i)
		if a.Y[i] != b.Y[i] || !slices.Equal(x.Index, y.Index) || !slices.Equal(x.Value, y.Value) {
			return false
		}
	}
	return true
}

func TestSVMLightRefusals(t *testing.T) {
	for message, in := range map[string]format.Instance{
		"weight 2 of a row, expected 1: the SVMlight format has no weights":                   {Weight: 2},
		"target NaN of a row: the SVMlight format holds finite numbers only":                  formattest.Row(math.NaN()),
		"value 3 of feature 0: the SVMlight format holds finite numbers from feature 1 on":    formattest.Row(1, 0, 3),
		"value +Inf of feature 2: the SVMlight format holds finite numbers from feature 1 on": formattest.Row(1, 1, 1, 2, math.Inf(1)),
	} {
		var b bytes.Buffer
		w := libsvmfmt.NewSVMLightWriter(&b)
		if err := w.Write(in); err == nil || err.Error() != message {
			t.Errorf("%v, want %s", err, message)
		}
		if err := w.Flush(); err != nil || b.Len() > 0 {
			t.Errorf("%q is written, %v", &b, err)
		}
	}
}

func TestSniffSVMLight(t *testing.T) {
	for head, want := range map[string]bool{
		"1 1:2\n": true, "# x\n\n1 qid:3 1:2 # y\njunk": true, "\ufeff# x\n1\n": true, "1 1:2 2:": true, "1 1:2 2:\n": false, "1 qid:3 1:2 3": true, "1 0x1p": false,
		"": false, "# x\n": false, "a,b\n1,2\n": false, "1,2\n": false, "1 2 3\n": false, "@relation x\n": false, "1 qid:x\n": false,
	} {
		if got := libsvmfmt.SVMLight.Sniff([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}
