package compat_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// benchMB returns the size of generated files in MB: SLIMSVM_BENCH_MB, or usual.
func benchMB(b *testing.B, usual int) int {
	text := os.Getenv("SLIMSVM_BENCH_MB")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("SLIMSVM_BENCH_MB: expected a size, found %q", text)
	}
	return n
}

// besideFiles are the generated files: 50 columns of six decimals, all or 50 of
// 10,000 in each row.
var besideFiles = []struct {
	name, file string
	sparse     bool
	codec      format.Codec
}{
	{"dense/ARFF", "dense.arff", false, arff.Codec},
	{"dense/CSV", "dense.csv", false, csvfmt.Codec},
	{"dense/LIBSVM", "dense.libsvm", false, libsvmfmt.Codec},
	{"sparse/ARFF", "sparse.arff", true, arff.Codec},
	{"sparse/LIBSVM", "sparse.libsvm", true, libsvmfmt.Codec},
}

// BenchmarkBesideReaders measures how files of 100 MB are read, by whole processes
// in turn: our readers row by row (stream) and into memory (parse), and Weka's
// loaders or LIBSVM's svm-predict, which read into memory and row by row. Weka
// trains ZeroR, which does next to nothing, and svm-predict has a model of one
// number. Metrics are medians over the rounds, in CPU seconds, user and system,
// ours on one core:
//
//	go test -run '^$' -bench BesideReaders -benchtime 5x -timeout 1h ./compat_test
//
// SLIMSVM_BENCH_MB sets another size. x-stream and x-parse are how many times as
// fast ours are.
func BenchmarkBesideReaders(b *testing.B) {
	w, libsvm := installedWeka(b), oracle(b)
	dir := b.TempDir()
	model := "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 0 1\nnr_sv 1 0\nSV\n1 1:1\n"
	if err := os.WriteFile(filepath.Join(dir, "model"), []byte(model), 0o666); err != nil {
		b.Fatal(err)
	}
	size := int64(benchMB(b, 100)) * 1e6
	for _, f := range besideFiles {
		path := filepath.Join(dir, f.file)
		if err := generateFile(path, f.codec, f.sparse, size); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		theirs := []string{w.java, "-Xmx4g", "-XX:+UseSerialGC", "-cp", w.jar, "weka.classifiers.rules.ZeroR", "-t", path, "-no-cv", "-v", "-o"}
		if f.codec.Name == libsvmfmt.Codec.Name {
			theirs = []string{filepath.Join(libsvm, "svm-predict"), "-q", path, "model", os.DevNull}
		}
		b.Run(f.name, func(b *testing.B) {
			besideReaders(b, dir, float64(info.Size())/1e6, map[string][]string{
				"stream": {"env", "GOMAXPROCS=1", self(b), readWord, "stream", f.codec.Name, path},
				"parse":  {"env", "GOMAXPROCS=1", self(b), readWord, "parse", f.codec.Name, path},
				"theirs": theirs,
			})
		})
		if err := os.Remove(path); err != nil {
			b.Fatal(err)
		}
	}
}

// besideReaders runs the commands in turn.
func besideReaders(b *testing.B, dir string, mb float64, commands map[string][]string) {
	seconds := map[string][]float64{}
	memory := map[string][]float64{}
	for b.Loop() {
		for _, who := range []string{"theirs", "stream", "parse"} {
			c := measure(b, dir, commands[who])
			seconds[who] = append(seconds[who], c.CPU.Seconds())
			memory[who] = append(memory[who], float64(c.Memory)/(1<<20))
		}
	}
	b.StopTimer()
	for who := range commands {
		b.ReportMetric(mb/cost.Median(seconds[who]), who+"-MB/s")
		b.ReportMetric(cost.Median(memory[who]), who+"-MB")
		if who == "theirs" {
			continue
		}
		var times []float64
		for i, s := range seconds[who] {
			times = append(times, seconds["theirs"][i]/s)
		}
		b.ReportMetric(cost.Median(times), "x-"+who)
	}
	b.ReportMetric(mb, "file-MB")
	b.ReportMetric(0, "ns/op") // of all together: says nothing
}

