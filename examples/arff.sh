#!/bin/sh
# ARFF as it is: labels and nominal columns are text, values may be missing, and
# the test file has its columns and labels in another order.
set -eu
. "$(dirname "$0")/commands.sh"

svm-train -q -c 100 -g 0.02 "$data/tea.arff" tea.model
svm-predict "$data/tea.test.arff" tea.model tea.predicted
echo "the three teas that nobody has tasted yet:"
tail -n 3 tea.predicted
