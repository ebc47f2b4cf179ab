package predict_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/libsvmfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/predict"
)

// iris is the text of a model of four features with probabilities. A program has it from
//
//	//go:embed iris.model
//	var iris string
const iris = `svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho -8
label 1 2
probA -2
probB 0.25
nr_sv 1 1
SV
0.5 1:5.1 2:3.5 3:1.4 4:0.2
-0.5 1:6.4 2:3.2 3:4.5 4:1.5
`

// A server reads its model once, when it starts. All requests share the predictor; one that changes
// its model while it runs keeps the predictor in an atomic.Pointer. Features of a dense row are
// numbered from 1; rows of the same length can share the list of these numbers, so that nothing is
// copied. Predict and Probabilities allocate no memory.
func ExamplePredictor() {
	m, err := models.Read(strings.NewReader(iris))
	if err != nil {
		log.Fatal(err)
	}
	if !m.Task.Classifies() || !m.Probability {
		log.Fatal("expected a classifier with probabilities")
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	index := []int32{1, 2, 3, 4}
	answer := func(w http.ResponseWriter, r *http.Request) {
		var row []float64
		if err := json.NewDecoder(r.Body).Decode(&row); err != nil || len(row) != len(index) {
			http.Error(w, "expected a list of four numbers", http.StatusBadRequest)
			return
		}
		x := vec.Vector{Index: index, Value: row}
		if err := p.Check(x); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		probability := make([]float64, p.Outcomes())
		label, _ := p.Probabilities(probability, x)
		fmt.Fprintf(w, "label %g, probability of label %d %.3f", label, m.Labels[0], probability[0])
	}
	for _, body := range []string{"[5.0, 3.4, 1.5, 0.2]", "[6.5, 3.0, 4.6, 1.4]", "[1, 2]"} {
		response := httptest.NewRecorder()
		answer(response, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		fmt.Println(strings.TrimSpace(response.Body.String()))
	}
	// Output:
	// label 1, probability of label 1 0.995
	// label 2, probability of label 1 0.000
	// expected a list of four numbers
}

// A file of any size is answered as it is read, in constant memory. The file's labels, if they are
// known, come back with the answers.
func ExamplePredictor_Stream() {
	m, err := models.Read(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	rows := libsvmfmt.NewReader(strings.NewReader("1 1:2 2:-1\n-1 1:-3\n-1 2:0.5\n")) // or what format.Open returns
	next := func() (vec.Vector, float64, error) {
		row, err := rows.Read()
		if err != nil {
			return vec.Vector{}, 0, err // at the end io.EOF, with which the stream ends
		}
		return row.X, row.Y, p.Check(row.X)
	}
	var scores predict.Scores
	value := make([]float64, 1)
	err = p.Stream(context.Background(), runtime.GOMAXPROCS(0), next, func(b *predict.Batch, ys []float64) error {
		for r, y := range ys {
			b.Decisions(value, r)
			fmt.Println("label", b.Predict(r), "decision value", value[0])
			scores.Add(b.Predict(r), y)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.2f\n", scores.Accuracy())
	// Output:
	// label 1 decision value 1
	// label -1 decision value -3
	// label 1 decision value 0.5
	// accuracy 0.67
}

// The classes of a confusion matrix are numbers from 0: the positions of labels in the model. Rows
// may have labels that the model has never seen; these come after its own.
func ExampleConfusion() {
	m, err := models.Read(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	p, err := predict.New(m)
	if err != nil {
		log.Fatal(err)
	}
	labels := slices.Clone(m.Labels)
	number := func(label float64) int {
		i := slices.Index(labels, int(label))
		if i < 0 {
			i, labels = len(labels), append(labels, int(label))
		}
		return i
	}
	var confusion predict.Confusion
	for _, row := range [][3]float64{{1, 2, -1}, {1, 0.5, -1}, {-1, -3, 1}, {1, 4, 0}, {7, 2, 2}} { // label, features
		x := vec.Vector{Index: []int32{1, 2}, Value: row[1:]}
		confusion.Add(number(row[0]), number(p.Predict(x)), 1)
	}
	for i, label := range labels {
		s := confusion.Class(i)
		fmt.Printf("label %2d: precision %.2f, recall %.2f, F1 %.2f, %g rows\n", label, s.Precision, s.Recall, s.F1, s.Support)
	}
	// Output:
	// label  1: precision 0.67, recall 0.67, F1 0.67, 3 rows
	// label -1: precision 0.50, recall 1.00, F1 0.67, 1 rows
	// label  7: precision 0.00, recall 0.00, F1 0.00, 1 rows
}
