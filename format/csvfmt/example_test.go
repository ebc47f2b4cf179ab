package csvfmt_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// The separator, the names and the column types are found out.
func ExampleParse() {
	d, err := csvfmt.Parse(context.Background(), strings.NewReader("colour;size;class\nred;1.5;a\nblue;;b\nred;4;a\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range d.Header.Attributes {
		fmt.Println(a.Name, a.Labels)
	}
	for i := range d.Len() {
		fmt.Println(d.X.Row(i).Value)
	}
	// Output:
	// colour [red blue]
	// size []
	// class [a b]
	// [0 1.5 0]
	// [1 NaN 1]
	// [0 4 0]
}

// This writes a table in another form: with tabs, and NA for missing values.
func ExampleWriter() {
	w := csvfmt.NewWriter(os.Stdout)
	w.Separator, w.Missing = '\t', "NA"
	n, err := format.Copy(w, csvfmt.NewReader(strings.NewReader("colour,size\nred,1.5\n\"dark blue\",\n")))
	fmt.Println(n, "rows", err)
	// Output:
	// colour	size
	// red	1.5
	// dark blue	NA
	// 2 rows <nil>
}
