// Package slimsvm is the documentation of a module for support vector machines: it says which
// package has what. It has no names of its own; import the packages below it.
//
// # From rows to answers
//
// A format.Dataset holds rows: sparse vectors of numbered features (vec.Vector of format/vec), each
// with a label or target. It is filled row by row by a program, or read from a file:
//
//	libsvmfmt       LIBSVM's and SVMlight's data formats, whose rows are features
//	arff            ARFF, and
//	format/csvfmt   CSV, whose rows are columns
//	format/encode   from columns to features: text labels, missing values, scaling
//	format/scale    svm-scale's ranges
//	format          files, compressed or not; which format a file is of
//
// A train.Trainer makes a models.Model of a data set. Package train has what all methods share,
// cross-validation among it, and lists the methods, which are in packages below it: begin with
// train/smo, which trains as LIBSVM does. A model has one of the kernels of models/kernel.
//
// Package models reads and writes model files, LIBSVM's included. Package predict answers with a
// model: labels, targets, decision values, probabilities, and scores of many answers.
//
//	train/reducedset    a small model of a large one
//	models/csource      models as source files: in C,
//	models/javasource   in Java,
//	models/pysource     and in Python
//
// # A program
//
//	d, err := libsvmfmt.Parse(ctx, file)
//	...
//	t := train.OneVsOne{Solver: smo.DefaultCSVC(), Kernel: kernel.RBF{Gamma: 0.5}}
//	m, err := t.Train(ctx, d, train.NewRand(1))
//	...
//	p, err := predict.New(m)
//	...
//	label := p.Predict(x)
//
// The file examples/README.md of the module lists an example for each task; docs/libsvm.md and
// docs/scikit-learn.md list what replaces the functions of those libraries.
//
// # Work that is cancelled
//
// Work that takes a context soon ends when that is cancelled, and returns an error in which
// errors.Is finds both ctx.Err() and context.Cause(ctx). If the context was cancelled with a cause
// of its own, the text of the error is that of the cause.
package slimsvm
