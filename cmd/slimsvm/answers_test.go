package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/predict"
)

// TestRowNotWritten: a row that a table cannot hold is reported with its own line, though others are read before it is
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

// TestManyNames: a table has a column for each pair of labels, of 700 a quarter of a million, each with a name of its own.
// To look for each among all others took minutes.
func TestManyNames(t *testing.T) {
	m := &models.Model{Task: models.CSVC, Kernel: kernel.Linear{}, Group: make([]int, 700)}
	for i := range 700 {
		m.Labels = append(m.Labels, i)
		for k := i + 1; k < 700; k++ {
			m.Machines = append(m.Machines, models.Machine{Pos: i, Neg: k})
		}
	}
	p, err := predict.New(m)
	if err != nil {
		t.Fatal(err)
	}
	h := &format.Header{Class: -1, Attributes: []format.Attribute{{Name: "predicted"}, {Name: "decision 3/7"}, {Name: "predicted 2"}}}
	var text strings.Builder
	table := &table{Writer: csvfmt.Codec.NewWriter(&text), from: h, class: -1}
	if err := table.begin(&answers{p: p, extras: []extra{decisions}}); err != nil {
		t.Fatal(err)
	}
	if err := table.flush(); err != nil {
		t.Fatal(err)
	}
	names := strings.Split(strings.TrimSpace(text.String()), ",")
	if n := 4 + len(m.Machines); len(names) != n || names[3] != "predicted 3" || names[4] != "decision 0/1" || names[n-1] != "decision 698/699" {
		t.Errorf("%d names, the first %q", len(names), names[:10])
	}
	if !slices.Contains(names, "decision 3/7 2") || !slices.Contains(names, "decision 7/30") {
		t.Error("other names of pairs")
	}
}

// TestManyColumns: of tables with tens of thousands of columns, as of genes, predict looks at each once for what it is,
// for one that may be meant where it is missing, and for what a label that training did not have counts as. For each it
// went through all of them, which took minutes.
func TestManyColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, column, value string, columns int) {
		t.Helper()
		var b strings.Builder
		for i := range columns {
			fmt.Fprintf(&b, "%s%d,", column, i)
		}
		b.WriteString("kind\n")
		for r := range 6 {
			for i := range columns {
				fmt.Fprintf(&b, "%s%d,", value, (i+1)*(r+1)%5%3)
			}
			fmt.Fprintf(&b, "%c\n", 'p'+rune(r%2))
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("numbers", "c", "", 40000)
	write("shouted", "C", "", 40000)
	write("labels", "c", "a", 12000)
	write("others", "c", "b", 12000)
	for _, c := range []struct{ train, test, want string }{
		{"numbers", "numbers", "accuracy 83.3333% (5/6)"},
		{"numbers", "shouted", "slimsvm: shouted: no column of the training data is there"},
		{"labels", "others", "warning: there is more of that kind\naccuracy 50% (3/6)"},
	} {
		if _, said, status := slimsvmSays(t, "train", "--quiet", "--kernel", "linear", "--from", "csv", c.train, "model"); status != 0 {
			t.Fatal(said)
		}
		if _, said, _ := slimsvmSays(t, "predict", "--from", "csv", c.test, "model"); !strings.Contains(said, c.want+"\n") {
			t.Errorf("%s: %.300s ... %s", c.test, said, said[max(0, len(said)-300):])
		}
	}
}
