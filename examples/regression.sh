#!/bin/sh
# Regression with an estimate of the noise: sin x / x, 200 rows to train on.
set -eu
. "$(dirname "$0")/commands.sh"

svm-train -q -s 3 -c 10 -g 0.5 -p 0.05 -b 1 "$data/sinc.train" sinc.model
svm-predict -b 1 "$data/sinc.test" sinc.model sinc.predicted
