package main

import (
	"io"
	"os"
	"runtime"

	"github.com/slimsvm/slimsvm/models"
)

// Problem: a second worker has memory of its own, which the system has to give it first, and is
// awake after some tenths of a millisecond. With few rows and few vectors one has answered by then.

// fewTerms is about how many features of vectors, and a few times as many vectors, are looked at for
// all rows in the time that a second worker gains when it takes half of the work.
const fewTerms = 100_000_000

const (
	pairBytes  = 6 // of text that a feature takes, or more
	vectorTime = 8 // features in whose time a vector's exp, or so, is computed
	exactTime  = 3 // times as long as estimates: probabilities, and sums that are printed
)

// workers returns how many workers are to answer the rows of an open data file: one, if it is known
// to be short, else as many as there are processors.
func workers(m *models.Model, in io.Reader, probability bool) int {
	all := runtime.GOMAXPROCS(0)
	f, ok := in.(*os.File)
	if !ok {
		return all // packed, or a pipe
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return all
	}
	// rows have about as many features as vectors
	vectors := max(m.Vectors.Len(), 1)
	features := m.Vectors.NNZ() / vectors
	terms := float64(info.Size()) / float64(pairBytes*features+1) * float64(vectors*(features+vectorTime))
	if probability || !m.Task.Classifies() {
		terms *= exactTime
	}
	if terms < fewTerms {
		return 1
	}
	return all
}
