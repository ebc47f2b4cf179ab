package libsvmfmt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/formattest"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// cases are texts and what they mean: rows as "label index:value ...", joined by
// "; ", and the error behind them. They follow the rows of the table in which
// LIBSVM's own behaviour is recorded.
var cases = []struct {
	name, text, rows, err string
}{
	// separators
	{"blanks", "1 1:2 3:4\n-1 2:0.5\n", "1 1:2 3:4; -1 2:0.5", ""},
	{"tabs", "1\t1:2\t3:4\n", "1 1:2 3:4", ""},
	{"many blanks", "  1 \t 1:2   3:4 \t\n \t-1 2:0.5", "1 1:2 3:4; -1 2:0.5", ""},

	// line ends
	{"no last newline", "1 1:2\n-1 2:3", "1 1:2; -1 2:3", ""},
	{"CRLF", "1 1:2\r\n-1 2:3 \r\n", "1 1:2; -1 2:3", ""},
	{"CRLF behind a label", "1\r\n-1 2:3\r\n", "1; -1 2:3", ""},
	{"CR alone", "1 1:2\r-1 2:3\r", "", `1:5: expected a blank behind the value of feature 1, found "2\r-1"`},
	{"CR alone, labels only", "1\r-1\r", "", `1:1: the label is not a number: "1\r-1"`},
	{"byte order mark", "\ufeff1 1:2\n", "1 1:2", ""},
	{"byte order mark and fault", "\ufeffx 1:2\n", "", `1:4: the label is not a number: "x"`},
	{"model", "svm_type c_svc\nkernel_type rbf\n", "", `1:1: the label is not a number: "svm_type", which is how a model begins`},
	{"ranges", "x\n-1 1\n", "", `1:1: the label is not a number: "x", which is how a file of svm-scale's ranges begins`},
	{"second byte order mark", "1 1:2\n\ufeff1 1:2\n", "1 1:2", `2:1: the label is not a number: "\ufeff1"`},
	{"UTF-16", "\xff\xfe1\x00 \x001\x00", "", `1:1: the label is not a number: "\xff\xfe1\x00"`},
	{"gzip", "\x1f\x8b\x08\x00", "", `1:1: the label is not a number: "\x1f\x8b\b\x00"`},
	{"NUL in a label", "1\x00 1:2\n", "", `1:1: the label is not a number: "1\x00"`},
	{"NUL behind a label", "1 \x001:2\n", "", `1:3: expected index:value, found "\x001:2"`},
	{"NUL in a value", "1 1:2\x00 3:4\n", "", `1:5: expected a number as value of feature 1, found "2\x00"`},
	{"NUL in a comment", "1 1:2 # \x00\n", "", `1:7: expected index:value, found "#"`},

	// empty lines
	{"empty file", "", "", ""},
	{"newline only", "\n", "", "1:1: empty line, expected a label"},
	{"empty line at the end", "1 1:2\n\n", "1 1:2", "2:1: empty line, expected a label"},
	{"blank line in the middle", "1 1:2\n \t\n2 1:2\n", "1 1:2", "2:1: empty line, expected a label"},
	{"CR in a line", "1 1:2\r\n\r\n", "1 1:2", "2:1: empty line, expected a label"},
	{"byte order mark only", "\ufeff", "", "1:1: empty line, expected a label"},

	// label
	{"label only", "1\n+2\n-3\n", "1; 2; -3", ""},
	{"label forms", "+1 1:1\n1e0 1:1\n1.0 1:1\n0x10 1:1\n.5 1:1\n-0 1:1\n1e-400 1:1\n", "1 1:1; 1 1:1; 1 1:1; 16 1:1; 0.5 1:1; -0 1:1; 0 1:1", ""},
	{"label text", "abc 1:2\n", "", `1:1: the label is not a number: "abc"`},
	{"label question mark", "1 1:1\n  ? 1:2\n", "1 1:1", `2:3: the label is not a number: "?"`},
	{"label text behind a tab", "1 1:1\n \tx 1:2\n", "1 1:1", `2:3: the label is not a number: "x"`},
	{"two labels", "1,2 1:2\n", "", `1:1: the label is not a number: "1,2"`},
	{"label cut", "1e 1:2\n", "", `1:1: the label is not a number: "1e"`},
	{"label nan", "nan 1:2\n", "", `1:1: the label is not a number: "nan" is not finite`},
	{"label inf", "1 1:1\n-inf 1:2\n", "1 1:1", `2:1: the label is not a number: "-inf" is not finite`},
	{"label overflow", "1e999 1:2\n", "", `1:1: the label is not a number: "1e999" is not finite`},
	{"label missing", "1:2 2:1\n", "", `1:1: the label is not a number: "1:2"`},
	{"label and vertical tab", "1\v1:2\n", "", `1:1: the label is not a number: "1\v1:2"`},
	{"label and form feed", "1\f1:2 3:4\n", "", `1:1: the label is not a number: "1\f1:2"`},
	{"label and no-break space", "1\u00a01:2\n", "", `1:1: the label is not a number: "1\u00a01:2"`},
	{"no-break space behind a label", "1\u00a0 1:2\n", "", `1:1: the label is not a number: "1\u00a0"`},
	{"byte order mark in the middle", "1 \ufeff1:2\n", "", `1:3: expected index:value, found "\ufeff1:2"`},
	{"space without width in an index", "1 1\u200b:2\n", "", `1:3: expected index:value, found "1\u200b:2"`},
	{"no-break space behind a value", "1 1:2\u00a03:4\n", "", `1:5: expected a number as value of feature 1, found "2\u00a03:4"`},
	{"vertical tab in an index", "1 1\v:2\n", "", `1:3: expected index:value, found "1\v:2"`},
	{"form feed inside a value", "1 1:\f2\f3\n", "", `1:5: expected a blank behind the value of feature 1, found "2\f3"`},

	// index
	{"index forms", "1 +1:1 002:2 3:3\n", "1 1:1 2:2 3:3", ""},
	{"index 0", "1 0:5 1:2\n", "1 0:5 1:2", ""},
	{"largest index", "1 2147483647:1\n", "1 2147483647:1", ""},
	{"index 2^31", "1 1:1 2147483648:1\n", "", `1:7: feature index "2147483648" is larger than 2147483647`},
	{"index 2^32+1", "1 4294967297:1\n", "", `1:3: feature index "4294967297" is larger than 2147483647`},
	{"index beyond int64", "1 9223372036854775808:1\n", "", `1:3: feature index "9223372036854775808" is larger than 2147483647`},
	{"index negative", "1 -1:1\n", "", `1:3: feature index "-1" is negative`},
	{"index twice", "1 1:1 1:2\n", "", "1:7: feature index 1 does not follow 1: indices must increase"},
	{"index descending", "1 3:1 2:2\n", "", "1:7: feature index 2 does not follow 3: indices must increase"},
	{"index hexadecimal", "1 0x1:1\n", "", `1:3: expected index:value, found "0x1:1"`},
	{"index fraction", "1 1.5:1\n", "", `1:3: expected index:value, found "1.5:1"`},
	{"indices start anew", "1 5:1\n1 1:1\n", "1 5:1; 1 1:1", ""},

	// value
	{"value forms", "1 1:0x1p4 2:1e2 3:-.5 4:+7 5:2.\n", "1 1:16 2:100 3:-0.5 4:7 5:2", ""},
	{"explicit zeros", "1 1:0 2:-0\n", "1 1:0 2:-0", ""},
	{"value overflow", "1 1:1e999\n", "", `1:5: value "1e999" of feature 1 is not a finite number`},
	{"value underflow", "1 1:1e-400\n", "", `1:5: value "1e-400" of feature 1 is too small for full precision`},
	{"value subnormal", "1 1:1e-310\n", "", `1:5: value "1e-310" of feature 1 is too small for full precision`},
	{"value with comma", "1 1:1,5\n", "", `1:5: expected a number as value of feature 1, found "1,5"`},
	{"value question mark", "1 1:? 2:1\n", "", `1:5: expected a number as value of feature 1, found "?"`},
	{"value with colon", "1 1:2:3\n", "", `1:5: expected a number as value of feature 1, found "2:3"`},
	{"value nan", "1 1:nan\n", "", `1:5: value "nan" of feature 1 is not a finite number`},
	{"value inf", "1 1:-inf\n", "", `1:5: value "-inf" of feature 1 is not a finite number`},
	{"value missing", "1 1:\n", "", "1:5: expected a number as value of feature 1, found the end of the line"},
	{"cut inside a pair", "1 1:2 5:", "", "1:9: expected a number as value of feature 5, found the end of the line"},
	{"cut inside an index", "1 1:2 5", "", `1:7: expected index:value, found "5"`},
	{"vertical tab behind a value", "1 1:2\v3:4 5:6\n", "", `1:5: expected a blank behind the value of feature 1, found "2\v3:4"`},

	// blanks around the colon
	{"blank behind a colon", "1 1: 2 3:\t4\n", "1 1:2 3:4", ""},
	{"blank before a colon", "1 1 :2\n", "", `1:3: expected index:value, found "1"`},
	{"blank behind a colon, then a pair", "1 1: 2:1\n", "", `1:5: expected a number as value of feature 1, found "2:1"`},
	{"colon first", "1 :1:2\n", "", `1:3: expected index:value, found ":1:2"`},

	// rest of a line
	{"comment", "1 1:2 # comment\n-1 # all zeros\n", "1 1:2; -1", ""},
	{"comment without blank", "1 1:2#c\n", "", `1:5: expected a number as value of feature 1, found "2#c"`},
	{"comment with colon", "1 1:2 # at 5:6\n", "", `1:7: expected index:value, found "#"`},
	{"comment line", "# comment\n1 1:2\n", "", `1:1: the label is not a number: "#"`},
	{"word at the end", "1 1:2 5\n", "", `1:7: expected index:value, found "5"`},
	{"junk at the end", "1 1:2 junk\n", "", `1:7: expected index:value, found "junk"`},
	{"qid", "1 qid:3 1:2\n", "", `1:3: expected index:value, found "qid:3"`},
	{"CSV", "a,b\n1,2\n", "", `1:1: the label is not a number: "a,b"`},
}

