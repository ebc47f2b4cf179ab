#!/bin/sh
# Choose C and gamma by cross-validation: five classes, 500 rows.
set -eu
. "$(dirname "$0")/commands.sh"

for c in 0.125 1 8; do
	for g in 0.015625 0.125 1; do
		printf 'C %s, gamma %s: ' "$c" "$g"
		svm-train -q -v 5 -c "$c" -g "$g" "$data/gauss5.train"
	done
done
