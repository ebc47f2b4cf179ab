package csvfmt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// TestWide: what a table is written in shows in lines behind the first, however long they are.
// Blanks between cells and names of rows were not seen behind a first line of 64 KiB.
func TestWide(t *testing.T) {
	const columns = 12_000
	table := func(separator, quote, rowName string) string {
		var b strings.Builder
		for k := range columns {
			fmt.Fprintf(&b, "%sgene%d%s%s", quote, k, quote, separator)
		}
		b.WriteString(quote + "class" + quote + "\n")
		for i := range 4 {
			if rowName != "" {
				fmt.Fprintf(&b, "%s%s%d%s%s", quote, rowName, i, quote, separator)
			}
			for k := range columns {
				fmt.Fprintf(&b, "%d.5%s", (i+1)*k%7, separator)
			}
			fmt.Fprintf(&b, "%s%c%s\n", quote, 'a'+i%2, quote)
		}
		return b.String()
	}
	for _, c := range []struct{ separator, quote, rowName string }{
		{" ", "", ""}, {" ", `"`, ""}, {" ", `"`, "s"}, {"\t", `"`, "s"}, {"\t", "", "s"}, {",", `"`, "s"}, {";", "", ""},
	} {
		text := table(c.separator, c.quote, c.rowName)
		r := csvfmt.NewReader(strings.NewReader(text))
		h, err := r.Header()
		if err != nil || len(h.Attributes) != columns+1 || h.Attributes[0].Name != "gene0" {
			t.Errorf("%q: %v", c, err)
			if err == nil {
				t.Errorf("%d columns, the first %.40q", len(h.Attributes), h.Attributes[0].Name)
			}
			continue
		}
		rows := 0
		for ; err == nil; rows++ {
			_, err = r.Read()
		}
		if rows != 5 {
			t.Errorf("%q: %d rows, %v", c, rows-1, err)
		}
	}
	for _, text := range []string{table(" ", `"`, ""), table(" ", `"`, "s"), table("\t", `"`, "s")} {
		for n := 4000; n < 4020; n++ {
			if !csvfmt.Codec.Sniff([]byte(text[:n])) {
				t.Errorf("a table that begins with %.20q is not recognised by its first %d bytes", text, n)
			}
		}
	}
}
