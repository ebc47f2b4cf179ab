#!/bin/sh
# CSV, packed: how many minutes bread takes, from its weight, the heat and the fan.
set -eu
. "$(dirname "$0")/commands.sh"

gzip -c "$data/bread.csv" >bread.csv.gz
svm-train -q -s 3 -c 100 -g 0.1 bread.csv.gz bread.model
svm-predict "$data/bread.test.csv" bread.model bread.predicted
echo "minutes, as measured and as predicted:"
tail -n +2 "$data/bread.test.csv" | cut -d , -f 1 | paste - bread.predicted |
	awk 'NR <= 4 { printf "%d %.1f\n", $1, $2 }'

echo "the same rows for programs that read LIBSVM's format, scaled:"
svm-scale -l 0 -s bread.range bread.csv.gz | head -n 2
