package kernel_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// laplace is exp(-gamma sum_i |x_i - z_i|).
type laplace struct{ gamma float64 }

func (k laplace) of(x, z vec.Vector) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(x.Index) || j < len(z.Index); {
		switch {
		case j == len(z.Index) || i < len(x.Index) && x.Index[i] < z.Index[j]:
			sum += math.Abs(x.Value[i]) // z does not list it: it is 0
			i++
		case i == len(x.Index) || z.Index[j] < x.Index[i]:
			sum += math.Abs(z.Value[j])
			j++
		default:
			sum += math.Abs(x.Value[i] - z.Value[j])
			i, j = i+1, j+1
		}
	}
	return math.Exp(-k.gamma * sum)
}

func (k laplace) RowTo(dst []float64, x vec.Vector, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = k.of(x, zs.Row(i))
	}
}

func (k laplace) EvaluateTo(dst []float64, x vec.Vector, zs *vec.Matrix) { k.RowTo(dst, x, zs) }

func (k laplace) DiagTo(dst []float64, zs *vec.Matrix) {
	for i := range dst {
		dst[i] = 1
	}
}

// A kernel of the program's own is used like those of this package. Model files have no name for it:
// what is written is a copy of the model with another kernel, and the kernel is set again when that
// has been read. Nothing else in a model depends on it. The example of [kernel.Precomputed] has a
// model whose file says all.
func ExampleKernel() {
	moons, _ := generate.Lookup("moons")
	data, test := moons.Generate(200, 1), moons.Generate(500, 2)
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: laplace{gamma: 1}}
	trained, err := t.Train(context.Background(), data, nil)
	if err != nil {
		log.Fatal(err)
	}
	named := *trained
	named.Kernel = kernel.Linear{}
	var file bytes.Buffer
	if err := models.Write(&file, &named); err != nil {
		log.Fatal(err)
	}

	// another program
	m, err := models.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	m.Kernel = laplace{gamma: 1}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	var scores predict.Scores
	for i, y := range test.Y {
		scores.Add(p.Predict(test.X.Row(i)), y)
	}
	fmt.Println("most rows right:", scores.Accuracy() > 0.9)
	// Output: most rows right: true
}

// Things that are no vectors, here words, are told apart by any function that says how alike two of
// them are. A row has the values against all training rows, after its own serial number. Of rows to
// predict that number means nothing. The model's vectors say which of the training rows it needs:
// the values against the others may be 0.
func ExamplePrecomputed() {
	words := []string{"pear", "apple", "cherry", "pineapple", "bolt", "nut", "screw", "nutcase", "jackscrew"}
	labels := []float64{1, 1, 1, 1, 2, 2, 2, 2, 2}
	pairs := func(word string) map[string]float64 {
		count := map[string]float64{}
		for i := range len(word) - 1 {
			count[word[i:i+2]]++
		}
		return count
	}
	alike := func(a, b string) (sum float64) { // pairs of letters that both have
		for pair, n := range pairs(a) {
			sum += n * pairs(b)[pair]
		}
		return sum
	}
	row := func(serial int, word string) vec.Vector {
		x := vec.Vector{Index: []int32{0}, Value: []float64{float64(serial)}}
		for j, other := range words {
			x.Index, x.Value = append(x.Index, int32(j+1)), append(x.Value, alike(word, other))
		}
		return x
	}
	var d format.Dataset
	for i, word := range words {
		d.Append(format.Instance{X: row(i+1, word), Y: labels[i], Weight: 1})
	}
	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.Precomputed{}}
	m, err := t.Train(context.Background(), &d, nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m) // or of the model that models.Read returns, once models.Write has written it
	if err != nil {
		log.Fatal(err)
	}
	needed := make([]string, len(words)) // all that the program that predicts has to know
	for i := range m.Vectors.Len() {
		serial, err := kernel.Serial(m.Vectors.Row(i))
		if err != nil {
			log.Fatal(err)
		}
		needed[serial-1] = words[serial-1]
	}
	fmt.Printf("%q\n", needed)
	words = needed
	for _, word := range []string{"crabapple", "corkscrew"} {
		x := row(0, word)
		if err := p.Check(x); err != nil {
			log.Fatal(err)
		}
		fmt.Println(word, p.Predict(x))
	}
	// Output:
	// ["pear" "apple" "cherry" "" "bolt" "nut" "screw" "" ""]
	// crabapple 1
	// corkscrew 2
}