// runRead reads a file, in this process: stream or parse, codec, path. It returns
// the exit status.
func runRead(args []string) int {
	err := readFile(args[0], args[1], args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func readFile(how, name, path string) error {
	var codec format.Codec
	for _, f := range besideFiles {
		if f.codec.Name == name {
			codec = f.codec
		}
	}
	in, err := format.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	rows := 0
	if how == "parse" {
		d, err := codec.Parse(context.Background(), in)
		if err != nil {
			return err
		}
		rows = d.Len()
		runtime.KeepAlive(d)
	} else {
		r := codec.NewReader(in)
		if _, err := r.Header(); err != nil {
			return err
		}
		for ; ; rows++ {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
		}
	}
	if rows == 0 {
		return fmt.Errorf("%s: no rows", path)
	}
	return nil
}

// BenchmarkConvertMemory measures the most memory that slimsvm convert takes for a
// file of 1 GB in each direction, which may be 64 MB, and its speed:
//
//	go test -run '^$' -bench ConvertMemory -benchtime 1x -timeout 2h ./compat_test
//
// SLIMSVM_BENCH_MB sets another size of the ARFF file.
func BenchmarkConvertMemory(b *testing.B) {
	bin := commands(b)
	size := int64(benchMB(b, 1000)) * 1e6
	for _, kind := range []string{"dense", "sparse"} {
		dir := b.TempDir()
		if err := generateFile(filepath.Join(dir, "data.arff"), arff.Codec, kind == "sparse", size); err != nil {
			b.Fatal(err)
		}
		steps := []string{"data.arff a.libsvm", "a.libsvm b.arff", "b.arff c.svmlight", "c.svmlight d.arff", "d.arff e.arff.zst", "e.arff.zst f.libsvm.gz", "f.libsvm.gz g.arff"}
		if kind == "dense" {
			steps = append(steps, "g.arff h.csv", "h.csv i.arff", "i.arff j.tsv.gz", "j.tsv.gz k.libsvm")
		}
		for _, step := range steps {
			from, to, _ := strings.Cut(step, " ")
			done := false
			b.Run(kind+"/"+strings.ReplaceAll(step, " ", "-to-"), func(b *testing.B) {
				convertMemory(b, dir, bin, from, to)
				done = !b.Failed()
			})
			if !done {
				if _, err := os.Stat(filepath.Join(dir, to)); err != nil {
					break // nothing to go on with, or not among the chosen
				}
			}
			for _, name := range []string{from, from + ".names"} {
				os.Remove(filepath.Join(dir, name))
			}
		}
	}
}

// mostConvertMB is what convert may take for files of any size.
const mostConvertMB = 64

func convertMemory(b *testing.B, dir, bin, from, to string) {
	info, err := os.Stat(filepath.Join(dir, from))
	if err != nil {
		b.Fatal(err)
	}
	var seconds, memory []float64
	for b.Loop() {
		c := measure(b, dir, []string{filepath.Join(bin, "slimsvm"), "convert", from, to})
		seconds, memory = append(seconds, c.CPU.Seconds()), append(memory, float64(c.Memory)/(1<<20))
	}
	b.StopTimer()
	if most := cost.Median(memory); most > mostConvertMB {
		b.Errorf("%s to %s: %.0f MB of memory, want at most %d", from, to, most, mostConvertMB)
	}
	b.ReportMetric(cost.Median(memory), "peak-MB")
	b.ReportMetric(float64(info.Size())/1e6, "file-MB")
	b.ReportMetric(float64(info.Size())/1e6/cost.Median(seconds), "MB/s")
	b.ReportMetric(0, "ns/op")
}

// generateFile writes random rows, as many as make size bytes of the format.
func generateFile(path string, codec format.Codec, sparse bool, size int64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	counted := &counter{w: bufio.NewWriterSize(f, 1<<20)}
	w := codec.NewWriter(counted)
	columns := 50
	if sparse {
		columns = 10_000
	}
	declared := codec.Name != libsvmfmt.Codec.Name
	h := &format.Header{Class: -1}
	if declared {
		h.Relation = "generated"
		for i := range columns {
			h.Attributes = append(h.Attributes, format.Attribute{Name: fmt.Sprint("x", i+1)})
		}
		h.Class = columns
		h.Attributes = append(h.Attributes, format.Attribute{Name: "class", Type: format.Nominal, Labels: []string{"no", "yes"}})
	}
	if err := w.WriteHeader(h); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	row := format.Instance{Weight: 1, Sparse: sparse}
	for counted.n < size {
		x := &row.X
		x.Index, x.Value = x.Index[:0], x.Value[:0]
		row.Y = float64(r.IntN(2))
		for i := range 50 {
			at := int32(i)
			if sparse {
				at = int32(i*200 + r.IntN(200))
			}
			if !declared {
				at++
			}
			x.Index, x.Value = append(x.Index, at), append(x.Value, float64(1+r.IntN(999_999))/1e6)
		}
		if declared {
			x.Index, x.Value = append(x.Index, int32(columns)), append(x.Value, row.Y)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return counted.w.Flush()
}

// A counter counts what is written.
type counter struct {
	w *bufio.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
