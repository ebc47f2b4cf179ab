package csvfmt_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// A word among its numbers makes a column Nominal, with a label for each number. That is no error,
// so a program that expects numbers asks for it. Here the word stands for a missing value, and the
// reader is told so. (Where Reader.Numeric is set, and Reader.Nominal names the columns that have
// labels, any word in another column is an error.)
func ExampleReader_Mixed() {
	const table = "height,weight,class\n1.8,80,a\n1.6,NA,b\n1.7,65,a\n"
	r := csvfmt.NewReader(strings.NewReader(table))
	header, err := r.Header()
	if err != nil {
		log.Fatal(err)
	}
	var missing []string
	for _, m := range r.Mixed() {
		a := header.Attributes[m.Attribute]
		fmt.Printf("%d:%d: column %q has %d numbers, and the text %q\n", m.Line, m.Column, a.Name, m.Numbers, m.Text)
		fmt.Printf("nominal: %t, labels %q\n", a.Type == format.Nominal, a.Labels)
		if m.LooksMissing() {
			missing = append(missing, m.Text)
		}
	}

	r = csvfmt.NewReader(strings.NewReader(table))
	r.Missing = missing
	d, err := format.ReadAll(context.Background(), r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d columns are mixed, the weights are", len(r.Mixed()))
	for i := range d.Len() {
		fmt.Print(" ", d.X.Row(i).At(1))
	}
	fmt.Println()
	// Output:
	// 3:5: column "weight" has 2 numbers, and the text "NA"
	// nominal: true, labels ["80" "NA" "65"]
	// 0 columns are mixed, the weights are 80 NaN 65
}
