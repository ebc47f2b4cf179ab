package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// numericRows are rows of hostile numbers, labels and dates without missing values; no number is above most.
func numericRows(n int, sparse bool, most float64) string {
	rng := train.NewRand(11)
	bits := func() float64 {
		for {
			v := math.Float64frombits(uint64(rng.Int())<<40 ^ uint64(rng.Int())<<20 ^ uint64(rng.Int()))
			if math.Abs(v) <= most {
				return v
			}
		}
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-7, 1.0 / 3, 1e300, 5e-324, math.MaxFloat64, 123456789012345678}
	labels := []string{"red", "'dark blue'", "?x", "'%'", `'it\'s'`}
	var b strings.Builder
	b.WriteString("@relation 'hostile, {set}'\n@attribute 'a b' numeric\n@attribute kind {" + strings.Join(labels, ",") +
		"}\n@attribute day date yyyy-MM-dd\n@attribute one {only}\n@attribute two {first,second}\n@attribute 'CLASS y' numeric\n@data\n")
	for i := range n {
		x := bits()
		if i < len(special) && math.Abs(special[i]) <= most {
			x = special[i]
		}
		kind, two := rng.Int()%5, rng.Int()%2
		y := strconv.FormatFloat(bits(), 'g', -1, 64)
		text := strconv.FormatFloat(x, 'g', -1, 64)
		if sparse {
			fmt.Fprintf(&b, "{0 %s,1 %s,5 %s}\n", text, labels[kind], y)
		} else {
			fmt.Fprintf(&b, "%s,%s,20%02d-0%d-1%d,only,%s,%s\n", text, labels[kind], i%100, 1+i%9, i%10, []string{"first", "second"}[two], y)
		}
	}
	return b.String()
}

// TestConvertRoundTrips: what goes through a format that can hold it comes back the
// same, to the last bit of every number, the sign of zero included.
func TestConvertRoundTrips(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"dense.arff": numericRows(60, false, math.MaxFloat64), "sparse.arff": numericRows(60, true, math.MaxFloat64),
		"csv.csv": "x,kind,class\n0.1,red,\"1\"\n1e300,\"dark \"\"blue\"\"\",\"0\"\n-5e-324,red,\"1\"\n0,green,\"0\"\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		rows := command(t, "inspect --json --rows "+name)
		ext := name[strings.LastIndexByte(name, '.'):]
		for _, c := range []struct{ through, options string }{
			{"via.libsvm", ""}, {"via.svmlight", ""}, {"via.libsvm.gz", ""}, {"via.svmlight.zst", ""},
			{"via.libsvm", "--class 2"}, {"via.libsvm", "--class first"}, {"via.arff", ""}, {"via.libsvm", "--names kept"},
		} {
			back := "back" + ext
			command(t, "convert "+c.options+" "+name+" "+c.through)
			options := ""
			if strings.Contains(c.options, "--names") {
				options = c.options
			}
			command(t, "convert "+options+" "+c.through+" "+back)
			if got := command(t, "inspect --json --rows "+back); got != rows {
				t.Errorf("%s through %s %s: %s", name, c.through, c.options, firstDifference(rows, got))
			}
			for _, file := range []string{c.through, c.through + ".names", back, "kept"} {
				os.Remove(file)
			}
		}
	}
}

// TestConvertTables: numbers and labels through CSV and TSV. The relation's name,
// labels without a row and the order of others do not come back.
func TestConvertTables(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "@relation table\n@attribute x numeric\n@attribute kind {red,'dark, \"blue\"',7}\n@attribute y numeric\n@data\n" +
		"0.1,red,-0\n1e300,'dark, \"blue\"',5e-324\n?,7,123456789012345678\n3,?,0.30000000000000004\n"
	if err := os.WriteFile("table.arff", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rows := command(t, "inspect --json --rows table.arff")
	for _, through := range []string{"via.csv", "via.tsv", "via.csv.gz"} {
		command(t, "convert table.arff "+through)
		command(t, "convert "+through+" back.arff")
		got := command(t, "inspect --json --rows back.arff")
		if strings.Replace(got, `"relation": ""`, `"relation": "table"`, 1) != rows {
			t.Errorf("through %s: %s", through, firstDifference(rows, got))
		}
	}
}

// TestEncodeAndBack: the columns come back from the features that encode made of
// them, unless it scaled them.
func TestEncodeAndBack(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"dense.arff": numericRows(40, false, 1e100), "sparse.arff": numericRows(40, true, 1e100)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, class := range []string{"CLASS_y", "kind", "two", "first"} {
			if class == "CLASS_y" {
				class = "last"
			}
			command(t, "convert --to arff-dense "+name+" want.arff")
			command(t, "encode --class "+class+" "+name+" enc.libsvm")
			command(t, "convert --to arff-dense enc.libsvm back.arff")
			want, got := command(t, "inspect --json --rows want.arff"), command(t, "inspect --json --rows back.arff")
			// a zero that is not listed has no sign
			want, got = strings.ReplaceAll(want, "[-0,", "[0,"), strings.ReplaceAll(got, "[-0,", "[0,")
			if want != got {
				t.Errorf("%s, class %s: %s", name, class, firstDifference(want, got))
			}
		}
	}
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d\n%s\nbecame\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines became %d", len(x), len(y))
}

// TestConvertWidest: features from 0 to the last that there is are more columns than 32 bits count. Where an int has no
// more, that was a panic.
func TestConvertWidest(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d", []byte("1 0:1 2147483647:1\n-1 0:2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "d: features 0 to 2147483647 are too many columns to declare for 3 values"
	if status, _, stderr := spaced(t, "convert --from libsvm d d.arff"); status != 1 || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %s", status, stderr)
	}
}
