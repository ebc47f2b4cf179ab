package main

import (
	"bytes"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// TestManyClassesTold: before machines take much memory, the warning about many classes says how
// much. 4000 classes of 3 rows took 1045 MB.
func TestManyClassesTold(t *testing.T) {
	const reason = ": if the labels are numbers to be predicted, train a regression (-s 3 or -s 4)\n"
	for told, want := range map[train.ManyClasses]string{
		{Classes: 101, Rows: 202}:    "WARNING: 101 classes in 202 rows",
		{Classes: 1000, Rows: 5000}:  "WARNING: 1000 classes in 5000 rows",
		{Classes: 4000, Rows: 12000}: "WARNING: 4000 classes in 12000 rows, whose 7998000 machines take up to 1.0 GB of memory",
		{Classes: 9990, Rows: 19980}: "WARNING: 9990 classes in 19980 rows, whose 49895055 machines take up to 5.6 GB of memory",
	} {
		var stdout, stderr bytes.Buffer
		newMessages(&stdout, &stderr).report(told)
		if got := stderr.String(); got != want+reason {
			t.Errorf("%+v: %q, want %q", told, got, want+reason)
		}
	}
}
