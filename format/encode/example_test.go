package encode_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/encode"
)

// The encoding is learned from the training rows, kept as text beside the model, and applied to
// later rows whose columns are in another order.
func Example() {
	ctx := context.Background()
	raw, err := arff.Parse(ctx, strings.NewReader(`@relation weather
@attribute outlook {sunny,overcast,rainy}
@attribute humidity numeric
@attribute play {yes,no}
@data
rainy,96,yes
sunny,?,no
overcast,80,yes
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	learned, err := encode.Fit(ctx, raw, encode.Options{Scaling: encode.Normalize})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := learned.Encode(ctx, raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned.Names())
	for i, y := range d.Y {
		fmt.Println(learned.LabelText(y), d.X.Row(i))
	}
	text, err := learned.MarshalText()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))

	var e encode.Encoding
	if err := e.UnmarshalText(text); err != nil {
		fmt.Println(err)
		return
	}
	later := arff.NewReader(strings.NewReader(`@relation later
@attribute humidity numeric
@attribute outlook {overcast,rainy,sunny}
@data
72,sunny
`))
	header, err := later.Header()
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := e.Mapper(header)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := m.ReadAll(ctx, later, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rows.X.Row(0))
	// Output:
	// [outlook=sunny outlook=overcast outlook=rainy humidity CLASS play]
	// yes {[3 4] [1 1]}
	// no {[1 4] [1 0.5]}
	// yes {[2] [1]}
	// {"relation":"weather","class":3,"columns":3}
	// {"name":"outlook","type":"nominal","labels":["sunny","overcast","rainy"],"fill":0,"feature":1,"scale":[[0,1],[0,1],[0,1]]}
	// {"name":"humidity","type":"numeric","fill":88,"feature":4,"scale":[[80,16]]}
	// {"name":"play","type":"nominal","labels":["yes","no"],"fill":0,"feature":5}
	// {[1 4] [1 -0.5]}
}
