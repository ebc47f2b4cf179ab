package csvfmt_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
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

// A table of any size gets one column more. Codes such as 007 and numbers such as 1.50 keep their
// digits, because the reader keeps the texts of columns of numbers and the writer asks for them.
func ExampleReader_KeepTexts() {
	r := csvfmt.NewReader(strings.NewReader("code,name,price\n007,\"nut, small\",1.50\n012,bolt,\n")) // or what format.Open returns
	header, err := r.Header()
	if err != nil {
		log.Fatal(err)
	}
	columns := len(header.Attributes)
	kept := make([]bool, columns+1)
	var numbers []int32
	for i, a := range header.Attributes {
		if a.Type == format.Numeric {
			kept[i], numbers = true, append(numbers, int32(i))
		}
	}
	r.KeepTexts(numbers)
	w := csvfmt.NewWriter(os.Stdout)
	w.Text = func(column int) []byte {
		if !kept[column] {
			return nil // the new column: its numbers are written as they are
		}
		text, _, _ := r.Text(int32(column)) // of the row that was read last
		return text
	}
	err = w.WriteHeader(&format.Header{
		Attributes: append(slices.Clone(header.Attributes), format.Attribute{Name: "length"}),
		Class:      -1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		name := header.Attributes[1].Labels[int(row.X.Value[1])]
		row = row.Clone() // what Read returns must not grow
		row.X.Index, row.X.Value = append(row.X.Index, int32(columns)), append(row.X.Value, float64(len(name)))
		if err := w.Write(row); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// code,name,price,length
	// 007,"nut, small",1.50,10
	// 012,bolt,,4
}
