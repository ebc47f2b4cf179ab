#!/bin/sh
# A small classifier for programs that have no slimsvm: few vectors, as C, Java and Python.
set -eu
. "$(dirname "$0")/commands.sh"
go -C "$root" build -o "$work/bin/" ./cmd/slimsvm

svm-train -q -c 16 -g 2 "$data/moons.train" large.model
svm-predict "$data/moons.test" large.model large.predicted
slimsvm train -q --method joint --vectors 5 --cost 16 --gamma 2 "$data/moons.train" small.model
svm-predict "$data/moons.test" small.model small.predicted
grep total_sv large.model small.model

for kind in c/Small.c java/Small.java python/small.py; do
	mkdir -p "${kind%/*}"
	slimsvm export -q "--${kind%/*}" small.model "$kind"
done
echo "as source files:"
ls c/* java/* python/*

# where there is a Python, its answers are those of svm-predict
if command -v python3 >/dev/null; then
	cut -d ' ' -f 2- "$data/moons.test" | python3 -c '
import sys
sys.path.insert(0, "python")
import small
for line in sys.stdin:
    print(small.predict({int(i): float(v) for i, v in (pair.split(":") for pair in line.split())}))
' | cmp - small.predicted
fi
