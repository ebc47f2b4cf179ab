package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
)

// leavesOut are files whose sparse rows leave out strings, in which Weka 3.6 and
// 3.8 do not agree. A strict reader refuses them; they are converted as Weka 3.8
// reads them, and texts that 3.6 has not are not compared.
var leavesOut = []string{"ClassifierTest", "InstancesTest"}

// quickSize is the most text of a file in the short comparison.
const quickSize = 3 << 10

// TestWekaLive has the installed Weka read each real ARFF file, and what ours
// makes of it directly and by way of other formats, and compares every value.
func TestWekaLive(t *testing.T) {
	w, bin := installedWeka(t), commands(t)
	files, err := filepath.Glob(filepath.Join(realData(t), "arff_dev", "*.arff.zst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no ARFF files: %v", err)
	}
	full := os.Getenv("SLIMSVM_LIVE") == "full"
	if !full {
		t.Log("larger files are left out; SLIMSVM_LIVE=full takes all")
	}
	v := &wekaRival{bin: bin, reader: newWekaReader(t, w), table: map[string]string{}}
	taken := 0
	t.Run("file", func(t *testing.T) {
		for _, file := range files {
			text, err := readPacked(file)
			if err != nil {
				t.Fatal(err)
			}
			if !full && len(text) > quickSize {
				continue
			}
			taken++
			name := strings.TrimSuffix(filepath.Base(file), ".arff.zst")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				v.compareFile(t, name, text)
			})
		}
	})
	t.Logf("Weka: %d ARFF files read, %d values; %d rewritten and read the same, %d detours the same, %d refused for a reason; %d texts that Weka 3.6 has not; Weka ran %d times",
		v.files, v.values, v.rewritten, v.detours, v.refused, v.dummies, v.reader.runs)
	for _, line := range slices.Sorted(maps.Keys(v.table)) {
		t.Logf("%-28s %s", line, v.table[line])
	}
	if v.rewritten != taken || v.files != taken || v.detours+v.refused != taken*len(detours) || v.values == 0 {
		t.Errorf("not all of %d files are compared", taken)
	}
}

// A wekaRival compares files with Weka's reading of them.
type wekaRival struct {
	bin    string
	reader *wekaReader

	mu                                                  sync.Mutex
	files, values, rewritten, detours, refused, dummies int
	table                                               map[string]string // what came of each file and detour
}

