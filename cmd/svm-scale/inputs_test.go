package main

import (
	"os/exec"
	"strings"
	"testing"
)

// LIBSVM reads the ranges in front of the inputs.
func TestInputsToLIBSVM(t *testing.T) {
	libsvm := needOracle(t)
	t.Chdir(t.TempDir())
	writeFile(t, "data.arff", "@relation r\n@attribute x numeric\n@attribute 'slimsvm inputs' {1,2,3}\n@attribute c {a,b}\n@data\n1,1,a\n2,2,b\n4,3,b\n")
	writeFile(t, "rows", "0 1:1 2:1\n1 1:3 3:1\n")
	if got := ours(t, "-l", "0", "-s", "range", "data.arff"); got.status != 0 || !strings.Contains(got.saved, "\nslimsvm inputs\n{") {
		t.Fatal(got)
	}
	want := outcome(t, exec.Command(libsvm, "-r", "range", "rows"))
	got := ours(t, "-r", "range", "rows")
	if got.stdout != want.stdout || got.stdout != "0 2:1 \n1 1:0.666667 3:1 \n" || got.status != 0 {
		t.Errorf("ours %v, LIBSVM's %v", got, want)
	}
}

// The file of slimsvm scale, which has the names of columns behind the ranges, is
// read as LIBSVM reads it.
func TestColumnsToLIBSVM(t *testing.T) {
	libsvm := needOracle(t)
	t.Chdir(t.TempDir())
	writeFile(t, "range", "x\n0 1\n1 1 4\n3 0 8\ncolumns\n1 \"size\"\n2 \"7 0 1\"\n3 \"net weight\"\n")
	writeFile(t, "rows", "0 1:1 3:1\n1 1:3 3:4\n")
	want := outcome(t, exec.Command(libsvm, "-r", "range", "rows"))
	got := ours(t, "-r", "range", "rows")
	if got.stdout != want.stdout || got.stdout != "0 3:0.125 \n1 1:0.666667 3:0.5 \n" || got.status != 0 {
		t.Errorf("ours %v, LIBSVM's %v", got, want)
	}
}
