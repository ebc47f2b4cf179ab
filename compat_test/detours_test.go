package compat_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/formattest"
)

// withChecks sets the number of cases that rapid tries, and returns what sets it
// back.
func withChecks(t *testing.T, n int) (restore func()) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if err := checks.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	return func() { checks.Value.Set(before) }
}

// A randomDetour is a way of random data through another format and back with
// slimsvm convert. Rows are those that the format can hold: a refusal is a fault.
type randomDetour struct {
	name, file string
	shape      shape
	class      bool // the label's column is chosen at random
	c          comparer
	may        losses

	files, rows, values int // compared
}

// What formats hold.
var (
	anything = shape{texts: true, tables: true, missing: true, infinite: true, weights: true, columns: true, sparse: true, zeroByte: true, noName: true, rows: 12}
	dense    = shape{texts: true, tables: true, missing: true, infinite: true, weights: true, columns: true, zeroByte: true, noName: true, rows: 12}
	cells    = shape{texts: true, missing: true, infinite: true, sparse: true, plain: true, rows: 12}
	finite   = shape{columns: true, sparse: true, zeroByte: true, noName: true, rows: 12}
)

var randomDetours = []*randomDetour{
	{name: "ARFF", file: "there.arff", shape: anything},
	{name: "sparse ARFF", file: "there.arff", shape: dense, may: losses{sparse: true}},
	{name: "CSV", file: "there.csv", shape: cells, c: comparer{asText: true}, may: losses{true, true, true, true}},
	{name: "TSV", file: "there.tsv", shape: cells, c: comparer{asText: true}, may: losses{true, true, true, true}},
	{name: "LIBSVM", file: "there.libsvm", shape: finite, class: true, may: losses{sparse: true}},
	{name: "SVMlight", file: "there.svmlight", shape: finite, class: true, may: losses{sparse: true}},
}

// TestRandomDetours converts random ARFF files with hostile names, labels, texts
// and numbers into each format and back, and compares every value to the last
// bit, and what else the format keeps.
func TestRandomDetours(t *testing.T) {
	bin := commands(t)
	cases := formattest.Cases(t, 150)
	each := (cases + len(randomDetours) - 1) / len(randomDetours)
	if testing.Short() {
		each *= 5 // of which rapid takes a fifth
	}
	defer withChecks(t, each)()
	t.Run("by way of", func(t *testing.T) {
		for i := range randomDetours {
			t.Run(randomDetours[i].name, func(t *testing.T) {
				t.Parallel()
				randomDetours[i].try(t, bin)
			})
		}
	})
	files := 0
	for _, d := range randomDetours {
		t.Logf("%-12s %d files with %d rows and %d values through slimsvm convert and back", d.name, d.files, d.rows, d.values)
		if d.files == 0 || d.rows == 0 || d.values == 0 {
			t.Errorf("%s: nothing compared", d.name)
		}
		files += d.files
	}
	if files < cases {
		t.Errorf("only %d of %d cases", files, cases)
	}
}

// try tries random files, and counts them.
func (d *randomDetour) try(t *testing.T, bin string) {
	d.files, d.rows, d.values = 0, 0, 0
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		m, want := d.shape.draw(rt)
		options := ""
		if d.class {
			options = fmt.Sprint(" --class ", rapid.IntRange(1, len(m.header.Attributes)).Draw(rt, "class"))
		}
		got, err := d.convert(t, m, bin, dir, options)
		if err != nil {
			rt.Fatal(err)
		}
		diff := d.c.compare(got, want)
		if len(diff.faults) > 0 || !d.may.allow(diff) {
			text, _ := m.arff()
			rt.Fatalf("%+v\nof\n%.2000s", *diff, text)
		}
		d.files++
		d.rows += len(want.rows)
		d.values += diff.values
	})
}

// allow reports whether the losses cover a difference.
func (may losses) allow(d *difference) bool {
	return (d.relation == 0 || may.relation) && (d.order == 0 || may.order) && (d.types == 0 || may.types) && (d.sparse == 0 || may.sparse)
}

// convert writes rows as ARFF, converts them there and back, and reads the
// result.
func (d *randomDetour) convert(t *testing.T, m *rowList, bin, dir, options string) (*table, error) {
	text, err := m.arff()
	if err != nil {
		return nil, err
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("in.arff"), text, 0o666); err != nil {
		return nil, err
	}
	lines := []string{"slimsvm convert" + options + " in.arff " + d.file, "slimsvm convert " + d.file + " back.arff"}
	if d.name == "sparse ARFF" {
		if err := makeSparse(path("in.arff"), path(d.file)); err != nil {
			return nil, err
		}
		lines = lines[1:]
	}
	for _, line := range lines {
		if r := run(t, bin, dir, line, time.Minute); r.exit != 0 {
			return nil, fmt.Errorf("%s: %s\n%.2000s", line, r.stderr, text)
		}
	}
	back, err := os.ReadFile(path("back.arff"))
	if err != nil {
		return nil, err
	}
	return readRows(arff.NewReader(bytes.NewReader(back)))
}
