#!/bin/sh
# Class probabilities, and what is unlike anything seen: two half moons.
set -eu
. "$(dirname "$0")/commands.sh"

svm-train -q -c 4 -g 2 -b 1 "$data/moons.train" moons.model
svm-predict -b 1 "$data/moons.test" moons.model moons.predicted
head -n 4 moons.predicted

svm-train -q -s 2 -n 0.05 -g 2 "$data/moons.train" known.model
printf '1 1:0 2:0.5\n1 1:9 2:9\n' >rows
svm-predict -q rows known.model known.predicted
echo "inside the moons (1) or not (-1):" $(cat known.predicted)
