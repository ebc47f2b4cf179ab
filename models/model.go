// Package models holds trained support vector machines and reads and writes them as LIBSVM's model
// files.
//
// [Read] reads a model file, [Write] writes one, and package predict answers with a [Model]. A
// trainer (package train and the packages below it) returns a Model. The package example goes from
// a data file to a model file.
//
// A model is a list of vectors and a list of machines over them. Each machine is a function
//
//	f(x) = sum_k Coef[k] K(Vectors[Index[k]], x) - Rho
//
// and [Model.Vote] says how their values become one answer. The vectors are training rows or
// synthetic, depending on the method.
//
// LIBSVM's format requires that each vector of a classifier belongs to a class. A model whose
// machines share vectors freely is [Model.Extended]: Write uses the extended dialect, which this
// module reads and LIBSVM does not. [Lower] turns such a model into one for LIBSVM.
package models

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Task is what a model answers. The names are those of LIBSVM's formulations.
type Task int

// The tasks. Once trained, C-SVC and nu-SVC models answer in the same way, and so do the two kinds
// of regression.
const (
	CSVC Task = iota
	NuSVC
	OneClass
	EpsilonSVR
	NuSVR
)

var taskNames = [...]string{"c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"}

// String returns the task's name in model files.
func (t Task) String() string {
	if t < 0 || int(t) >= len(taskNames) {
		return fmt.Sprintf("Task(%d)", int(t))
	}
	return taskNames[t]
}

// Classifies reports whether the answers are class labels.
func (t Task) Classifies() bool { return t == CSVC || t == NuSVC }

// Regresses reports whether the answers are real numbers.
func (t Task) Regresses() bool { return t == EpsilonSVR || t == NuSVR }

// A Model is a trained model. It marshals to JSON and gob as the text of its model file.
//
// Models that functions derive from others (SelectMembers, Lean, Lower) may share memory with them.
// Do not change the contents of a model's slices. Several goroutines may use a model at once while
// none changes it.
type Model struct {
	Task   Task          // what the model answers
	Kernel kernel.Kernel // of all machines

	// Vectors are the vectors that the machines share. If a classifier's vectors are grouped, the
	// first Group[0] belong to class 0, the next Group[1] to class 1, and so on, and a machine has
	// coefficients only for vectors of its two classes.
	Vectors vec.Matrix
	// Origin[i] is the number, from 1, of the training row that vector i is, or 0 if the vector is
	// synthetic. nil means not known, as in a model that was read from a file. In an ensemble,
	// whose files keep it, Origin[i] is the exemplar of machine i or of its member.
	Origin []int

	Labels []int // of the classes, for a classifier; elsewhere a class is a position in Labels
	// Group is the number of vectors of each class, for a classifier whose vectors are grouped. nil
	// means that any machine may have coefficients for any vector.
	Group []int

	// Vote says which machines a classifier has and how they give an answer.
	Vote Vote
	// Ballot and Default are for an Ensemble. Ballot is what a member gives its class; Default, a
	// position in Labels, is the answer when no member is of any help.
	Ballot  Ballot
	Default int
	// Members is for an Ensemble whose members separate several classes: Members[i] is the position
	// in Machines of the first hyperplane of member i. nil means that each machine is a member and
	// says nothing about classes other than its own.
	Members []int
	// Machines has
	//
	//   - for a classifier of k classes with OneVsOne, the k(k-1)/2 machines of the pairs (0,1),
	//     (0,2), ..., (1,2), ...; with OneVsRest, one for each class
	//   - for an Ensemble, one for each vector
	//   - for other tasks, one
	Machines []Machine

	// Probability says that the model has probability information: a classifier in the Sigmoid of
	// each machine, a regression in Noise, a one-class model in DensityMarks.
	Probability bool
	// Noise is the scale sigma of a Laplace distribution of target minus prediction.
	Noise float64
	// DensityMarks are ten increasing decision values, the borders of the probability levels.
	DensityMarks []float64

	// Provenance says which method made the model; nil if LIBSVM's way of training did.
	Provenance *Provenance

	// Inputs is the text form of an encode.Encoding, which turns rows with declared columns into
	// feature vectors; nil if the features are numbers as they stand. In a model file it comes
	// after the vectors, where LIBSVM does not read. Read and Write copy it without looking into
	// it: pass it to encode.Encoding's UnmarshalInputs.
	Inputs []byte
	// InputsLine is the line number of the first line of Inputs in the file that the model was read
	// from; 0 if it was not read from a file.
	InputsLine int
}

// inputsMark is the line of a model file after which Inputs follows.
const inputsMark = "slimsvm inputs"

// Marks is the length of a one-class model's DensityMarks.
const Marks = 10

// A Machine is one function over a model's vectors.
type Machine struct {
	// Pos and Neg index Model.Labels: a positive value is a vote for Pos, any other value one for
	// Neg. Neg is Rest in a machine of one class against all others, and where other values are
	// no votes. Both are 0 in models without classes.
	Pos, Neg int

	// Index lists, in ascending order, the vectors that have a coefficient. If the vectors are
	// grouped they are of classes Pos and Neg. nil means all vectors of these classes, or all
	// vectors if they are not grouped.
	Index   []int32
	Coef    []float64 // one for each of these vectors, in order
	Rho     float64
	Sigmoid *Sigmoid // from the value to the probability of class Pos; nil: none
}

// A Sigmoid maps a decision value f to the probability 1/(1+exp(A f + B)).
type Sigmoid struct{ A, B float64 }

// Pairs returns the number of one-vs-one machines of k classes, k(k-1)/2, or math.MaxInt if that
// overflows an int.
func Pairs(k int) int {
	a, b := k, k-1
	if a%2 == 0 {
		a /= 2
	} else {
		b /= 2
	}
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

// PairIndex returns the position of the machine of classes i < j among the [Pairs] of k classes,
// which are in the order (0,1), (0,2), ..., (1,2), ...
func PairIndex(i, j, k int) int { return i*(2*k-i-1)/2 + j - i - 1 }

// GroupStart returns the position of the first vector of each class, followed by the number of
// vectors. If the vectors are not grouped, it returns 0 and that number.
func (m *Model) GroupStart() []int { return m.AppendGroupStart(make([]int, 0, len(m.Group)+2)) }

// AppendGroupStart appends the result of GroupStart to start.
func (m *Model) AppendGroupStart(start []int) []int {
	if m.Group == nil {
		return append(start, 0, m.Vectors.Len())
	}
	first := 0
	for _, n := range m.Group {
		start = append(start, first)
		first += n
	}
	return append(start, first)
}

// A Span is the run of vectors From to To-1.
type Span struct{ From, To int }

func (s Span) has(i int) bool { return s.From <= i && i < s.To }

// Spans returns the vectors of a machine whose Index is nil, as two runs. start is the result of
// [Model.GroupStart].
func (c *Machine) Spans(start []int) [2]Span {
	if len(start) == 2 { // the vectors are not grouped
		return [2]Span{{start[0], start[1]}}
	}
	return [2]Span{{start[c.Pos], start[c.Pos+1]}, {start[c.Neg], start[c.Neg+1]}}
}
