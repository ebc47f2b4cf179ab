package compat_test

// Options are exact in float32: Debian's LIBSVM 3.24 reads them as such.

// A liveSet is a real data set on which ours and the installed LIBSVM do the
// same things.
type liveSet struct {
	name        string
	train, test string // files in the data folder, without .libsvm.zst; no test file: the training rows
	scale       string // svm-scale's options; trained on what it gives
	runs        []string
	quick       int // rows of each file in the short comparison
	full        int // rows in the full one, but in the first run, which takes the whole file; 0: all
	most        int // rows that are ever used; 0: all
}

var liveSets = []liveSet{
	{name: "heart_scale", train: "heart/heart_scale", runs: classRuns, quick: 270},
	{name: "diabetes_scale", train: "diabetes/diabetes_scale", runs: classRuns, quick: 200},
	{name: "german.numer", train: "german_numer/german.numer", scale: "-l 0 -u 1", runs: classRuns, quick: 200},
	{name: "splice", train: "splice/splice", test: "splice/splice.t", scale: "-l -1 -u 1", runs: classRuns, quick: 160},
	{name: "svmguide1", train: "svmguide1/svmguide1", test: "svmguide1/svmguide1.t", scale: "-l -1 -u 1", runs: classRuns, quick: 300},
	{name: "dna", train: "dna/dna", test: "dna/dna.t", scale: "-l 0 -u 1", runs: classRuns, quick: 160},
	{name: "satimage", train: "satimage/satimage", test: "satimage/satimage.t", scale: "-l -1 -u 1", runs: classRuns, quick: 200},
	{name: "segment.scale", train: "segment/segment.scale", scale: "-l -2 -u 0.5", runs: classRuns, quick: 200},
	{name: "letter.scale", train: "letter/letter.scale", test: "letter/letter.scale.t", runs: classRuns, quick: 260, full: 3000},
	{name: "usps", train: "usps/usps", test: "usps/usps.t", runs: fineRuns, quick: 100, full: 1200},
	{name: "a9a", train: "a9a/a9a", test: "a9a/a9a.t", runs: classRuns, quick: 300, most: 5000},
	{name: "covtype", train: "covtype20k/covtype20k.multi", scale: "-l 0 -u 1", runs: classRuns, quick: 250, full: 2000, most: 4000},
	{name: "optdigits", train: "optdigits/optdigits", test: "optdigits/optdigits.t", runs: wholeRuns, quick: 150, full: 1500},
	{name: "abalone_scale", train: "abalone/abalone_scale", runs: realRuns, quick: 300},
	{name: "abalone", train: "abalone/abalone", scale: "-l 0 -u 1 -y -1 1", runs: realRuns, quick: 200},
	{name: "cpusmall", train: "cpusmall/cpusmall", scale: "-l -1 -u 1", runs: realRuns, quick: 300, full: 3000},
}

// classRuns are svm-train's options for data with classes; the other types
// take the labels as targets or ignore them.
var classRuns = []string{
	"-s 0 -t 2 -c 4 -g 0.125",
	"-s 0 -t 0 -c 0.5",
	"-s 0 -t 1 -d 3 -g 0.0625 -r 1 -c 2",
	"-s 0 -t 3 -g 0.0078125 -r -0.25",
	"-s 0 -t 2 -c 8 -g 0.5 -h 0",
	"-s 0 -t 2 -c 2 -g 0.125 -m 1 -w1 2 -w-1 0.5 -w2 4",
	"-s 0 -t 2 -g 0.125 -b 1",
	"-s 0 -t 0 -b 1 -h 0",
	"-s 0 -t 2 -c 4 -g 0.0625 -v 5",
	"-s 0 -t 1 -d 2 -g 0.125 -b 1 -q -v 3",
	"-s 1 -t 2 -n 0.125 -g 0.125",
	"-s 1 -t 0 -n 0.0625",
	"-s 1 -t 1 -d 2 -n 0.125 -g 0.0625 -r 0.5 -h 0",
	"-s 1 -t 2 -n 0.125 -g 0.25 -b 1",
	"-s 1 -t 3 -n 0.125 -g 0.0078125 -v 4",
	"-s 2 -t 2 -n 0.125 -g 0.125",
	"-s 2 -t 0 -n 0.25",
	"-s 2 -t 1 -n 0.0625 -g 0.0625 -r 1 -h 0",
	"-s 2 -t 3 -n 0.5 -g 0.0078125",
	"-s 3 -t 2 -g 0.125 -c 2 -p 0.125",
	"-s 3 -t 0 -p 0.25 -c 0.125",
	"-s 4 -t 2 -g 0.125 -n 0.25",
}

// fineRuns are those whose gamma suits many features of size 1.
var fineRuns = append([]string{"-s 0 -t 2 -c 4 -g 0.0078125"}, classRuns[1:]...)

// wholeRuns are those for data of whole numbers that nobody scaled.
var wholeRuns = []string{
	"-s 0 -t 2 -c 4 -g 0.0009765625",
	"-s 0 -t 0 -c 0.0009765625",
	"-s 0 -t 1 -d 2 -g 0.00390625 -r 1 -c 0.5",
	"-s 0 -t 3 -g 0.0001220703125 -r -0.25",
	"-s 0 -t 2 -c 8 -g 0.001953125 -h 0 -m 1",
	"-s 0 -t 2 -g 0.0009765625 -b 1",
	"-s 0 -t 0 -c 0.0009765625 -b 1 -h 0",
	"-s 0 -t 2 -c 4 -g 0.00048828125 -v 5",
	"-s 1 -t 2 -n 0.0625 -g 0.0009765625",
	"-s 2 -t 2 -n 0.125 -g 0.0009765625",
	"-s 3 -t 2 -g 0.0009765625 -c 2 -p 0.125",
	"-s 4 -t 2 -g 0.0009765625 -n 0.25",
}

// realRuns are svm-train's options for regression data.
var realRuns = []string{
	"-s 3 -t 2 -c 4 -g 0.5 -p 0.125",
	"-s 3 -t 0 -c 0.5 -p 0.25",
	"-s 3 -t 1 -d 3 -g 0.125 -r 1 -c 0.5",
	"-s 3 -t 3 -g 0.03125 -r 0.5",
	"-s 3 -t 2 -c 16 -g 1 -p 0 -h 0",
	"-s 3 -t 2 -g 0.25 -b 1",
	"-s 3 -t 2 -c 2 -g 0.25 -v 5",
	"-s 4 -t 2 -c 2 -g 0.5 -n 0.25",
	"-s 4 -t 0 -c 0.5 -n 0.5",
	"-s 4 -t 1 -d 2 -g 0.125 -r 1 -n 0.125 -h 0",
	"-s 4 -t 3 -g 0.03125 -m 1",
	"-s 4 -t 0 -b 1",
	"-s 4 -t 2 -g 0.125 -q -v 3",
	"-s 2 -t 2 -n 0.125 -g 0.5",
}
