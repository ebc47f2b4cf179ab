package csvfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Words for missing values that the Reader is told stand for them in quotes too, where the column's
// other cells are numbers: a table in which all is in quotes has no others. Elsewhere they are text.
func TestQuotedMissing(t *testing.T) {
	told := func(words ...string) options {
		return func(r *csvfmt.Reader) { r.Missing = words }
	}
	row := func(words ...string) options {
		return func(r *csvfmt.Reader) { r.Missing, r.FirstLine = words, csvfmt.FirstLineRow }
	}
	for _, c := range []struct {
		set        options
		text, want string
	}{
		{told(""), "\"x\",\"k\"\n\"1.5\",\"p\"\n\"\",\"q\"\n\"3\",\"q\"\n", "x *k{p,q} | 1.5 p | ? q | 3 q"},
		{told(""), "\"x\",\"k\"\n\"\",\"p\"\n\"1.5\",\"\"\n", "x *k{p,} | ? p | 1.5 "},
		{told("NA"), "\"x\",\"k\"\n\"NA\",\"NA\"\n\"1\",\"q\"\n", "x *k{NA,q} | ? NA | 1 q"},
		{told("NA"), "x,\"k\"\n1,\"p\"\n\"NA\",\"q\"\nNA,\"q\"\n", "x *k{p,q} | 1 p | ? q | ? q"},
		{told("?"), "x,k\n1,p\n\"?\",q\n", "x *k{p,q} | 1 p | ? q"},
		{told("-999"), "\"x\",\"k\"\n\"-999\",\"p\"\n\"1\",\"q\"\n", "x *k{p,q} | ? p | 1 q"},
		// another text makes labels of all that is not missing without quotes
		{told("NA"), "x,k\n1,p\n\"NA\",q\nNA,q\nb,q\n2,q\n", "x{1,NA,b,2} *k{p,q} | 1 p | NA q | ? q | b q | 2 q"},
		{told("NA"), "x,k\nb,p\n\"NA\",q\n", "x{b,NA} *k{p,q} | b p | NA q"},
		{told("NA"), "x,k\n\"NA\",p\n\"NA\",q\n", "x{NA} *k{p,q} | NA p | NA q"},
		// quotes around all of a column mean something where other cells have none
		{told("NA"), "x,k\n\"1\",3\n\"NA\",4\n", "x{1,NA} *k | 1 3 | NA 4"},
		// the empty text needs no telling, and is one where nothing is a number
		{told(), "x,k\n1,3\n\"\",4\n", "x *k | 1 3 | ? 4"},
		{told("NA"), "\"x\",\"k\"\n\"\",\"p\"\n\"1.5\",\"\"\n", "x *k{p,} | ? p | 1.5 "},
		{told(), "\"x\",\"k\"\n\"\",\"3\"\n\"\",\"4\"\n", "x{} *k |  3 |  4"},
		{told(), "x,k\n\"1\",3\n\"\",4\n", "x{1,} *k | 1 3 |  4"},
		{told(), "x,k\n\"1,5\",3\n\"\",4\n", "x *k | 2:1: the number \"1,5\" has a comma: expected a decimal point, and nothing between thousands"},
		{told(), "x,k\nb,3\n\"\",4\n,5\n", "x{b,} *k | b 3 |  4 | ? 5"},
		{row(), "\"\",1\n5,2\n", "att1 *att2 | ? 1 | 5 2"},
		// nobody said so
		{told(), "x,k\n1,3\n\"NA\",4\n", "x{1,NA} *k | 1 3 | NA 4"},
		// in the first line, too
		{row("NA"), "\"NA\",1\n5,2\n", "att1 *att2 | ? 1 | 5 2"},
		{row("NA"), "\"NA\",1\nb,2\n", "att1{NA,b} *att2 | NA 1 | b 2"},
		{row("NA"), "\"NA\",1\n\"NA\",2\n", "att1{NA} *att2 | NA 1 | NA 2"},
		{row("NA"), "b,1\n\"NA\",2\n5,3\n", "att1{b,NA,5} *att2 | b 1 | NA 2 | 5 3"},
		{told("NA"), "\"NA\",1\n\"NA\",1\n", "att1{NA} *att2 | NA 1 | NA 1"},
		// and where it is found out that this is a row, and has the only number
		{told("NA"), "5,p\n\"NA\",q\n\"NA\",p\n", "att1 *att2{p,q} | 5 p | ? q | ? p"},
		{told("NA"), "\"5\",p\n\"NA\",q\n\"NA\",p\n", "att1{5,NA} *att2{p,q} | 5 p | NA q | NA p"},
		{told("NA"), "b,1\n\"NA\",2\n\"NA\",3\nNA,1\n", "att1{b,NA} *att2 | b 1 | NA 2 | NA 3 | ? 1"},
		{func(r *csvfmt.Reader) { r.Missing, r.Numeric = []string{""}, true }, "x,k\n1,2\n\"\",3\n", "x *k | 1 2 | ? 3"},
		{func(r *csvfmt.Reader) { r.Missing, r.Nominal = []string{""}, []string{"x"} }, "x,k\n1,2\n\"\",3\n", "x{1,} *k | 1 2 |  3"},
	} {
		wantMeaning(t, c.set, c.text, c.want)
	}
}