// text returns a row in the notation of the table.
func text(in format.Instance) string {
	var b strings.Builder
	fmt.Fprint(&b, in.Y)
	for k, i := range in.X.Index {
		fmt.Fprintf(&b, " %d:%v", i, in.X.Value[k])
	}
	return b.String()
}

// readAll returns the rows of a text in the notation of the table, and the error
// behind them, nil at the end of the text.
func readAll(r *libsvmfmt.Reader) (rows string, err error) {
	var all []string
	for {
		in, err := r.Read()
		if err == io.EOF {
			return strings.Join(all, "; "), nil
		}
		if err != nil {
			return strings.Join(all, "; "), err
		}
		if in.Weight != 1 {
			return "", fmt.Errorf("weight %v", in.Weight)
		}
		all = append(all, text(in))
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rows, err := readAll(libsvmfmt.NewReader(strings.NewReader(c.text)))
			if rows != c.rows || message(err) != c.err {
				t.Errorf("%q:\nrows [%s]\nwant [%s]\nerror %q\nwant  %q", c.text, rows, c.rows, message(err), c.err)
			}
			if e := (*format.Error)(nil); err != nil && !errors.As(err, &e) {
				t.Errorf("error of type %T", err)
			}
			d, err := libsvmfmt.Parse(context.Background(), strings.NewReader(c.text))
			if message(err) != c.err {
				t.Errorf("Parse: error %q, want %q", message(err), c.err)
			}
			if err == nil {
				var all []string
				for i, y := range d.Y {
					all = append(all, text(format.Instance{X: d.X.Row(i), Y: y}))
				}
				if got := strings.Join(all, "; "); got != c.rows {
					t.Errorf("Parse: rows [%s], want [%s]", got, c.rows)
				}
			}
		})
	}
}

