package main

// A set is a data set and what is done with it.
type set struct {
	name        string
	train, test string // in the data folder, without .libsvm.zst; no test file: the training rows
	rows        int    // first rows that are used of each; 0: all
	testRows    int    // of the test file, if not rows
	times       int    // how often the rows come, one behind the other; 0: once
	inputs      int    // instead of files: so many rows with so many inputs are generated
	classes     int    // of these; 0: two
	relabel     func(label string) string
	scale       string   // options of LIBSVM's svm-scale, by which the training and test rows are scaled first
	options     string   // svm-train's; none: only svm-scale is run
	more        []string // svm-train's, without prediction
	predict     string   // svm-predict's options beside -q
	scaleRuns   []string // svm-scale's options, measured on the training rows
}

// sets are what is measured, by options whose gammas float32 holds.
var sets = []set{
	{name: "ijcnn1", train: "ijcnn1/ijcnn1", test: "ijcnn1/ijcnn1.t", rows: 20000, testRows: 10000, options: "-c 10 -g 1", scaleRuns: []string{"-l -1 -u 1"}},
	{name: "letter halves", train: "letter/letter.scale", test: "letter/letter.scale.t", relabel: half, options: "-c 10 -g 0.5"},
	{name: "cpusmall", train: "cpusmall/cpusmall", scale: "-l -1 -u 1", options: "-s 3 -c 10 -g 1", more: []string{"-s 4 -c 10 -g 1 -n 0.5"}, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "satimage", train: "satimage/satimage", test: "satimage/satimage.t", scale: "-l -1 -u 1", options: "-c 16 -g 1", more: []string{"-c 16 -g 1 -b 1", "-c 16 -g 1 -v 5"}},
	{name: "gaussians 20000x50", inputs: 50, rows: 20000, testRows: 5000, options: "-c 1 -g 0.015625"},
	{name: "usps", train: "usps/usps", test: "usps/usps.t", options: "-c 10 -g 0.0078125", more: []string{"-c 10 -g 0.0078125 -v 5"}, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "usps parity", train: "usps/usps", test: "usps/usps.t", relabel: parity, options: "-c 10 -g 0.0078125"},
	{name: "letter.scale", train: "letter/letter.scale", test: "letter/letter.scale.t", options: "-c 4 -g 0.5", more: []string{"-c 4 -g 0.5 -v 5"}, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "mushroom", train: "mushroom/mushroom.onehot", options: "-c 1 -g 0.0625"},
	{name: "dna", train: "dna/dna", test: "dna/dna.t", options: "-c 10 -g 0.015625", scaleRuns: []string{"-l -1 -u 1"}},
	{name: "a9a", train: "a9a/a9a", test: "a9a/a9a.t", options: "-c 1 -g 0.0625", scaleRuns: []string{"-l 0 -u 1", "-l -1 -u 1"}},
	{name: "a9a 12000", train: "a9a/a9a", test: "a9a/a9a.t", rows: 12000, testRows: 3000, options: "-c 1 -g 0.0625"},
	{name: "reuters moneyfx", train: "reuters_lasvm/reuters_moneyfx", test: "reuters_lasvm/reuters_moneyfx.t", options: "-c 10 -g 1", more: []string{"-t 0 -c 1"}, scaleRuns: []string{"-l 0 -u 1"}},

	// other kernels, data as they come, many iterations, probabilities, many inputs
	{name: "usps linear", train: "usps/usps", test: "usps/usps.t", options: "-t 0 -c 1"},
	{name: "usps polynomial", train: "usps/usps", test: "usps/usps.t", options: "-t 1 -c 1 -g 0.0078125 -r 1"},
	{name: "usps sigmoid", train: "usps/usps", test: "usps/usps.t", options: "-t 3 -c 1 -g 0.00390625"},
	{name: "abalone sigmoid", train: "abalone/abalone_scale", options: "-s 3 -t 3"},
	{name: "reuters polynomial", train: "reuters_lasvm/reuters_moneyfx", test: "reuters_lasvm/reuters_moneyfx.t", options: "-t 1 -c 10 -g 1 -r 1"},
	{name: "satimage unscaled", train: "satimage/satimage", test: "satimage/satimage.t", options: "-c 1"},
	{name: "letter unscaled", train: "letter/letter", test: "letter/letter.t", options: "-c 10 -g 0.015625"},
	{name: "optdigits unscaled", train: "optdigits/optdigits", test: "optdigits/optdigits.t", options: "-c 10 -g 0.0009765625", more: []string{"-s 3 -c 1 -g 0.0009765625"}},
	{name: "optdigits probabilities", train: "optdigits/optdigits", test: "optdigits/optdigits.t", options: "-c 10 -g 0.0009765625 -b 1", predict: "-b 1"},
	{name: "mushroom codes", train: "mushroom/mushroom.codes22", options: "-c 1 -g 0.0625"},
	{name: "spambase unscaled", train: "spambase/spambase", options: "-c 1"},
	{name: "splice linear", train: "splice/splice", test: "splice/splice.t", options: "-t 0 -c 1"},
	{name: "german linear", train: "german_numer/german.numer", options: "-t 0 -c 1"},
	{name: "reuters one-class", train: "reuters_lasvm/reuters_moneyfx", test: "reuters_lasvm/reuters_moneyfx.t", options: "-s 2"},
	{name: "power-plant linear", train: "power-plant/power-plant", options: "-s 3 -t 0 -c 1"},
	{name: "pima linear", train: "pima/pima", options: "-t 0 -c 1", more: []string{"-t 1 -c 1 -g 1"}},
	{name: "glass polynomial", train: "glass/glass", options: "-t 1 -c 64 -r 1"},
	{name: "letter probabilities", train: "letter/letter.scale", test: "letter/letter.scale.t", rows: 4000, testRows: 4000, options: "-c 4 -g 0.5 -b 1", predict: "-b 1"},
	{name: "reuters probabilities", train: "reuters_lasvm/reuters_moneyfx", test: "reuters_lasvm/reuters_moneyfx.t", options: "-c 10 -g 1 -b 1", predict: "-b 1"},
	{name: "reuters regression", train: "reuters_lasvm/reuters_moneyfx", test: "reuters_lasvm/reuters_moneyfx.t", options: "-s 3 -c 10 -g 1"},
	{name: "usps regression", train: "usps/usps", test: "usps/usps.t", rows: 3000, testRows: 2000, options: "-s 3 -c 10 -g 0.0078125", more: []string{"-s 4 -c 10 -g 0.0078125 -n 0.5"}},
	{name: "gaussians 100 classes", inputs: 100, classes: 100, rows: 3000, testRows: 3000, options: "-c 10 -g 0.0078125", more: []string{"-c 10 -g 0.0078125 -v 5"}},
	{name: "gaussians 200 classes", inputs: 200, classes: 200, rows: 2000, testRows: 2000, options: "-c 10 -g 0.00390625", more: []string{"-c 10 -g 0.00390625 -v 5"}},
	// long files for svm-scale: of few columns and of many, listed all and some
	{name: "banana x100", train: "banana/banana", times: 100, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "svmguide1 x100", train: "svmguide1/svmguide1", times: 100, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "power-plant x30", train: "power-plant/power-plant", times: 30, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "abalone x60", train: "abalone/abalone", times: 60, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "cpusmall x20", train: "cpusmall/cpusmall", times: 20, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "letter.scale x8", train: "letter/letter.scale", times: 8, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "twonorm x8", train: "twonorm/twonorm", times: 8, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "ijcnn1 x4", train: "ijcnn1/ijcnn1", times: 4, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "german x200", train: "german_numer/german.numer", times: 200, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "satimage x20", train: "satimage/satimage", times: 20, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "spambase x30", train: "spambase/spambase", times: 30, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "optdigits x20", train: "optdigits/optdigits", times: 20, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "dna x30", train: "dna/dna", times: 30, scaleRuns: []string{"-l -1 -u 1"}},
	{name: "a9a x8", train: "a9a/a9a", times: 8, scaleRuns: []string{"-l 0 -u 1"}},
	{name: "mnist", train: "mnist10k/mnist10k", scaleRuns: []string{"-l 0 -u 1"}},

	{name: "gaussians 500x10000", inputs: 10000, rows: 500, testRows: 200, options: "-t 0 -c 1", more: []string{"-c 1 -g 0.0001220703125"}},
}