// TestQuotedMissingIsNoText: such words are no texts that a column is mixed for, and do not make it
// one of text.
func TestQuotedMissingIsNoText(t *testing.T) {
	var text strings.Builder
	text.WriteString("\"x\",\"k\"\n")
	for i := range 300 {
		fmt.Fprintf(&text, "\"%d.5\",\"p\"\n\"\",\"q\"\n", i)
	}
	r := csvfmt.NewReader(strings.NewReader(text.String()))
	r.Missing = []string{""}
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	if a := h.Attributes[0]; a.Type != format.Numeric || len(r.Mixed()) > 0 {
		t.Errorf("type %v, mixed %v", a.Type, r.Mixed())
	}
}

// TestQuotedMissingAmongTexts: of a column of text, words that the Reader is told are text in
// quotes, whatever they look like and wherever they stand, and another text is the one that it is
// mixed for.
func TestQuotedMissingAmongTexts(t *testing.T) {
	for text, want := range map[string]string{
		"x,k\nb,1\n\"-9\",2\n":              "[]",
		"x,k\n\"-9\",1\nb,2\n":              "[]",
		"x,k\n3,1\nb,2\n\"-9\",1\n":         "[{0 1 2 3 1 b}]",
		"x,k\n3,1\n\"-9\",1\nb,2\n":         "[{0 1 2 4 1 b}]",
		"b,1\n\"-9\",1\nb,2\n":              "[]",
		"\"NA\",1\nb,2\n3,3\n":              "[{0 1 2 2 1 b}]",
		"\"-9\",1\nb,2\n3,3\n":              "[{0 1 2 2 1 b}]",
		"\"NA\",1\n\"NA\",2\n3,3\nb,2\n":    "[{0 1 3 4 1 b}]",
		"c,1\n\"NA\",2\n3,3\nb,2\n\"NA\",5": "[{0 1 4 1 1 c}]",
	} {
		for _, first := range []csvfmt.FirstLine{csvfmt.FirstLineDetected, csvfmt.FirstLineRow} {
			if first == csvfmt.FirstLineRow && text[0] == 'x' {
				continue
			}
			r := csvfmt.NewReader(strings.NewReader(text))
			r.Missing, r.FirstLine, r.Class = []string{"NA", "-9"}, first, "2"
			if _, err := r.Header(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(r.Mixed()); got != want {
				t.Errorf("%q, first line %d: mixed %s, want %s", text, first, got, want)
			}
		}
	}
}
