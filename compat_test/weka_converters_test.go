package compat_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// sixDecimals is how far Weka's text may be off: it prints six decimals.
const sixDecimals = 0.5000001e-6

// TestWekaConverters reads what the savers of the installed Weka write with our
// readers, and what ours writes with Weka's loaders, and compares with Weka's
// reading of the original.
func TestWekaConverters(t *testing.T) {
	w, bin, data := installedWeka(t), commands(t), realData(t)
	files := []string{"iris", "labor", "string", "sparse", "date"}
	if os.Getenv("SLIMSVM_LIVE") == "full" {
		files = append(files, "ReutersCorn-test", "airline", "colic", "contact-lenses", "cpu.with.vendor", "diabetes", "glass", "hypothyroid", "segment-test", "soybean", "splice", "vowel", "weather.nominal", "weather.numeric", "wine", "zoo")
	} else {
		t.Log("files are left out; SLIMSVM_LIVE=full takes more")
	}
	v := &converterRival{weka: w, bin: bin, reader: newWekaReader(t, w), count: map[string][3]int{}}
	t.Run("file", func(t *testing.T) {
		for _, name := range files {
			text, err := readPacked(filepath.Join(data, "arff_dev", name+".arff.zst"))
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				v.compareFile(t, text)
			})
		}
	})
	for _, c := range converters {
		n := v.count[c.name]
		t.Logf("%-42s %d files with %d values the same, %d files that it cannot take", c.name, n[0], n[1], n[2])
		if n[0] == 0 || n[1] == 0 || n[0]+n[2] != len(files) {
			t.Errorf("%s: not all of %d files are compared", c.name, len(files))
		}
	}
}

// A converterRival compares converters, and counts files, values and refusals.
type converterRival struct {
	weka   wekaTool
	bin    string
	reader *wekaReader

	mu    sync.Mutex
	count map[string][3]int
}

// A converter is one of Weka's: a saver that writes in.arff to there, or a loader
// that prints there, which ours wrote, as ARFF.
type converter struct {
	name, class, there string
	// cannot says why Weka refuses the table, "" if it does not.
	cannot func(*table) string
	// compare compares what was read in the end.
	compare func(text []byte, want *table) (*difference, error)
}

var converters = []converter{
	{"Weka's ArffSaver, our reader", "ArffSaver", "saved.arff", holdsAll, likeARFF(comparer{within: sixDecimals})},
	{"Weka's CSVSaver, our reader", "CSVSaver", "saved.csv", holdsAll, likeCSV},
	{"Weka's LibSVMSaver, our reader", "LibSVMSaver", "saved.libsvm", wekaNumbers, likeNumbers(libsvmfmt.Codec, false)},
	{"Weka's SVMLightSaver, our reader", "SVMLightSaver", "saved.dat", wekaBinary, likeNumbers(libsvmfmt.SVMLight, true)},
	{"our writer, Weka's CSVLoader", "CSVLoader", "ours.csv", holdsText, likeARFF(comparer{within: sixDecimals, asText: true, asNumber: true})},
	{"our writer, Weka's LibSVMLoader", "LibSVMLoader", "ours.libsvm", holdsNumbers, likeLoaded},
	{"our writer, Weka's SVMLightLoader", "SVMLightLoader", "ours.svmlight", holdsNumbers, likeLoaded},
}

func (v *converterRival) compareFile(t *testing.T, text []byte) {
	want, err := v.reader.read(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.arff"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range converters {
		text, err := v.convert(t, c, dir)
		var d *difference
		if err == nil {
			d, err = c.compare(text, want)
		}
		n := [3]int{}
		if reason := c.cannot(want); reason != "" {
			if n[2] = 1; err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, reason)
			}
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else {
			n[0], n[1] = 1, d.values
			if len(d.faults) > 0 || d.values == 0 {
				t.Errorf("%s: %+v", c.name, *d)
			}
		}
		v.mu.Lock()
		for k, more := range v.count[c.name] {
			n[k] += more
		}
		v.count[c.name] = n
		v.mu.Unlock()
	}
}

