package models_test

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/slimsvm/slimsvm/models"
)

// many returns a model of this number of classes without vectors. Its offsets are in one line, with
// 20 bytes for each pair; word replaces that of one pair.
func many(classes, pair int, word string) string {
	var rho strings.Builder
	for i := range models.Pairs(classes) {
		text := fmt.Sprintf("%-19.10g ", 1/float64(3+i))
		if i == pair {
			text = fmt.Sprintf("%-19s ", word)
		}
		rho.WriteString(text)
	}
	labels, none := "", strings.Repeat(" 0", classes)
	for c := range classes {
		labels += " " + strconv.Itoa(c)
	}
	return fmt.Sprintf("svm_type c_svc\nkernel_type linear\nnr_class %d\ntotal_sv 0\nrho %s\nlabel%s\nnr_sv%s\nSV\n", classes, &rho, labels, none)
}

// TestLongHeader: the lists of many classes are read from lines of megabytes in no more memory than
// their numbers take.
func TestLongHeader(t *testing.T) {
	const classes = 400
	text := many(classes, -1, "")
	for name, text := range map[string]string{
		"as it stands":       text,
		"header on one line": strings.Replace(strings.ReplaceAll(text, "\n", " "), " SV ", " SV\n", 1),
		"a word a line":      strings.ReplaceAll(text, " ", "\n"),
		"text behind SV":     strings.TrimSuffix(text, "\n") + strings.Repeat(" SV rho 1", 100000) + "\n",
		"blanks":             strings.Replace(text, "rho", strings.Repeat(" \t", 200000)+"rho", 1),
		"the end behind SV":  strings.TrimSuffix(text, "\n") + strings.Repeat(" SV rho 1", 100000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := mustRead(t, text)
		runtime.ReadMemStats(&after)
		for i, c := range m.Machines {
			if want := fmt.Sprintf("%.10g", 1/float64(3+i)); fmt.Sprintf("%.10g", c.Rho) != want {
				t.Fatalf("%s: rho of pair %d is %v, want %s", name, i, c.Rho, want)
			}
		}
		n := uint64(models.Pairs(classes))
		most := n*uint64(unsafe.Sizeof(models.Machine{})+4*8) + 1<<18
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: %d bytes for %d machines, want %d at most", name, took, n, most)
		}
	}
}

// TestLongHeaderFaults: a fault far behind in a line is reported with its place.
func TestLongHeaderFaults(t *testing.T) {
	const classes = 400
	for _, pair := range []int{0, 3276, 3277, 50000, models.Pairs(classes) - 1} {
		want := fmt.Sprintf(`5:%d: expected a number as value of rho, found "1,5" (value %d of %d)`,
			len("rho ")+20*pair+1, pair+1, models.Pairs(classes))
		if _, err := read(many(classes, pair, "1,5")); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	text := many(classes, -1, "")
	want := fmt.Sprintf("5: the file ends where a value of rho is expected (value 50001 of %d)", models.Pairs(classes))
	if _, err := read(text[:strings.Index(text, "rho ")+len("rho ")+20*50000]); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestHeaderLists: while vectors are read, the lists of the header are no longer in memory beside
// the machines that have their numbers.
func TestHeaderLists(t *testing.T) {
	const classes = 400
	text := many(classes, -1, "")
	_, list, _ := strings.Cut(text, "rho")
	list, _, _ = strings.Cut(list, "\n")
	text = strings.Replace(text, "label", "probA"+list+"\nprobB"+list+"\nlabel", 1)
	held := func() uint64 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	before, during := held(), uint64(0)
	end := readerFunc(func([]byte) (int, error) {
		during = held()
		return 0, io.EOF
	})
	m, err := models.Read(io.MultiReader(strings.NewReader(text), end))
	if err != nil {
		t.Fatal(err)
	}
	if a := m.Machines[7].Sigmoid.A; a != m.Machines[7].Rho {
		t.Fatalf("probA of pair 7 is %v, want %v", a, m.Machines[7].Rho)
	}
	n := uint64(len(m.Machines))
	most := before + n*uint64(unsafe.Sizeof(models.Machine{})+unsafe.Sizeof(models.Sigmoid{})) + n*8
	if during > most {
		t.Errorf("%d bytes for %d machines while vectors are read, want %d at most", during-before, n, most-before)
	}
	runtime.KeepAlive(text)
}

// A readerFunc is a function as a reader.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