func TestSentinels(t *testing.T) {
	for text, want := range map[string]error{
		"1 1:1\n\n": libsvmfmt.ErrEmptyLine,
		"a 1:1\n":   libsvmfmt.ErrLabel,
		"nan 1:1\n": libsvmfmt.ErrLabel,
	} {
		if _, err := readAll(libsvmfmt.NewReader(strings.NewReader(text))); !errors.Is(err, want) {
			t.Errorf("%q: %v is not %q", text, err, want)
		}
	}
}

func TestReaderAfterTheEnd(t *testing.T) {
	r := libsvmfmt.NewReader(strings.NewReader("1 1:2\n3 1:4\n"))
	for line := 1; line <= 2; line++ {
		if _, err := r.Read(); err != nil || r.Line() != line {
			t.Fatalf("line %d, %v, want line %d", r.Line(), err, line)
		}
	}
	for range 3 {
		if _, err := r.Read(); err != io.EOF {
			t.Errorf("%v, want EOF", err)
		}
	}
	r = libsvmfmt.NewReader(strings.NewReader("1 1:2\nx\n3 1:4\n"))
	r.Read()
	_, first := r.Read()
	if _, again := r.Read(); first == nil || again != first {
		t.Errorf("error %v, then %v", first, again)
	}
}

// A device that fails is not the end of the file, and its error is not the text's.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	text := "1 1:2\n3 1:"
	rows, err := readAll(libsvmfmt.NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))))
	if rows != "1 1:2" || err != broken {
		t.Errorf("rows [%s], error %v, want the row before and %v", rows, err, broken)
	}
	if d, err := libsvmfmt.Parse(context.Background(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); d != nil || err != broken {
		t.Errorf("Parse: %v, %v", d, err)
	}
}

