// Package models holds trained support vector machines, and reads and writes
// them as LIBSVM's model files.
//
// A model is a list of vectors and a bank of machines over them, each a function
//
//	f(x) = sum_k Coef[k] K(Vectors[Index[k]], x) - Rho
//
// and a rule that makes one answer of their values. The vectors may be rows of
// the training data or synthetic.
package models

import (
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Task is what a model answers, by LIBSVM's names of its formulations.
type Task int

// The tasks. C-SVC and nu-SVC models are of one kind once trained, as are the
// two regressions.
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

// A Model is a trained model. In JSON or gob it is the text of its file. What this package and methods
// make of a model may share memory with it: what is in slices of one is not changed in place.
type Model struct {
	Task   Task
	Kernel kernel.Kernel

	// Vectors are the vectors that the machines share. Those of a classifier
	// may be grouped by class: Group[c] of them belong to class c, and a machine
	// has coefficients for vectors of its two classes only.
	Vectors vec.Matrix
	// Origin[i] is the number, from 1, of the training row that vector i is, or
	// 0 if it is synthetic; nil when that is not known, as for a model that was
	// read from a file. Of an ensemble, whose files have it, the row is the exemplar of
	// machine i, or of its member.
	Origin []int

	Labels []int // of the classes, for a classifier; a class is named by its place here
	// Group is the number of vectors of each class, for a classifier whose
	// vectors are grouped; nil: any machine may have coefficients for any vector.
	Group []int

	// Vote says which machines a classifier has, and how they make an answer.
	Vote Vote
	// Ballot and Default belong to an Ensemble: what machines give their class, and
	// the class, as an index into Labels, where no machine is of any help.
	Ballot  Ballot
	Default int
	// Members are, of an Ensemble whose members tell several classes apart, the places
	// among the Machines where their hyperplanes begin; nil: each machine is a member,
	// and is silent about all classes but its own.
	Members []int
	// Machines are, for a classifier of k classes that votes OneVsOne, the
	// k(k-1)/2 machines of the pairs (0,1), (0,2), ..., (1,2), ...; of one that
	// votes OneVsRest the k machines of the classes; for an Ensemble one for each
	// vector; for the other tasks one machine.
	Machines []Machine

	// Probability says that the model carries probability information: a
	// classifier in its machines' Sigmoid, a regression in Noise, a one-class
	// model in DensityMarks.
	Probability bool
	// Noise is the scale sigma of the Laplace distribution of target minus
	// prediction.
	Noise float64
	// DensityMarks are ten increasing decision values at the borders of the
	// probability levels.
	DensityMarks []float64

	// Provenance says how a method came to the vectors; nil: LIBSVM's way, by
	// training.
	Provenance *Provenance

	// Inputs says, in the words of format/encode, how rows of a data set with
	// declared columns become feature vectors; nil: features are numbers as they
	// stand. A model file has it behind the vectors, where LIBSVM does not read. Neither Read nor
	// Write looks into it: UnmarshalInputs of encode.Encoding does.
	Inputs []byte
	// InputsLine is the number of the first line of Inputs in the file that the model was
	// read from; 0: it was not read.
	InputsLine int
}

// inputsMark is the line of a model file behind which Inputs stands.
const inputsMark = "slimsvm inputs"

// Marks is the number of a one-class model's DensityMarks.
const Marks = 10

// A Machine is one function over a model's vectors.
type Machine struct {
	// Pos and Neg are the classes that positive and other values vote for, as
	// indices into Labels; Neg is Rest where the others are all classes but Pos, or
	// where other values are no votes;
	// both 0 where there are no classes.
	Pos, Neg int

	// Index lists the vectors with a coefficient in order, which are of classes Pos
	// and Neg if the vectors are grouped; nil: all vectors of these, or all there are.
	Index   []int32
	Coef    []float64 // of each of these vectors
	Rho     float64
	Sigmoid *Sigmoid // from value to probability of class Pos; nil: none
}

// A Sigmoid maps a decision value f to the probability 1/(1+exp(A f + B)).
type Sigmoid struct{ A, B float64 }

// Pairs returns the number of one-vs-one machines of k classes, math.MaxInt if it is more than an int.
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

// GroupStart returns where the vectors of each class begin, and their number as
// last element; where they are not grouped, 0 and that.
func (m *Model) GroupStart() []int { return m.AppendGroupStart(make([]int, 0, len(m.Group)+2)) }

// AppendGroupStart appends to start what GroupStart returns.
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

// A Span is a run of vectors, From to To-1.
type Span struct{ From, To int }

func (s Span) has(i int) bool { return s.From <= i && i < s.To }

// Spans returns the vectors of a machine whose Index is nil, as two runs; start
// is what GroupStart returns.
func (c *Machine) Spans(start []int) [2]Span {
	if len(start) == 2 { // not grouped
		return [2]Span{{start[0], start[1]}}
	}
	return [2]Span{{start[c.Pos], start[c.Pos+1]}, {start[c.Neg], start[c.Neg+1]}}
}
