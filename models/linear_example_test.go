package models_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/smo"
)

// weights returns the w of a machine of a linear model, whose value is w.x - Rho: for each feature.
func weights(m *models.Model, machine *models.Machine) map[int32]float64 {
	w := map[int32]float64{}
	add := func(vector int, coef float64) {
		z := m.Vectors.Row(vector)
		for k, feature := range z.Index {
			w[feature] += coef * z.Value[k]
		}
	}
	coef := machine.Coef
	if machine.Index != nil {
		for k, vector := range machine.Index {
			add(int(vector), coef[k])
		}
		return w
	}
	for _, span := range machine.Spans(m.GroupStart()) {
		for vector := span.From; vector < span.To; vector++ {
			add(vector, coef[0])
			coef = coef[1:]
		}
	}
	return w
}

// Messages are rows of words: each word has a number, and a row lists only the words that it has.
// Errors on the few messages of class 1 cost twice as much. The machine of a linear model is a
// weight for each word: positive weights speak for m.Labels[machine.Pos].
func ExampleMachine_Spans() {
	messages := []string{
		"lunch at noon", "report for you", "thanks for the report", "see you at lunch", "you won a prize",
		"the report is late", "a prize for you", "lunch is at one",
	}
	labels := []float64{0, 0, 0, 0, 1, 0, 1, 0}
	number := map[string]int32{} // from 1, as features are numbered
	row := func(message string) vec.Vector {
		count := map[int32]float64{}
		for word := range strings.FieldsSeq(message) {
			if number[word] != 0 { // words that no training row has are left out
				count[number[word]]++
			}
		}
		return vec.FromMap(count)
	}
	for _, message := range messages {
		for word := range strings.FieldsSeq(message) {
			if number[word] == 0 {
				number[word] = int32(len(number) + 1)
			}
		}
	}
	var d format.Dataset
	for i, message := range messages {
		d.Append(format.Instance{X: row(message), Y: labels[i], Weight: 1})
	}
	t := train.OneVsOne{
		Solver: smo.DefaultCSVC(), Kernel: kernel.Linear{},
		Weights: []train.ClassWeight{{Label: 1, Weight: 2}},
	}
	m, err := t.Train(context.Background(), &d, nil)
	if err != nil {
		log.Fatal(err)
	}
	machine := &m.Machines[0] // two classes have one
	w := weights(m, machine)
	value := -machine.Rho // as the Decisions of a predict.Predictor
	x := row("a prize at noon")
	for k, feature := range x.Index {
		value += w[feature] * x.Value[k]
	}
	label := func(value float64) int {
		if value > 0 {
			return m.Labels[machine.Pos]
		}
		return m.Labels[machine.Neg]
	}
	fmt.Println("a prize at noon:", label(value))
	for _, word := range []string{"prize", "lunch"} {
		fmt.Println(word, "speaks for", label(w[number[word]]))
	}
	// Output:
	// a prize at noon: 1
	// prize speaks for 1
	// lunch speaks for 0
}