func (v *wekaRival) compareFile(t *testing.T, name string, text []byte) {
	want, err := v.reader.read(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	left := slices.Contains(leavesOut, name)
	r := arff.NewReader(bytes.NewReader(text))
	r.Weka = left
	got, err := readRows(r)
	if err != nil {
		t.Fatal(err)
	}
	d := comparer{}.compare(got, want)
	d.check(t, "our reading of the file", exactly)
	v.add(func() { v.files++; v.values += d.values; v.dummies += d.dummies })

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.arff"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	options := ""
	if left {
		options = " --weka"
		if r := run(t, v.bin, dir, "slimsvm convert in.arff strict.arff", time.Minute); r.exit != 1 || !bytes.Contains(r.stderr, []byte("leaves out attribute")) {
			t.Errorf("exit status %d, %s", r.exit, r.stderr)
		}
	}
	if r := run(t, v.bin, dir, "slimsvm convert"+options+" in.arff ours.arff", time.Minute); r.exit != 0 {
		t.Fatalf("%s", r.stderr)
	}
	v.readBack(t, filepath.Join(dir, "ours.arff"), want, "Weka's reading of what ours wrote", comparer{}, exactly)
	v.add(func() { v.rewritten++ })
	for _, detour := range detours {
		v.compareDetour(t, detour, name, dir, want)
	}
}

func (v *wekaRival) add(do func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	do()
}

// readBack has Weka read an ARFF file of ours, and compares with want.
func (v *wekaRival) readBack(t *testing.T, path string, want *table, what string, c comparer, may losses) *difference {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.reader.read(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	d := c.compare(got, want)
	d.check(t, what, may)
	return d
}

// losses are what need not come back: names of relations, the order of labels,
// types of columns of texts, whether rows are sparse.
type losses struct{ relation, order, types, sparse bool }

var exactly = losses{}

func (d *difference) check(t *testing.T, what string, may losses) {
	t.Helper()
	if !may.allow(d) || len(d.faults) > 0 {
		t.Errorf("%s differs: %+v", what, *d)
	}
	if d.values == 0 {
		t.Errorf("%s: no values", what)
	}
}

// lost says in words what did not come back.
func (d *difference) lost() string {
	var words []string
	for _, w := range []struct {
		n    int
		text string
	}{{d.relation, "the relation's name"}, {d.order, "order of labels"}, {d.types, "types of texts"}, {d.sparse, "form of rows"}} {
		if w.n > 0 {
			words = append(words, w.text)
		}
	}
	if words == nil {
		return "equal"
	}
	return "equal in values; not kept: " + strings.Join(words, ", ")
}

// A detour is a way through another format and back. What the format cannot hold
// must be refused.
type detour struct {
	name   string
	cannot func(*table) string // part of the message that must come, "": it can
	may    losses
	c      comparer
}

var detours = []detour{
	{"sparse.arff", holdsAll, losses{sparse: true}, comparer{}},
	{"csv", holdsText, losses{relation: true, order: true, types: true, sparse: true}, comparer{asText: true}},
	{"tsv", holdsText, losses{relation: true, order: true, types: true, sparse: true}, comparer{asText: true}},
	{"libsvm", holdsNumbers, losses{sparse: true}, comparer{}},
	{"svmlight", holdsNumbers, losses{sparse: true}, comparer{}},
}

func holdsAll(*table) string { return "" }

// holdsText is for formats that hold numbers, texts and missing values.
func holdsText(t *table) string {
	texts, plain := false, false
	for _, c := range t.columns {
		switch c.kind {
		case format.Relational:
			return "relational"
		case format.String:
			texts = true
		case format.Nominal:
			plain = plain || !slices.ContainsFunc(c.labels, takesQuotes)
		default:
			plain = true
		}
	}
	if texts && !plain {
		return "could not tell the name" // from a text, since all is in quotes
	}
	return weights(t)
}

// takesQuotes reports whether a label goes in quotes in CSV.
func takesQuotes(label string) bool {
	_, err := strconv.ParseFloat(label, 64)
	return err == nil || label != strings.TrimSpace(label) || strings.ContainsAny(label, ",;|\t\r\n\"'") || label == "" || label == "?"
}

// holdsNumbers is for formats that hold finite numbers, none missing.
func holdsNumbers(t *table) string {
	for _, c := range t.columns {
		if c.kind == format.String || c.kind == format.Relational {
			return fmt.Sprintf("column %q", c.name)
		}
	}
	for _, row := range t.rows {
		for k, cell := range row.cells {
			if x, ok := cell.(float64); ok && math.IsInf(x, 0) {
				return "finite"
			} else if cell == nil {
				return fmt.Sprintf("column %q", t.columns[k].name)
			}
		}
		if row.weight != 1 {
			return "weight"
		}
	}
	return ""
}

func weights(t *table) string {
	for _, row := range t.rows {
		if row.weight != 1 {
			return "weight"
		}
	}
	return ""
}

func (v *wekaRival) compareDetour(t *testing.T, w detour, name, dir string, want *table) {
	t.Helper()
	there, back := "there."+w.name, "back."+w.name+".arff"
	reason := w.cannot(want)
	fault := ""
	if w.name == "sparse.arff" {
		if err := makeSparse(filepath.Join(dir, "ours.arff"), filepath.Join(dir, there)); err != nil {
			t.Fatal(err)
		}
	} else if r := run(t, v.bin, dir, "slimsvm convert ours.arff "+there, time.Minute); r.exit != 0 {
		if fault = string(r.stderr); r.exit != 1 {
			t.Errorf("%s: exit status %d", w.name, r.exit)
		}
	}
	if fault != "" || reason != "" {
		if reason == "" || !strings.Contains(fault, reason) {
			t.Errorf("%s: message %q, want one with %q", w.name, fault, reason)
		}
		if _, err := os.Stat(filepath.Join(dir, there)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a file is left: %v", w.name, err)
		}
		line, _, _ := strings.Cut(strings.TrimPrefix(fault, "slimsvm: "), "\n")
		v.add(func() { v.refused++; v.table[name+" "+w.name] = "refused: " + line })
		return
	}
	if r := run(t, v.bin, dir, "slimsvm convert "+there+" "+back, time.Minute); r.exit != 0 {
		t.Errorf("%s: %s", w.name, r.stderr)
		return
	}
	d := v.readBack(t, filepath.Join(dir, back), want, "Weka's reading by way of "+w.name, w.c, w.may)
	v.add(func() { v.detours++; v.table[name+" "+w.name] = d.lost() })
}

// makeSparse writes an ARFF file with all rows sparse.
func makeSparse(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	r := arff.NewReader(bytes.NewReader(text))
	h, err := r.Header()
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w := arff.NewWriter(&out)
	if _, err := format.Copy(w, sparseReader{r, h.Attributes}); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o666)
}

// sparseReader shows rows as sparse ones without zeros.
type sparseReader struct {
	format.Reader
	attributes []format.Attribute
}

func (s sparseReader) Read() (format.Instance, error) {
	in, err := s.Reader.Read()
	in.Sparse = true
	x := format.Instance{}.X
	for k, i := range in.X.Index {
		v := in.X.Value[k]
		kind := s.attributes[i].Type
		if math.Float64bits(v) != 0 || kind == format.String || kind == format.Relational {
			x.Index, x.Value = append(x.Index, i), append(x.Value, v)
		}
	}
	in.X = x
	return in, err
}

// TestWekaReadsRandom writes random tables with hostile names, labels and texts
// and has the installed Weka read them. Weka 3.6 knows no weights of columns.
func TestWekaReadsRandom(t *testing.T) {
	w := newWekaReader(t, installedWeka(t))
	s := shape{texts: true, tables: true, missing: true, infinite: true, weights: true, sparse: true, zeroByte: true, noName: true, rows: 60}
	few := 6
	if os.Getenv("SLIMSVM_LIVE") == "full" {
		few = 40
	}
	defer withChecks(t, few)()
	files, rows, values := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		m, want := s.draw(rt)
		text, err := m.arff()
		if err != nil {
			rt.Fatal(err)
		}
		got, err := w.read(t.Context(), text)
		if err != nil {
			rt.Fatalf("%v\n%.2000s", err, text)
		}
		d := comparer{noSign: true}.compare(got, want)
		if !exactly.allow(d) || len(d.faults) > 0 {
			rt.Fatalf("%+v\nof\n%.2000s", *d, text)
		}
		files++
		rows += len(want.rows)
		values += d.values
	})
	t.Logf("Weka reads %d random files with %d rows and %d values as they were meant", files, rows, values)
	if values == 0 {
		t.Error("no values")
	}
}
