package models_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestClaimsCostNoMemory: numbers in a file only claim how much follows. Memory is used for what is
// there.
func TestClaimsCostNoMemory(t *testing.T) {
	const huge = "2000000000"
	hugeClasses := "svm_type c_svc kernel_type linear nr_class " + huge
	many := strings.Repeat("0 ", 1000)
	for name, text := range map[string]string{
		"total_sv":              change(t, otherTasks["regression"], "total_sv 2", "total_sv "+huge),
		"total_sv and nr_sv":    change(t, change(t, sound, "total_sv 2", "total_sv "+huge), "nr_sv 1 1", "nr_sv 1999999999 1"),
		"nr_class alone":        hugeClasses + " total_sv 0\nSV\n",
		"nr_class, rho":         hugeClasses + " total_sv 0 rho " + many,
		"nr_class, rho, SV":     hugeClasses + " total_sv 0 rho " + many + "\nSV\n",
		"nr_class, label":       hugeClasses + " total_sv 0 label " + many,
		"nr_class, nr_sv":       hugeClasses + " total_sv 0 nr_sv " + many,
		"nr_class, probA":       hugeClasses + " total_sv 0 probA " + many,
		"nr_class, no lists":    hugeClasses + " total_sv " + huge + "\nSV\n" + strings.Repeat("0 1:1\n", 100),
		"nr_class in the end":   "svm_type c_svc kernel_type linear nr_class 1 rho label 1 nr_sv 0 total_sv 0 nr_class " + huge + "\nSV\n",
		"regression, nr_class":  "svm_type nu_svr kernel_type linear total_sv 0 nr_class 1 rho nr_class " + huge + "\nSV\n",
		"nr_class 2, then 2^31": change(t, sound, "nr_sv 1 1", "nr_sv 1 1\nnr_class 2147483647"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := read(text)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error, %d vectors", name, m.Vectors.Len())
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
			t.Errorf("%s: %d bytes for a text of %d", name, used, len(text))
		}
	}
}

// TestMemoryInProportion: a sound model uses memory in proportion to its text.
func TestMemoryInProportion(t *testing.T) {
	for name, text := range soundSeeds(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := read(text)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > memoryLimit(len(text)) {
			t.Errorf("%s: %d bytes for a text of %d, %d vectors", name, used, len(text), m.Vectors.Len())
		}
	}
}

// TestClaimsOfManyClasses: the vectors of one class do not justify memory for claims of all others.
func TestClaimsOfManyClasses(t *testing.T) {
	const classes, first, single = 200, 300, 100
	var labels, sizes strings.Builder
	for c := range classes {
		fmt.Fprintf(&labels, " %d", c)
		switch {
		case c == 0:
			fmt.Fprintf(&sizes, " %d", first)
		case c < single:
			sizes.WriteString(" 1")
		default:
			sizes.WriteString(" 1000000")
		}
	}
	total := first + single - 1 + (classes-single)*1_000_000
	text := fmt.Sprintf("svm_type c_svc\nkernel_type linear\nnr_class %d\ntotal_sv %d\nrho%s\nlabel%s\nnr_sv%s\nSV\n",
		classes, total, strings.Repeat(" 0", classes*(classes-1)/2), labels.String(), sizes.String()) +
		strings.Repeat(strings.Repeat("1 ", classes-1)+"1:1\n", first+single-1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := read(text)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("support vector %d of %d", first+single, total)) {
		t.Errorf("%v, model %v", err, m != nil)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > memoryLimit(len(text)) {
		t.Errorf("%d bytes for a text of %d", used, len(text))
	}
}

// memoryLimit returns the memory that reading a text of n bytes may take: a buffer for lines, the
// first blocks of a matrix, and a machine or row for every number of the text, which has two bytes
// at least. A line that is longer than the buffer takes memory too.
func memoryLimit(n int) uint64 { return uint64(1<<20 + 400*n) }

// soundSeeds returns sound models by name.
func soundSeeds(t testing.TB) map[string]string {
	all := goldens(t)
	all["sound"] = sound
	for name, text := range otherTasks {
		all[name] = text
	}
	all["shared"], all["rest"] = shared, rest
	all["ensemble"], all["lean ensemble"] = ensemble, leanEnsemble
	all["inputs"] = sound + "slimsvm inputs\nx 1\n"
	all["one line"] = strings.ReplaceAll(strings.TrimSuffix(sound[:strings.Index(sound, "SV\n")], "\n"), "\n", " ") + "\nSV\n1\n2\n"
	return all
}
