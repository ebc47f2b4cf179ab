package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A maker makes data sets of one kind.
type maker struct {
	*rand.Rand
	columns   int32   // indices are 1..columns, 0 too if zero is set
	density   float64 // share of listed values
	zero      bool
	constant  float64 // share of columns with one value
	labelOnly float64 // share of rows without values
	value     func() string
	label     func() string
	separator func() string
	end       string // of a line
	comments  bool
}

func (m *maker) pick(words ...string) string { return words[m.IntN(len(words))] }

// newMaker makes a maker of a random kind.
func newMaker(rng *rand.Rand) *maker {
	m := &maker{Rand: rng, end: "\n"}
	m.columns = []int32{1, 5, 20, 300}[rng.IntN(4)]
	m.density = []float64{1, 0.5, 0.1}[rng.IntN(3)]
	if rng.IntN(20) == 0 { // not more often: LIBSVM goes through a million features a row
		m.columns, m.density = 1_000_000, 5e-6
	}
	m.zero = rng.IntN(6) == 0
	m.constant = []float64{0, 0, 0.3}[rng.IntN(3)]
	m.labelOnly = []float64{0, 0.2}[rng.IntN(2)]
	m.value = []func() string{
		func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 6, 64) },
		func() string { return strconv.FormatFloat(rng.Float64(), 'g', 17, 64) },
		func() string { return strconv.FormatFloat(-1000*rng.ExpFloat64(), 'f', 3, 64) },
		func() string { return strconv.Itoa(rng.IntN(3)) },
		func() string { return strconv.Itoa(rng.IntN(200000) - 100000) },
		func() string { return "1" },
		func() string {
			return strconv.FormatFloat(rng.NormFloat64()*math.Exp(100*rng.NormFloat64()), 'e', rng.IntN(10), 64)
		},
		func() string {
			return m.pick("0", "-0", "+0", ".5", "5.", "+1", "1e0", "-3E+2", "0x1p3", "1e-310", "1e-400", "007", "-.25e-3")
		},
	}[rng.IntN(8)]
	m.label = []func() string{
		func() string { return m.pick("1", "-1") },
		func() string { return m.pick("+1", "-1", "0", "-0") },
		func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 1+rng.IntN(17), 64) },
		func() string { return m.pick("7", "1e5", "123456789", "0.1", "0x10", "1e-7") },
		func() string { return "3" },
	}[rng.IntN(5)]
	m.separator = func() string { return " " }
	if rng.IntN(5) == 0 {
		m.separator = func() string { return m.pick(" ", "  ", "\t", " \t") }
	}
	if rng.IntN(5) == 0 {
		m.end = "\r\n"
	}
	m.comments = rng.IntN(5) == 0
	return m
}

// data makes a data set of n rows. Constant columns are those whose number, as a
// pseudo-random one, says so; they are the same in every data set of m.
func (m *maker) data(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(m.label())
		listed := 0
		if m.Float64() >= m.labelOnly {
			for j := range m.indices() {
				value := m.value()
				if h := uint32(j) * 2654435761; float64(h>>8)/(1<<24) < m.constant {
					value = "42"
				}
				listed++
				fmt.Fprintf(&b, "%s%d:%s", m.separator(), j, value)
			}
		}
		if m.comments && m.IntN(3) == 0 {
			b.WriteString(m.separator() + m.pick("# row", "#", "# a b 5", "#:"))
		}
		// behind a label without a line end LIBSVM reads what is left in its memory
		if i < n-1 || m.IntN(4) > 0 || listed == 0 {
			b.WriteString(m.end)
		}
	}
	return b.String()
}

// indices yields those of one row.
func (m *maker) indices() func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		j := int32(0)
		if !m.zero || m.IntN(2) == 0 {
			j = 1
		}
		if m.density == 1 {
			for ; j <= m.columns && yield(j); j++ {
			}
			return
		}
		for {
			j += int32(min(m.ExpFloat64()/m.density, 1e7))
			if j > m.columns || !yield(j) {
				return
			}
			j++
		}
	}
}

// Limits are exact in float32: Debian's LIBSVM reads them so.
var liveOptions = [][]string{
	{}, {}, {"-l", "0"}, {"-l", "0", "-u", "1"}, {"-u", "3"}, {"-l", "-0.5", "-u", "2.5"}, {"-y", "0", "1"},
	{"-l", "0", "-y", "-2", "3"}, {"-l", "1", "-u", "1024", "-y", "-1", "1"}, {"-l", "-0.0009765625", "-u", "0.0009765625"},
}

