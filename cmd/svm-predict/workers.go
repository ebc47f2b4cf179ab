package main

import (
	"io"
	"math"
	"os"
	"runtime"

	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// Problem: a second worker has memory of its own, which the system must first provide, and is awake
// only after a tenth of a millisecond. With few rows and few vectors, one worker has answered by
// then.
//
// Method: the work is estimated before the first row is read: rows are as many as the file's size has room for,
// each with as many features as a vector has on average, and a row takes the reading of its bytes and a look at
// every feature of every vector. A regular file with less work than is done before a second worker pays gets
// one worker. The size of what is packed or comes from a pipe is not known: that gets all.

// A job is what it takes to answer a row, about.
type job struct {
	bytes int  // of text
	terms int  // features of vectors that are looked at, and what takes as long
	exact bool // all vectors are looked at, with all their digits
}

const (
	pairBytes  = 10  // of text that a feature takes
	onesBytes  = 6   // of one that has the value of all
	vectorTime = 8   // features in whose time a vector's exp, or so, is computed
	onesTime   = 8   // features, all of the same value, in the time of one
	exactTime  = 3   // times as long as estimates: probabilities, and sums that are printed
	byteTime   = 170 // features in whose time a byte is read
)

// fewTerms is about how much is done, in five milliseconds, when two workers first take less time than one.
const fewTerms = 150_000_000

// jobOf returns what a row takes that has about as many features as the model's vectors.
func jobOf(m *models.Model, probability bool) job {
	vectors := max(m.Vectors.Len(), 1)
	features := m.Vectors.NNZ() / vectors
	j := job{bytes: pairBytes*features + 1}
	if alike(&m.Vectors) {
		j.bytes = onesBytes*features + 1
		features /= onesTime
	}
	j.terms = vectors * (features + vectorTime)
	if j.exact = probability || !m.Task.Classifies(); j.exact {
		j.terms *= exactTime
	}
	return j
}

// alike reports whether all values are the same.
func alike(vectors *vec.Matrix) bool {
	first := math.NaN()
	for i := range vectors.Len() {
		for _, v := range vectors.Row(i).Value {
			if math.IsNaN(first) {
				first = v
			}
			if v != first {
				return false
			}
		}
	}
	return true
}

// workers returns how many workers are to answer the rows of an open data file, which are such jobs: one, if it is known
// to be short, else as many as there are processors.
func workers(j job, in io.Reader) int {
	all := runtime.GOMAXPROCS(0)
	f, ok := in.(*os.File)
	if !ok || all == 1 {
		return all // or packed, or a pipe
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return all
	}
	if float64(info.Size())*(byteTime+float64(j.terms)/float64(j.bytes)) < fewTerms {
		return 1
	}
	return all
}