// convert returns what Weka's saver writes, or what its loader prints.
func (v *converterRival) convert(t *testing.T, c converter, dir string) ([]byte, error) {
	class, there := "weka.core.converters."+c.class, filepath.Join(dir, c.there)
	if strings.HasSuffix(c.class, "Saver") {
		args := []string{"-i", filepath.Join(dir, "in.arff"), "-o", there}
		if _, err := v.weka.run(t.Context(), class, args...); err != nil {
			return nil, err
		}
		return os.ReadFile(there)
	}
	if r := run(t, v.bin, dir, "slimsvm convert in.arff "+c.there, time.Minute); r.exit != 0 {
		return nil, fmt.Errorf("%s", r.stderr)
	}
	return v.weka.run(t.Context(), class, there)
}

// wekaNumbers is what Weka's LibSVMSaver refuses.
func wekaNumbers(t *table) string {
	for _, c := range t.columns {
		if c.kind == format.String {
			return "Cannot handle string attributes"
		}
	}
	for _, row := range t.rows {
		if slices.Contains(row.cells, nil) {
			return "Cannot handle missing values"
		}
	}
	return ""
}

// wekaBinary is what Weka's SVMLightSaver refuses.
func wekaBinary(t *table) string {
	if c := t.columns[len(t.columns)-1]; c.kind == format.Nominal && len(c.labels) > 2 {
		return "Cannot handle multi-valued nominal class"
	}
	return wekaNumbers(t)
}

func likeARFF(c comparer) func([]byte, *table) (*difference, error) {
	return func(text []byte, want *table) (*difference, error) {
		got, err := readRows(arff.NewReader(bytes.NewReader(text)))
		if err != nil {
			return nil, err
		}
		return c.compare(got, want), nil
	}
}

// likeCSV reads Weka's CSV, whose quotes are single ones with backslashes inside.
func likeCSV(text []byte, want *table) (*difference, error) {
	r := csvfmt.NewReader(bytes.NewReader(text))
	defer r.Close()
	r.Quote, r.Backslash, r.FirstLine = '\'', true, csvfmt.FirstLineNames
	got, err := readRows(r)
	if err != nil {
		return nil, err
	}
	return comparer{within: sixDecimals, asText: true, asNumber: true}.compare(got, want), nil
}

// likeLoaded compares numbered features and a numeric class, in ARFF.
func likeLoaded(text []byte, want *table) (*difference, error) {
	got, err := readRows(arff.NewReader(bytes.NewReader(text)))
	if err != nil {
		return nil, err
	}
	d := new(difference)
	n := len(want.columns) - 1
	m := len(got.columns) - 1
	for i := range want.rows {
		if len(got.rows) != len(want.rows) {
			d.fault("%d rows, want %d", len(got.rows), len(want.rows))
			break
		}
		for k := range n {
			x := any(0.0) // columns behind the last feature of the file are not there
			if k < m {
				x = got.rows[i].cells[k]
			}
			d.number(i, k, x, want.number(i, k), sixDecimals)
		}
		d.number(i, n, got.rows[i].cells[m], want.number(i, n), sixDecimals)
	}
	return d, nil
}

func (d *difference) number(row, column int, got any, want, within float64) {
	d.values++
	if x, ok := got.(float64); !ok || x != want && !(math.Abs(x-want) <= within) {
		d.fault("row %d, column %d: %v, want %v", row+1, column+1, got, want)
	}
}

// number returns a cell as a number: labels are numbered from 0.
func (t *table) number(row, column int) float64 {
	switch v := t.rows[row].cells[column].(type) {
	case float64:
		return v
	case string:
		return float64(slices.Index(t.columns[column].labels, v))
	}
	return math.NaN()
}

// likeNumbers reads rows of numbered features, exactly; a binary class is 1 and
// -1.
func likeNumbers(codec format.Codec, binary bool) func([]byte, *table) (*difference, error) {
	return func(text []byte, want *table) (*difference, error) {
		r := codec.NewReader(bytes.NewReader(text))
		d := new(difference)
		n := len(want.columns) - 1
		for i := 0; ; i++ {
			in, err := r.Read()
			if err == io.EOF {
				if i != len(want.rows) {
					d.fault("%d rows, want %d", i, len(want.rows))
				}
				return d, nil
			}
			if err != nil {
				return d, err
			}
			if i == len(want.rows) {
				d.fault("more than %d rows", i)
				return d, nil
			}
			for k := range n {
				d.number(i, k, in.X.At(int32(k+1)), want.number(i, k), 0)
			}
			y := want.number(i, n)
			if binary && want.columns[n].kind == format.Nominal {
				y = 1 - 2*y
			}
			d.number(i, n, in.Y, y, 0)
		}
	}
}
