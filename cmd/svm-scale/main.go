// Command svm-scale scales the features, and if asked the labels, of a data set
// in LIBSVM's format to an interval. It takes the options of LIBSVM's svm-scale
// and writes the same bytes.
//
// It goes through its input twice: to find the ranges, and to scale. Up to 32 MB of
// rows are kept in between; of more, none are, and the input is read again, or kept
// if it cannot be, a pipe for one. Time is linear in the size of input and output;
// memory depends, beside these rows, on the number of different features and on the
// longest row. Long inputs are read and scaled by all processors (parts.go).
//
// Data in ARFF, CSV and SVMlight files, recognised by datafile.DetectForeign, are held in memory:
// declared columns become features as in svm-train. How they do is written behind
// the ranges, where LIBSVM stops reading, so that other files are scaled alike.
//
// Where LIBSVM reads a fault and goes on with other data than stands there,
// svm-scale stops with the file, line, column and reason, before it writes
// anything: rows.go lists the cases.
package main

import "github.com/slimsvm/slimsvm/cmd/internal/launch"

func main() { launch.Main(run) }
