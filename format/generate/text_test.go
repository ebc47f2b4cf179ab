package generate

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// form is the text of a data set. Values have at most six decimals and are
// below 10^4, so ten digits hold them exactly.
func form(d *format.Dataset) string {
	var b []byte
	for i, y := range d.Y {
		b = textscan.AppendG(b, y, 10)
		row := d.X.Row(i)
		for k, j := range row.Index {
			b = fmt.Appendf(b, " %d:", j)
			b = textscan.AppendG(b, row.Value[k], 10)
		}
		b = append(b, '\n')
	}
	return string(b)
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// The bytes are a promise: goldens and published examples rest on them. A change
// here is never right.
var pinned = []struct {
	name string
	rows int
	seed uint64
	sum  string
}{
	{"checkerboard", 1000, 1, "8e3ef7b5a22a6fbe"},
	{"checkerboard", 25, 0, "07e3527329f821b0"},
	{"checkerboard", 25, math.MaxUint64, "6348fb980b0feff9"},
	{"friedman", 500, 1, "ccdfedf1f9beb0f0"},
	{"friedman", 25, 0, "d455a18f42048547"},
	{"friedman", 25, math.MaxUint64, "d91c78ef6fae9dad"},
	{"gauss", 500, 1, "99560a4c9a3da98e"},
	{"gauss", 25, 0, "d04d4a8886cef807"},
	{"gauss", 25, math.MaxUint64, "f284e5aa0c55a565"},
	{"gauss5", 500, 1, "15e15430661c9faa"},
	{"gauss5", 25, 0, "541e092413b82093"},
	{"gauss5", 25, math.MaxUint64, "76c65db5d379ed46"},
	{"isolated", 800, 1, "3cf6d21cc61fead0"},
	{"isolated", 25, 0, "182d8f4a3659c1b8"},
	{"isolated", 25, math.MaxUint64, "a101e4d57c19cb05"},
	{"moons", 500, 1, "430c2ca24e91efc0"},
	{"moons", 25, 0, "ba51cf8cadca0a6f"},
	{"moons", 25, math.MaxUint64, "2ef22bd9e2512568"},
	{"ndc", 2000, 1, "e7735829f5e400a9"},
	{"ndc", 25, 0, "7b9b60d322e83cae"},
	{"ndc", 25, math.MaxUint64, "1b04af21af3e1fe4"},
	{"ringnorm", 7400, 1, "4c1b42428f970309"},
	{"ringnorm", 25, 0, "4c1689bf34004d51"},
	{"ringnorm", 25, math.MaxUint64, "b2270179ca13b047"},
	{"sinc", 200, 1, "8949540e2089240c"},
	{"sinc", 25, 0, "1ace93e8f2a50ba3"},
	{"sinc", 25, math.MaxUint64, "1c5f200510fb42d7"},
	{"spirals", 194, 1, "6595b544bc4feb8d"},
	{"spirals", 25, 0, "2c0d6dc5bb1b4f8b"},
	{"spirals", 25, math.MaxUint64, "2c0d6dc5bb1b4f8b"},
	{"striated", 800, 1, "5ad9182d2139047a"},
	{"striated", 25, 0, "8c49958376ceba56"},
	{"striated", 25, math.MaxUint64, "4d6b2afdb1d71b4e"},
	{"text", 1000, 1, "45c9c8670b5f00a9"},
	{"text", 25, 0, "d883a45cf3ce118c"},
	{"text", 25, math.MaxUint64, "49575a1c4b3e2b54"},
	{"twonorm", 7400, 1, "3f75b88088b88092"},
	{"twonorm", 25, 0, "a7194b38d3be42ee"},
	{"twonorm", 25, math.MaxUint64, "fcae22905f465ec0"},
	{"waveform", 5000, 1, "e6f11f0b45184067"},
	{"waveform", 25, 0, "53ecbffbe537bcc2"},
	{"waveform", 25, math.MaxUint64, "30aaca6125f140db"},
}

func TestBytesNeverChange(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range pinned {
		s, ok := Lookup(p.name)
		if !ok {
			t.Errorf("no set %q", p.name)
			continue
		}
		seen[p.name] = true
		if got := sum(form(s.Generate(p.rows, p.seed))); got != p.sum {
			t.Errorf("%s, %d rows, seed %d: sum %s, want %s", p.name, p.rows, p.seed, got, p.sum)
		}
	}
	for _, s := range all {
		if !seen[s.Name] {
			t.Errorf("%s is not pinned", s.Name)
		}
	}
}

// The first rows of some sets.
func ExampleSet_Generate() {
	for _, name := range []string{"checkerboard", "moons", "sinc", "spirals"} {
		s, _ := Lookup(name)
		fmt.Printf("%s\n%s", name, form(s.Generate(3, 1)))
	}
	// Output:
	// checkerboard
	// 1 1:114.138 2:0.58
	// -1 1:150.768 2:34.969
	// -1 1:41.426 2:93.758
	// moons
	// -1 1:0.061752 2:0.009121
	// 1 1:-0.443757 2:0.72087
	// -1 1:1.364492 2:-0.534206
	// sinc
	// -0.156971 1:-1.008305
	// 0.077913 1:-2.498905
	// -0.182703 1:-1.086341
	// spirals
	// 1 1:6.5 2:0
	// -1 1:-6.5 2:0
	// 1 1:0.5 2:0
}
