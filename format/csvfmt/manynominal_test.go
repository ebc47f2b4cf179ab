package csvfmt_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// TestManyNominal: of many columns that are named as labels, by names, numbers and words, a name
// that is a number goes first.
func TestManyNominal(t *testing.T) {
	const n = 300
	var names, cells []string
	for k := range n {
		names, cells = append(names, "c"+strconv.Itoa(k)), append(cells, strconv.Itoa(k%3))
	}
	names[10] = "20" // the column that "20" is
	row := strings.Join(cells, ",") + "\n"
	r := csvfmt.NewReader(strings.NewReader(strings.Join(names, ",") + "\n" + row + row))
	r.FirstLine = csvfmt.FirstLineNames
	want := make([]bool, n)
	for k := 30; k < 190; k++ {
		if want[k] = k%2 == 0; want[k] {
			r.Nominal = append(r.Nominal, names[k])
		}
	}
	r.Nominal = append(r.Nominal, "20", "c7", "first", "last", "250")
	want[10], want[7], want[0], want[n-1], want[249] = true, true, true, true, true
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	for k, a := range h.Attributes {
		if got := a.Type == format.Nominal; got != want[k] {
			t.Errorf("column %d, %s: labels %v, want %v", k+1, a.Name, got, want[k])
		}
	}
}
