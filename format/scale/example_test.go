package scale_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// Ranges measured on the training rows scale later rows to [-1,1], svm-scale's default. Write gives
// the range file that svm-scale -s writes.
func Example() {
	ctx := context.Background()
	m, err := scale.MeasureAll(ctx, libsvmfmt.NewReader(strings.NewReader("1 1:10 2:3\n-1 1:20 2:3\n1 1:30 2:3 4:8\n")))
	if err != nil {
		fmt.Println(err)
		return
	}
	ranges := m.Ranges(scale.Limits{Lower: -1, Upper: 1}, nil) // labels stay
	if err := scale.Write(os.Stdout, ranges); err != nil {
		fmt.Println(err)
		return
	}
	scaler := scale.NewScaler(ranges)
	var scaled vec.Vector
	if err := scaler.RowTo(&scaled, vec.Vector{Index: []int32{1, 2}, Value: []float64{25, 7}}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scaled)
	// Output:
	// x
	// -1 1
	// 1 10 30
	// 4 0 8
	// {[1 4] [0.5 -1]}
}
