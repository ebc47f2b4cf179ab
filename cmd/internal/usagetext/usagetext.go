// Package usagetext has the texts with which LIBSVM's commands answer a command line that says too
// little. The commands print them, and slimsvm makes manual pages of them.
package usagetext

// Train is the text of svm-train.
const Train = `svm-train: train a support vector machine

usage: svm-train [options] DATA [MODEL]

DATA is in LIBSVM's sparse format: a label, then index:value pairs. MODEL is the
file to write, by default the name of DATA with .model, in the current directory.

DATA may be packed (gzip, zstd, bzip2, xz). It is ARFF, CSV or SVMlight if its
name says so (.arff, .csv, .tsv, .tab, .svmlight) and its first line is no row of
LIBSVM's, and ARFF also if it begins with @relation. The last column is the label.
Others become features: nominal ones one a label, missing values are replaced.
MODEL keeps how, for svm-predict.

what to train
  -s N      0 C-SVC, 1 nu-SVC (classification), 2 one-class SVM,
            3 epsilon-SVR, 4 nu-SVR (regression)            default 0
  -c C      cost of errors: C-SVC, epsilon-SVR, nu-SVR      default 1
  -n NU     share of errors and support vectors, in (0,1]:
            nu-SVC, one-class SVM, nu-SVR                   default 0.5
  -p EPS    width of the tube without loss: epsilon-SVR     default 0.1
  -wL W     multiply the cost for class L by W: C-SVC; of
            nominal columns L is the label's text           default 1
  -b 0|1    estimate probabilities as well                  default 0

kernel
  -t N      0 u.v                       1 (g u.v + r)^d
            2 exp(-g |u-v|^2)           3 tanh(g u.v + r)
            4 precomputed: DATA holds kernel values         default 2
  -d N      degree d                                        default 3
  -g G      gamma g                             default 1 / features
  -r R      constant r                                      default 0

how to train
  -e TOL    tolerance of the optimality conditions          default 0.001
  -m MB     memory for kernel rows                          default 100
  -h 0|1    leave out variables that seem settled           default 1
  -v N      N-fold cross-validation instead of a model
  -q        print nothing but results and warnings
`

// Predict is the text of svm-predict.
const Predict = `svm-predict: predict with a support vector machine

usage: svm-predict [options] DATA MODEL OUTPUT

DATA is in LIBSVM's sparse format; its labels are compared with the predictions.
MODEL is a file that svm-train wrote. OUTPUT receives a prediction a line.

DATA may be packed (gzip, zstd, bzip2, xz). It is ARFF, CSV or SVMlight if its
name says so (.arff, .csv, .tsv, .tab, .svmlight) and its first line is no row of
LIBSVM's, and ARFF also if it begins with @relation. Then MODEL must be of such
data too: columns are found by name, labels by text, and predictions are labels'
texts. The label's column may be missing, or ? in any row.

  -b 0|1    predict probabilities as well, of a model trained with -b 1
  -q        do not print the score
`

// Scale is the text of svm-scale.
const Scale = `Usage: svm-scale [options] data_file > scaled_file

Scales every feature of data_file linearly and writes the rows to standard
output. A feature that has the same value in all rows is left out.

  -l lower         features are scaled to lower..upper; lower is -1
  -u upper         if not given, upper 1
  -y lower upper   scale the labels as well, to lower..upper
  -s range_file    save the ranges found in data_file, for use with -r
  -r range_file    restore ranges: scale as the data they were saved from;
                   limits are those of range_file, -l, -u and -y only count
                   for what it does not hold

data_file is in LIBSVM's format, and may be packed (gzip, zstd, bzip2, xz). It
is ARFF, CSV or SVMlight if its name says so (.arff, .csv, .tsv, .tab,
.svmlight) and its first line is no row of LIBSVM's, and ARFF also if it begins
with @relation. The last column is the label, others become features as in
svm-train. range_file keeps how: with -r, columns are found by name and labels
by text.
`