func TestHeader(t *testing.T) {
	h, err := libsvmfmt.NewReader(strings.NewReader("x")).Header()
	if err != nil || !reflect.DeepEqual(h, &format.Header{Class: -1}) {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		"1 1:2\n":                  true,
		"+1\t3:4 5:6\r\n-1 x":      true,
		"\ufeff1 1:2\n":            true,
		"1\n":                      true,
		"1.5 # comment\n":          true,
		"1 1:2 3:":                 true, // cut by the sniffing
		"1 1:2 3":                  true,
		"1 1:2 3\n":                false, // a fault of the line
		"1":                        true,
		"":                         false,
		"\n":                       false,
		"a,b\n":                    false,
		"1,2\n":                    false,
		"@relation x\n":            false,
		"% comment\n":              false,
		"x\n0:1 1:2":               false,
		"1 a:b\n":                  false,
		"\x1f\x8b\b\x00\x00\x00":   false,
		"svm_type c_svc\nkernel_t": false,
		"# comment\n1 1:2\n":       false,
	} {
		if got := libsvmfmt.Codec.Sniff([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

func TestConformance(t *testing.T) {
	samples := []formattest.Sample{
		{Name: "plain", Text: "+1 1:0.5 3:-2\n-1\n", Rows: []format.Instance{formattest.Row(1, 1, 0.5, 3, -2), formattest.Row(-1)}},
		{Name: "loose", Text: "\ufeff1\t1: 2 \r\n 2 0:1 # x", Rows: []format.Instance{formattest.Row(1, 1, 2), formattest.Row(2, 0, 1)}},
		{Name: "empty line", Text: "1 1:2\n§\n", Rows: []format.Instance{formattest.Row(1, 1, 2)}, Fault: "empty line"},
		{Name: "label", Text: "1 1:2\n§x 1:2\n", Rows: []format.Instance{formattest.Row(1, 1, 2)}, Fault: `not a number: "x"`},
		{Name: "index", Text: "1 1:2 §1:3\n", Fault: "indices must increase"},
		{Name: "value", Text: "1 1:2 2:§y\n", Fault: `found "y"`},
	}
	formattest.Run(t, libsvmfmt.Codec, formattest.Limits{NoNonFinite: true, NoWeight: true, Concatenates: true}, samples...)
}
