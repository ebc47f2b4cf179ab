#!/bin/sh
# Scale, train, predict: two half moons, 300 rows to train on, 1000 to test.
set -eu
. "$(dirname "$0")/commands.sh"

svm-scale -s moons.range "$data/moons.train" >train.scaled
svm-scale -r moons.range "$data/moons.test" >test.scaled
svm-train -c 4 -g 2 train.scaled moons.model
svm-predict test.scaled moons.model moons.predicted
