package encode_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// A table has a column of weights, and one that says whose a row is; neither is a feature. The rows
// are encoded one by one, not by Encode, so that it is known which of them have no label and are left
// out. Folds for [train.CrossValidate] then keep what is of one patient together.
func ExampleMapper_Row() {
	ctx := context.Background()
	table := csvfmt.NewReader(strings.NewReader(`patient,weight,pulse,smokes,ill
anna,1,61,no,no
anna,2,64,no,no
bert,1,88,yes,yes
bert,1,93,yes,
cora,3,70,yes,yes
cora,1,72,yes,no
`))
	table.Groups, table.Weights = "patient", "weight" // so that none of the two is taken for the label
	table.Nominal = []string{"patient"}               // even if all are numbers, or nearly all different
	raw, err := format.ReadAll(ctx, table)
	if err != nil {
		log.Fatal(err)
	}
	const patient, weight = 0, 1 // columns, or what FindColumn returns
	for i := range raw.Len() {
		raw.Weight = append(raw.Weight, raw.X.Row(i).At(weight))
	}
	e, err := encode.Fit(ctx, raw, encode.Options{Drop: []string{"patient", "weight"}, Scaling: encode.Standardize})
	if err != nil {
		log.Fatal(err)
	}
	mapper, err := e.Mapper(raw.Header)
	if err != nil {
		log.Fatal(err)
	}
	var d format.Dataset
	var groups []int
	var x vec.Vector
	for i := range raw.Len() {
		row := raw.X.Row(i)
		y := mapper.Row(&x, row)
		if math.IsNaN(y) {
			continue // no label
		}
		d.Append(format.Instance{X: x, Y: y, Weight: raw.Weight[i]})
		groups = append(groups, int(row.At(patient))) // the place of the text among the column's labels
	}
	folds, err := train.CrossValidationGroupedFolds(models.CSVC, d.Y, groups, 3, train.NewRand(1), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Weight, groups)
	for f := range len(folds.Start) - 1 {
		fmt.Println(folds.Perm[folds.Start[f]:folds.Start[f+1]])
	}
	// Output:
	// [1 2 1 3 1] [0 0 1 2 2]
	// [0 1]
	// [3 4]
	// [2]
}
