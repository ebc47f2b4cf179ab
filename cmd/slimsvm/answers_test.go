package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestRowNotWritten: a row that a table cannot hold is told of by its own line, though others are read before it is
// written. It was that of the last row read, which depends on the number of threads, or none at all.
func TestRowNotWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must := func(line string) {
		t.Helper()
		if _, said, status := slimsvmSays(t, strings.Fields(line)...); status != 0 {
			t.Fatalf("%s: %s", line, said)
		}
	}
	table := "@relation r\n@attribute a numeric\n@attribute s string\n@attribute k {p,q}\n@data\n"
	for i := range 1000 {
		table += fmt.Sprintf("%d,x,%c\n", i, 'p'+rune(i%2))
	}
	write("data.arff", table)
	must("train --quiet --kernel linear --drop s data.arff columns.model")
	must("convert --quiet --drop s data.arff data.libsvm")
	must("train --quiet --kernel linear --from libsvm data.libsvm numbers.model")
	write("nul.arff", strings.Replace(table, "\n7,x,", "\n7,'y\x00z',", 1))
	numbers := read(t, "data.libsvm")
	names := read(t, "data.libsvm.names")
	write("label", strings.Replace(numbers, "\n1 1:7\n", "\n3 1:7\n", 1))
	write("feature", strings.Replace(numbers, "\n1 1:7\n", "\n1 1:7 5:1\n", 1))
	write("label.names", names)
	write("feature.names", names)
	for _, c := range []struct{ data, model, want string }{
		{"nul.arff", "columns.model", `nul.arff:13: column 2, "s": "y\x00z": unexpected NUL byte: expected a text in UTF-8`},
		{"label", "numbers.model", `label:8: column "k" has no label number 3: there are 2, from 0`},
		{"feature", "numbers.model", "feature:8: there is no column for feature 5"},
	} {
		for _, threads := range []string{"1", "2", "3"} {
			_, said, status := slimsvmSays(t, "predict", "--quiet", "--format", "csv", "--threads", threads, "--out", "out", c.data, c.model)
			if first, _, _ := strings.Cut(said, "\n"); status != statusFailed || first != "slimsvm: "+c.want {
				t.Errorf("%s, %s threads: status %d, %s", c.data, threads, status, said)
			}
		}
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("there is a file of predictions")
	}
}
