package arff_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
)

// The rows have all columns, the label's included. The value of a nominal column is the position of
// its label. Package encode makes features of the rows.
func ExampleParse() {
	d, err := arff.Parse(context.Background(), strings.NewReader(`@relation weather
@attribute outlook {sunny,overcast,rainy}
@attribute humidity numeric
@attribute play {yes,no}
@data
rainy,96,yes
sunny,?,no
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range d.Header.Attributes {
		fmt.Println(a.Name, a.Type == format.Nominal, a.Labels)
	}
	for i := range d.Len() {
		fmt.Println(d.X.Row(i).Value)
	}
	// Output:
	// outlook true [sunny overcast rainy]
	// humidity false []
	// play true [yes no]
	// [2 96 0]
	// [0 NaN 1]
}
