package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/slimsvm/slimsvm/cmd/internal/argv"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/train"
)

// options are svm-train's, with LIBSVM's letters beside them.
type options struct {
	svmType     int     // -s
	kernelType  int     // -t
	degree      int     // -d
	gamma       float64 // -g
	coef0       float64 // -r
	cost        float64 // -c
	nu          float64 // -n
	epsilon     float64 // -p
	cacheMB     float64 // -m
	tolerance   float64 // -e
	shrinking   int     // -h
	probability int     // -b
	weights     []train.ClassWeight
	weighted    []string // the class of each weight as it was given
	folds       int      // -v; 0: train a model
	quiet       bool
	values      argv.Numbers // which of these were not the numbers that they are read as
	labels      argv.Numbers // the same of the classes of weights, if these are numbers

	data, model string

	// what load finds in a file of another format than LIBSVM's
	inputs []byte          // how columns become features; nil: none are declared
	row    func(i int) int // which row of the file row i is; nil: lines are rows
	lines  datafile.Places // of the rows of the file; none where its reader tells no lines
}

// The kernels' numbers.
const (
	linear = iota
	polynomial
	rbf
	sigmoid
	precomputed
)

// errUsage: the usage text says all there is to say.
var errUsage = errors.New("wrong usage")

func defaults() options {
	return options{
		kernelType: rbf, degree: 3, cost: 1, nu: 0.5, epsilon: 0.1,
		cacheMB: 100, tolerance: 0.001, shrinking: 1,
	}
}

func arity(letter byte) int {
	switch letter {
	case 's', 't', 'd', 'g', 'r', 'n', 'm', 'c', 'e', 'p', 'h', 'b', 'v', 'w':
		return 1
	case 'q':
		return 0
	}
	return -1
}

// parse reads the command line. An error other than errUsage is a message that
// stands before the usage text.
func parse(args []string) (*options, error) {
	o := defaults()
	rest, err := argv.Parse(args, arity, o.set)
	var unknown *argv.UnknownError
	var missing *argv.MissingError
	switch {
	case errors.As(err, &missing), errors.As(err, &unknown) && unknown.Last:
		return nil, errUsage
	case unknown != nil:
		return nil, fmt.Errorf("Unknown option: -%s", []byte{unknown.Letter})
	case err != nil:
		return nil, err
	case len(rest) == 0:
		return nil, errUsage
	}
	o.data = rest[0]
	if len(rest) > 1 {
		o.model = rest[1]
	} else {
		o.model = modelName(o.data)
	}
	return &o, nil
}

func (o *options) set(opt argv.Option) error {
	var value string
	if len(opt.Values) > 0 {
		value = opt.Values[0]
	}
	integer := func() int { return o.values.Whole(opt.Word, value) }
	real := func() float64 { return o.values.Real(opt.Word, value) }
	switch opt.Letter {
	case 's':
		o.svmType = integer()
	case 't':
		o.kernelType = integer()
	case 'd':
		o.degree = integer()
	case 'g':
		o.gamma = real()
	case 'r':
		o.coef0 = real()
	case 'n':
		o.nu = real()
	case 'm':
		o.cacheMB = real()
	case 'c':
		o.cost = real()
	case 'e':
		o.tolerance = real()
	case 'p':
		o.epsilon = real()
	case 'h':
		o.shrinking = integer()
	case 'b':
		o.probability = integer()
	case 'q':
		o.quiet = true
	case 'v':
		if o.folds = integer(); o.folds < 2 {
			return errors.New("n-fold cross validation: n must >= 2")
		}
	case 'w':
		o.weighted = append(o.weighted, opt.Word[2:])
		o.weights = append(o.weights, train.ClassWeight{Label: o.labels.Whole(opt.Word, opt.Word[2:]), Weight: real()})
	}
	return nil
}

// setGamma replaces a gamma of 0 by 1 over the number of features.
func (o *options) setGamma(maxIndex int) {
	if o.gamma == 0 && maxIndex > 0 {
		o.gamma = 1 / float64(maxIndex)
	}
}

// checkParameters returns the first fault of the parameters in LIBSVM's order
// and words; where LIBSVM would compute with a number that is none, in ours.
func (o *options) checkParameters() error {
	usesGamma := o.kernelType == polynomial || o.kernelType == rbf || o.kernelType == sigmoid
	usesCoef0 := o.kernelType == polynomial || o.kernelType == sigmoid
	usesCost := o.svmType == 0 || o.svmType == 3 || o.svmType == 4
	usesNu := o.svmType == 1 || o.svmType == 2 || o.svmType == 4
	for _, c := range []struct {
		fault bool
		text  string
	}{
		{o.svmType < 0 || o.svmType > 4, "unknown svm type"},
		{o.kernelType < linear || o.kernelType > precomputed, "unknown kernel type"},
		{usesGamma && o.gamma < 0, "gamma < 0"},
		{usesGamma && !finite(o.gamma), "gamma is not finite"},
		{usesCoef0 && !finite(o.coef0), "coef0 is not finite"},
		{o.kernelType == polynomial && o.degree < 0, "degree of polynomial kernel < 0"},
		{o.cacheMB <= 0, "cache_size <= 0"},
		{math.IsNaN(o.cacheMB), "cache_size is not a number"},
		{o.tolerance <= 0, "eps <= 0"},
		{math.IsNaN(o.tolerance), "eps is not a number"},
		{usesCost && o.cost <= 0, "C <= 0"},
		{usesCost && math.IsNaN(o.cost), "C is not a number"},
		{o.svmType == 4 && !finite(o.cost), "C is not finite"}, // nu-SVR starts at a share of C
		{usesNu && (o.nu <= 0 || o.nu > 1), "nu <= 0 or nu > 1"},
		{usesNu && math.IsNaN(o.nu), "nu is not a number"},
		{o.svmType == 3 && o.epsilon < 0, "p < 0"},
		{o.svmType == 3 && !finite(o.epsilon), "p is not finite"},
		{o.shrinking != 0 && o.shrinking != 1, "shrinking != 0 and shrinking != 1"},
		{o.probability != 0 && o.probability != 1, "probability != 0 and probability != 1"},
	} {
		if c.fault {
			return errors.New(c.text)
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
