package csvfmt_test

import (
	"io"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// TestAllowInvalidNumbers: an invalid number is 0 in a column where these are allowed, and its text is
// kept, unless they are disallowed everywhere; in other columns it is an error.
func TestAllowInvalidNumbers(t *testing.T) {
	const text = "x,y\n1,\"1,5\"\n2,1e999\n3,4\n,\n"
	for _, c := range []struct {
		columns  []int32
		disallow bool
		want     string // texts of y, or the error
	}{
		{[]int32{1}, false, "1,5 1e999 4  "},
		{[]int32{0, 1}, false, "1,5 1e999 4  "},
		{[]int32{0}, false, `2:3: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
		{nil, false, `2:3: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
		{[]int32{1}, true, `2:3: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`},
	} {
		r := csvfmt.NewReader(strings.NewReader(text))
		if _, err := r.Header(); err != nil {
			t.Fatal(err)
		}
		r.KeepTexts([]int32{1})
		r.AllowInvalidNumbers(c.columns)
		if c.disallow {
			r.DisallowInvalidNumbers()
		}
		got := ""
		for i := 0; ; i++ {
			row, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				got = err.Error()
				break
			}
			text, _, _ := r.Text(1)
			got += string(text) + " "
			if v := row.X.At(1); i < 2 && v != 0 || i == 2 && v != 4 || i == 3 && v == v {
				t.Errorf("%v: row %d is %v", c.columns, i, v)
			}
		}
		if got != c.want {
			t.Errorf("%v, disallow %t: %q, want %q", c.columns, c.disallow, got, c.want)
		}
	}
}
