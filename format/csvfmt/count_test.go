package csvfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// A first record that has all names that are known holds names, whatever it looks like.
func TestKnownNames(t *testing.T) {
	known := func(names ...string) options {
		return func(r *csvfmt.Reader) { r.Names = names }
	}
	const text = "8,a\n1,a\n2,b\n"
	wantMeaning(t, nil, text, "att1 *att2{a,b} | 8 a | 1 a | 2 b")
	wantMeaning(t, known("8"), text, "8 *a{a,b} | 1 a | 2 b")
	wantMeaning(t, known("a", "8"), text, "8 *a{a,b} | 1 a | 2 b")
	wantMeaning(t, known("a", "8", "9"), text, "att1 *att2{a,b} | 8 a | 1 a | 2 b")
	wantMeaning(t, known("a"), "a,a\n1,a\na,2\n", "att1{a,1} *att2{a,2} | a a | 1 a | a 2")
	wantMeaning(t, known("att1", "att2"), text, "att1 *att2{a,b} | 8 a | 1 a | 2 b")
	wantMeaning(t, known("x", "9"), "x,9,1\n1,2,3\n", "x 9 *1 | 1 2 3")
	wantMeaning(t, func(r *csvfmt.Reader) { r.Names, r.FirstLine = []string{"8"}, csvfmt.FirstLineRow }, text, "att1 *att2{a,b} | 8 a | 1 a | 2 b")
}

// pandas writes 0, 1, 2 above columns that have no names. Where the rest of a text does
// not tell those from a row, nobody can.
func TestFirstLineCounts(t *testing.T) {
	rows := func(n int, row string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("#", fmt.Sprint(i+3), "@", []string{"cat", "dog"}[i%2]).Replace(row) + "\n")
		}
		return b.String()
	}
	const unclear = "1:%d: cannot tell whether the first line holds names: its numbers, %s, may be those of columns, and %s; say which it is"
	noRow, noWhole := `no row has the text "label"`, "the numbers below are not whole"
	for _, c := range []struct{ text, want string }{
		{"0,1,2,3,label\n" + rows(30, "0.#,0.2,0.7,0.5,@"), fmt.Sprintf(unclear, 1, "0, 1, 2, ...", noRow)},
		{"0,1,label\n" + rows(4, "#,2,@"), fmt.Sprintf(unclear, 1, "0, 1", noRow)},
		{",0,1,label\n" + rows(4, "#,7,2,@"), fmt.Sprintf(unclear, 2, "0, 1", noRow)},
		{"label,2001,2002\n" + rows(6, "@,#,\"2\""), fmt.Sprintf(unclear, 7, "2001, 2002", noRow)},
		{"2000;2010;2015;label\n" + rows(12, "#.5;2;7;@"), fmt.Sprintf(unclear, 1, "2000, 2010, 2015", noRow)},
		{"9,10,11,12\n" + rows(2, "#,2.5,7,1"), fmt.Sprintf(unclear, 1, "9, 10, 11, ...", noWhole)},
		{"0,1,2\n" + rows(2, "#,1e3,\"7.0\""), fmt.Sprintf(unclear, 1, "0, 1, 2", noWhole)},
		{"0 1 label\n" + rows(4, "# 2 @"), fmt.Sprintf(unclear, 1, "0, 1", noRow)},
		// rows
		{"0,1,cat\n" + rows(4, "#,2,@"), ""},
		{"1,2,3\n" + rows(2, "#,2,7"), ""},
		{"1,2,3,4\n" + rows(2, "#,2,7,9"), ""},
		{"5,3,8,1\n" + rows(2, "#,2.5,7,9"), ""},
		{"1,2,3\n" + rows(2, "#,2.5,7"), ""},
		{"0,1\n" + rows(9, "#,2.5"), ""},
		{"0,1,label\n" + rows(9, "#,2,@#"), ""},         // no label comes again
		{"0,2,label\n" + rows(12, "#,2,@"), ""},         // all numbers are whole
		{"0,2,label\n" + rows(9, "#.5,2,@"), ""},        // few rows
		{"0,0,label\n" + rows(12, "#.5,2,@"), ""},       // equal numbers
		{"0,1.5,label\n" + rows(12, "#.5,2,@"), ""},     // not whole
		{"0,1,?,label\n" + rows(12, "#.5,2,1,@"), ""},   // a missing value
		{"0,1,label,dog\n" + rows(12, "#.5,2,@,@"), ""}, // another text comes again
		{"7,label\n" + rows(12, "#.5,@"), ""},           // one number tells nothing
		{"0,1,-2\n" + rows(2, "#,2.5,7"), ""},
	} {
		if c.want != "" {
			wantMeaning(t, nil, c.text, c.want)
			continue
		}
		r := csvfmt.NewReader(strings.NewReader(c.text))
		if got := meaning(r); !strings.HasPrefix(got, "att1") && !strings.HasPrefix(got, "*att1") {
			t.Errorf("%.40q means %.200q, want a row first", c.text, got)
		}
	}
	text := "0,1,label\n5,7,cat\n6,8,cat\n"
	wantMeaning(t, func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineNames }, text, "0 1 *label{cat} | 5 7 cat | 6 8 cat")
	wantMeaning(t, func(r *csvfmt.Reader) { r.FirstLine = csvfmt.FirstLineRow }, text, "att1 att2 *att3{label,cat} | 0 1 label | 5 7 cat | 6 8 cat")
	wantMeaning(t, nil, "\"0\",\"1\",\"label\"\n5,7,\"cat\"\n6,8,\"cat\"\n", "0 1 *label{cat} | 5 7 cat | 6 8 cat")
	wantMeaning(t, func(r *csvfmt.Reader) { r.Missing = []string{"0"} }, text, "att1 att2 *att3{label,cat} | ? 1 label | 5 7 cat | 6 8 cat")
}
