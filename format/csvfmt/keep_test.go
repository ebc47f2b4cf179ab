package csvfmt

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/format"
)

// TestText: kept columns tell what stands in their cells, whatever it is taken for,
// and values stay what they are.
func TestText(t *testing.T) {
	distinct := ""
	for i := range 100 {
		distinct += fmt.Sprintf("a%d,1,1\n", i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"numbers", "a,b,c\n007,1,2\n7, 1.0 ,2\n\"7\",?,2\n", `"007" 2:1 "1" 7 1 2; "7" 3:1 "1.0" 7 1 2; "7" 4:1 "?" 7 NaN 2; `},
		{"the first line is a row", "1,2\n01,2.50\n", `"1" 1:1 "2" 1 2; "01" 2:1 "2.50" 1 2.5; `},
		{"labels", "a,b\nx,1\n\"y\n\"\"z\",2\n", `"x" 2:1 "1" 0 1; "y\n\"z" 3:1 "2" 1 2; `},
		{"carriage returns", "a,b\r\n1,02\r\n3,04\r\n", `"1" 2:1 "02" 1 2; "3" 3:1 "04" 3 4; `},
		{"strings", "a,b,c\n" + distinct, ""},
	} {
		r := NewReader(strings.NewReader(c.text))
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		r.KeepTexts([]int32{1, 0})
		got, want := "", c.want
		for n := 0; ; n++ {
			row, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			a, line, column := r.Text(0)
			b, _, _ := r.Text(1)
			got += fmt.Sprintf("%q %d:%d %q", a, line, column, b)
			for k := range h.Attributes {
				got += fmt.Sprint(" ", row.X.At(int32(k)))
			}
			got += "; "
			if h.Attributes[0].Type == format.String {
				want += fmt.Sprintf("%q %d:1 \"1\" 0 1 1; ", row.Strings[0], n+2)
			}
		}
		if got != want || got == "" {
			t.Errorf("%s: %s\nwant %s", c.name, got, want)
		}
	}
}

// TestLacks: a word for a missing value is no label, in quotes neither where numbers are, but what
// reads as nan is one.
func TestLacks(t *testing.T) {
	r := NewReader(strings.NewReader("a,b\n1,2\nNA,2\n\"NA\",2\nnan,2\n,2\n?,2\n\"3\",2\n"))
	r.Missing = []string{"NA"}
	r.KeepTexts([]int32{0})
	for _, want := range []bool{false, true, true, false, true, true, false} {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		if text, line, _ := r.Text(0); r.Lacks(0) != want {
			t.Errorf("line %d: %q is no label: %t", line, text, r.Lacks(0))
		}
	}
}

// TestTextOfOthers: a column whose texts are not kept has none.
func TestTextOfOthers(t *testing.T) {
	for _, column := range []int32{-1, 0, 2} {
		r := NewReader(strings.NewReader("a,b,c\n1,2,3\n"))
		r.KeepTexts([]int32{1})
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if got, want := recover(), fmt.Sprintf("csvfmt: Text of column %d, which KeepTexts was not told of", column); got != want {
					t.Errorf("column %d: %v, want %s", column, got, want)
				}
			}()
			r.Text(column)
		}()
	}
}

// TestParseDate: a date comes back as the Writer writes it.
func TestParseDate(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 981173106789, float64(firstDate), float64(lastDate)} {
		text, err := date(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := ParseDate([]byte(text)); got != v || !ok {
			t.Errorf("%s: %v, %v, want %v", text, got, ok, v)
		}
	}
	for _, text := range []string{"", "1970-01-01", "1970-01-01T00:00:00Z", "1970-02-30T00:00:00.000Z", "1970-01-01T00:00:00.000z", "1970-01-01T00:00:00,000Z", time.RFC3339Nano} {
		if v, ok := ParseDate([]byte(text)); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}