// largeSets are problems that take ours seconds.
var largeSets = []set{
	{name: "ijcnn1 whole", train: "ijcnn1/ijcnn1", options: "-c 10 -g 1"},
	{name: "ijcnn1 test rows", train: "ijcnn1/ijcnn1.t", options: "-c 1 -g 1"},
	{name: "covtype binary", train: "covtype20k/covtype20k.binary", scale: "-l -1 -u 1", options: "-c 10 -g 1", more: []string{"-c 10 -g 0.125", "-c 1 -g 0.125 -v 5"}},
	{name: "covtype", train: "covtype20k/covtype20k.multi", scale: "-l 0 -u 1", options: "-c 10 -g 1", more: []string{"-t 0 -c 1", "-c 10 -g 1 -b 1"}},
	{name: "mnist parity", train: "mnist10k/mnist10k", relabel: parity, options: "-c 10 -g 0.00000095367431640625"},
	{name: "mnist digits", train: "mnist10k/mnist10k", options: "-c 10 -g 0.00000095367431640625", more: []string{"-c 10 -g 0.00000095367431640625 -v 3"}},
}

// half puts letters 1 to 13 on one side.
func half(label string) string {
	if len(label) == 1 || label == "10" || label == "11" || label == "12" || label == "13" {
		return "1"
	}
	return "-1"
}

// parity puts even labels on one side.
func parity(label string) string {
	if last := label[len(label)-1]; (last-'0')%2 == 0 {
		return "1"
	}
	return "-1"
}
