package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train"
)

// messages says what happens, in LIBSVM's words. What goes to stdout is collected, and written before
// anything goes to stderr.
type messages struct {
	stdout, stderr io.Writer
	quiet          bool
	talk           delayedWriter // to stdout
	merged, many   bool          // our own warnings that were given
}

func newMessages(stdout, stderr io.Writer) *messages {
	return &messages{stdout: stdout, stderr: stderr, talk: delayedWriter{w: stdout}}
}

// g writes a real as C's %g.
func g(x float64) string { return string(textscan.AppendG(nil, x, 6)) }

// appendF appends a text and a real as C's %f.
func appendF(b []byte, text string, x float64) []byte {
	return textscan.AppendF(append(b, text...), x, 6)
}

// printf writes a result.
func (m *messages) printf(format string, args ...any) {
	m.talk.add(func(b []byte) []byte { return fmt.Appendf(b, format, args...) })
}

// info writes talk, which -q suppresses.
func (m *messages) info(text string) {
	if !m.quiet {
		m.talk.add(func(b []byte) []byte { return append(b, text...) })
	}
}

// warn writes a warning of LIBSVM's.
func (m *messages) warn(format string, args ...any) {
	m.talk.flush()
	fmt.Fprintf(m.stderr, format, args...)
}

// once writes a warning of our own unless it was given before: every fold and
// every pair of a training may have the same cause.
func (m *messages) once(given *bool, format string, args ...any) {
	if !*given {
		*given = true
		m.warn(format, args...)
	}
}

// report is the train.Report of the command.
func (m *messages) report(e train.Event) {
	switch e := e.(type) {
	case train.Progress:
		m.info(".")
	case train.GradientRebuilt:
		m.info("*")
	case train.SlowShrinking:
		m.info("\nWARNING: using -h 0 may be faster\n")
	case train.IterationLimit:
		m.warn("\nWARNING: reaching max number of iterations\n")
	case train.Solved:
		m.solved(e)
	case train.ModelAssembled:
		m.assembled(e)
	case train.SingleClass:
		m.info("WARNING: training data in only one class. See README for details.\n")
	case train.WeightUnused:
		m.warn("WARNING: class label %d specified in weight is not found\n", e.Label)
	case train.FoldsReduced:
		m.warn("WARNING: # folds (%d) > # data (%d). Will use # folds = # data instead (i.e., leave-one-out cross validation)\n", e.Folds, e.Rows)
	case train.CalibrationStuck:
		m.info("Line search fails in two-class probability estimates\n")
	case train.CalibrationLimit:
		m.info("Reaching maximal iterations in two-class probability estimates\n")
	case train.CouplingLimit:
		m.info("Exceeds max_iter in multiclass_prob\n")
	case train.NoiseEstimated:
		m.info(fmt.Sprintf("Prob. model for test data: target value = predicted value + z,\nz: Laplace distribution e^(-|z|/sigma)/(2sigma),sigma= %s\n", g(e.Sigma)))
	case train.TooFewDecisions:
		m.warn("WARNING: number of positive or negative decision values <5; too few to do a probability estimation.\n")
	case train.LabelsMerged:
		m.once(&m.merged, "WARNING: class labels are integers: %s and %s are taken as one class\n", g(e.First), g(e.Second))
	case train.ManyClasses:
		m.once(&m.many, "WARNING: %d classes in %d rows%s: if the labels are numbers to be predicted, train a regression (-s 3 or -s 4)\n", e.Classes, e.Rows, datafile.ManyMachines(models.Pairs(e.Classes), 2*float64(e.Rows)/float64(e.Classes)))
	}
}

func (m *messages) assembled(e train.ModelAssembled) {
	if m.quiet {
		return
	}
	m.talk.add(func(b []byte) []byte {
		return append(strconv.AppendInt(append(b, "Total nSV = "...), int64(e.Vectors), 10), '\n')
	})
}

func (m *messages) solved(e train.Solved) {
	if m.quiet {
		return // numbers are not even made text
	}
	m.talk.add(func(b []byte) []byte {
		number := func(text string, n int) { b = strconv.AppendInt(append(b, text...), int64(n), 10) }
		number("\noptimization finished, #iter = ", e.Iterations)
		if e.Name != "" {
			b = appendF(append(append(b, '\n'), e.Name...), " = ", e.Value)
		}
		b = appendF(b, "\nobj = ", e.Objective)
		b = appendF(b, ", rho = ", e.Rho)
		number("\nnSV = ", e.Vectors)
		number(", nBSV = ", e.Bounded)
		return append(b, '\n')
	})
}
