package compat_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
)

// BenchmarkPredictCompute measures what svm-predict takes for computing, ours and
// LIBSVM's, without the start of the process, reading and writing. These are found out
// by the same commands on each side. With T the test rows, M the model, t one row and
// m a model of one vector,
//
//	computing = cost(T, M) - cost(T, m) - cost(t, M) + cost(t, m)
//
// since (T, m) starts, reads the rows and writes as many answers, (t, M) starts and
// reads the model, and (t, m) only starts. What our side does to prepare a model for
// many rows stays in.
//
// The sets are those that slimsvm-bench keeps:
//
//	go run ./cmd/slimsvm-bench -keep DIR -run /predict -rounds 1
//	SLIMSVM_BENCH_KEPT=DIR go test -run '^$' -bench PredictCompute -benchtime 5x ./compat_test
//
// Metrics are medians over the rounds of CPU seconds, user and system, ours on one
// core: x-compute and x-whole are how many times as fast ours are. SLIMSVM_SIMD limits
// our instructions. The predictions must be equal.
func BenchmarkPredictCompute(b *testing.B) {
	kept := named(b, "SLIMSVM_BENCH_KEPT")
	if kept == "" {
		b.Skip("needs the folder of sets that slimsvm-bench -keep has written, SLIMSVM_BENCH_KEPT")
	}
	models, err := filepath.Glob(filepath.Join(kept, "*", "model.to.predict"))
	if err != nil {
		b.Fatal(err)
	}
	if len(models) == 0 {
		b.Fatalf("no folder in %s has a model.to.predict", kept)
	}
	programs := map[string]string{
		"theirs": filepath.Join(oracle(b), "svm-predict"),
		"ours":   filepath.Join(commands(b), "svm-predict"),
	}
	for _, model := range models {
		b.Run(filepath.Base(filepath.Dir(model)), func(b *testing.B) {
			predictCompute(b, filepath.Dir(model), programs)
		})
	}
}

func predictCompute(b *testing.B, set string, programs map[string]string) {
	dir := b.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			b.Fatal(err)
		}
		return path
	}
	read := func(path string) []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	T, M := filepath.Join(set, "test"), filepath.Join(set, "model.to.predict")
	row, _, _ := bytes.Cut(read(T), []byte{'\n'})
	t := write("row", append(row, '\n'))
	m := write("model", oneVector(b, read(M)))
	environment := append(os.Environ(), "GOMAXPROCS=1")
	whole, computing := map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for _, who := range []string{"theirs", "ours"} {
			of := func(test, model string) float64 {
				c, err := cost.Measure(b.Context(), dir, environment, "", programs[who], "-q", test, model, filepath.Join(dir, who))
				if err != nil {
					b.Fatal(err)
				}
				return c.CPU.Seconds()
			}
			others := of(T, m) + of(t, M) - of(t, m)
			all := of(T, M) // last, so that its predictions stay
			whole[who], computing[who] = append(whole[who], all), append(computing[who], all-others)
		}
		if !bytes.Equal(read(filepath.Join(dir, "ours")), read(filepath.Join(dir, "theirs"))) {
			b.Fatal("predictions differ")
		}
	}
	b.StopTimer()
	for who := range programs {
		b.ReportMetric(1e3*cost.Median(whole[who]), who+"-whole-ms")
		b.ReportMetric(1e3*cost.Median(computing[who]), who+"-compute-ms")
	}
	ratio := func(of map[string][]float64) float64 {
		var all []float64
		for i, s := range of["ours"] {
			all = append(all, of["theirs"][i]/s)
		}
		return cost.Median(all)
	}
	b.ReportMetric(ratio(whole), "x-whole")
	b.ReportMetric(ratio(computing), "x-compute")
	b.ReportMetric(0, "ns/op") // of all together: says nothing
}

// oneVector returns a model of the kind of that in text with its last vector only. Of
// classes it has two, so that its answers are as short as those of more.
func oneVector(b *testing.B, text []byte) []byte {
	b.Helper()
	head, vectors, found := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\nSV\n")
	if !found {
		b.Fatal("no model of LIBSVM's")
	}
	last := vectors[strings.LastIndexByte(vectors, '\n')+1:]
	var kept strings.Builder
	classifier := false
	for line := range strings.Lines(head + "\n") {
		switch key, _, _ := strings.Cut(strings.TrimSpace(line), " "); key {
		case "svm_type", "kernel_type", "degree", "gamma", "coef0":
			kept.WriteString(line)
		case "nr_sv":
			classifier = true
		}
	}
	fmt.Fprint(&kept, "nr_class 2\ntotal_sv 1\nrho 0.125\n")
	if classifier {
		fmt.Fprint(&kept, "label 1 2\nnr_sv 1 0\n")
	}
	words := strings.Fields(last)
	for len(words) > 0 && !strings.Contains(words[0], ":") {
		words = words[1:]
	}
	fmt.Fprintf(&kept, "SV\n0.5 %s \n", strings.Join(words, " "))
	return []byte(kept.String())
}
