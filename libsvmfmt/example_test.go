package libsvmfmt_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

func ExampleParse() {
	text := strings.NewReader("+1 1:0.5 3:2\n-1 2:1e-3\n")
	d, err := libsvmfmt.Parse(context.Background(), text)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, y := range d.Y {
		x := d.X.Row(i)
		fmt.Println(y, x.Index, x.Value)
	}
	// Output:
	// 1 [1 3] [0.5 2]
	// -1 [2] [0.001]
}

// An error says where the fault is.
func ExampleParse_fault() {
	_, err := libsvmfmt.Parse(context.Background(), strings.NewReader("+1 1:0.5 3:2\n-1 2:O.1\n"))
	fmt.Println(format.WithPath(err, "train.txt"))
	// Output:
	// train.txt:2:6: expected a number as value of feature 2, found "O.1"
}

func ExampleWriter() {
	w := libsvmfmt.NewWriter(os.Stdout)
	for i, value := range []float64{0.5, 1. / 3} {
		row := format.Instance{Y: float64(i), Weight: 1, X: vec.Vector{Index: []int32{1, 7}, Value: []float64{value, 1}}}
		if err := w.Write(row); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 1:0.5 7:1
	// 1 1:0.3333333333333333 7:1
}
