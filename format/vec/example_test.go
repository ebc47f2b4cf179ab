package vec_test

import (
	"fmt"

	"github.com/slimsvm/slimsvm/format/vec"
)

// A row that is a slice, and one whose few values are in a map, such as counts of words.
func ExampleFromSlice() {
	fmt.Println(vec.FromSlice([]float64{0.5, 0, 3}))
	fmt.Println(vec.FromMap(map[int32]float64{12: 1, 7: 2}))
	// Output:
	// {[1 3] [0.5 3]}
	// {[7 12] [2 1]}
}