// On random data of many kinds every byte is LIBSVM's: rows, warnings, status
// and range file, with ranges measured and with ranges restored.
func TestLive(t *testing.T) {
	libsvm := needOracle(t)
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(11, 12))
	compare := func(round int, args ...string) {
		t.Helper()
		reset(t)
		got := ours(t, args...)
		reset(t)
		want := outcome(t, exec.Command(libsvm, args...))
		if got.status == 1 && strings.Contains(got.stderr, "the result is out of range") &&
			got.stdout == "" && strings.Contains(want.stdout, "inf ") {
			return // LIBSVM's result holds infinities
		}
		if got != want {
			at := 0
			g, w := got.stdout+got.stderr+got.saved, want.stdout+want.stderr+want.saved
			for at < min(len(g), len(w)) && g[at] == w[at] {
				at++
			}
			at = max(0, at-200)
			t.Fatalf("round %d, svm-scale %s: status %d, want %d\n got ...%.400q\nwant ...%.400q", round, strings.Join(args, " "), got.status, want.status, g[at:], w[at:])
		}
	}
	rounds, warned, unseen, zero, referred := 60, 0, 0, 0, 0
	switch {
	case testing.Short():
		rounds = 5
	case os.Getenv("SLIMSVM_LIVE") == "full":
		rounds = 150
	}
	for round := range rounds {
		m := newMaker(rng)
		rows := 30
		if m.columns > 1000 {
			rows = 6
		}
		train, test := m.data(1+rng.IntN(rows)), m.data(1+rng.IntN(rows/2))
		if rng.IntN(20) == 0 {
			test = ""
		}
		writeFile(t, "data", train)
		writeFile(t, "test", test)
		options := liveOptions[rng.IntN(len(liveOptions))]
		compare(round, append(options, "data")...)
		compare(round, append(options, "-s", "range", "data")...)
		given := saved(t)
		o, err := parseOptions(append(options, "data"))
		if err != nil {
			t.Fatal(err)
		}
		// the reference of FuzzScale agrees as well
		if ref := new(reference); ref.read(train) && !overflows(ref) {
			want := ref.run(o)
			want.stderr = strings.Replace(want.stderr, warnZero, warnZero+"\n"+warnStored, 1)
			reset(t)
			if got := outcome(t, exec.Command(libsvm, append(options, "-s", "range", "data")...)); got != want {
				t.Fatalf("round %d, %v: LIBSVM\n got %v\nthe reference has %v", round, options, got, want)
			}
			referred++
		}
		parts := strings.SplitAfter(given, "x\n")
		switch rng.IntN(4) {
		case 0: // some features are not in the file
			lines := strings.SplitAfter(given, "\n")
			head := 2 + 3*(strings.Count(given, "y"))
			kept := lines[:head]
			for _, l := range lines[head:] {
				if rng.IntN(3) > 0 {
					kept = append(kept, l)
				}
			}
			given = strings.Join(kept, "")
		case 1:
			given = strings.ReplaceAll(given, "\n", "\r\n")
		case 2: // labels only
			if strings.HasPrefix(given, "y") {
				given = strings.TrimSuffix(parts[0], "x\n")
			}
		}
		// LIBSVM makes inf of labels scaled by a constant range
		if f := strings.Fields(given); f[0] == "y" && f[3] == f[4] {
			continue
		}
		writeFile(t, "given", given)
		for _, name := range []string{"data", "test"} {
			args := append(options, "-r", "given", name)
			compare(round, args...)
			if rng.IntN(2) == 0 {
				compare(round, "-r", "given", name)
			}
			stderr := ours(t, args...).stderr
			for what, count := range map[string]*int{"#nonzeros": &warned, "not seen": &unseen, "minimal": &zero} {
				if strings.Contains(stderr, what) {
					*count++
				}
			}
		}
	}
	if warned < rounds/10 || unseen < rounds/10 || zero < rounds/20 || referred < rounds/2 {
		t.Errorf("too few cases: %d with more values than before, %d with unseen features, %d with index 0, %d for the reference", warned, unseen, zero, referred)
	}
}
