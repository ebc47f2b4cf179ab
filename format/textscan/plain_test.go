package textscan_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
	"pgregory.net/rapid"
)

func TestAppendPlain(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {1, "1"}, {-0.5, "-0.5"},
		{999999, "999999"}, {1e6, "1000000"}, {1000001, "1000001"}, {-20200131, "-20200131"}, {1234567.5, "1234567.5"},
		{1e15, "1000000000000000"}, {1<<53 - 1, "9007199254740991"}, {1 << 53, "9.007199254740992e+15"}, {-1 << 53, "-9.007199254740992e+15"},
		{999999999999999.9, "999999999999999.9"}, {1e15 + 0.5, "1.0000000000000005e+15"}, {1e22, "1e+22"},
		{0.0001, "0.0001"}, {0.00001, "1e-05"}, {math.MaxFloat64, "1.7976931348623157e+308"}, {5e-324, "5e-324"},
		{math.Inf(1), "inf"}, {math.Inf(-1), "-inf"},
	} {
		if got := string(textscan.AppendPlain(nil, c.x)); got != c.want {
			t.Errorf("%v: %s, want %s", c.x, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1e17, 1e17)).Draw(t, "x")
		text := string(textscan.AppendPlain([]byte("x"), x))[1:]
		if got, err := strconv.ParseFloat(text, 64); err != nil || math.Float64bits(got) != math.Float64bits(x) {
			t.Errorf("%v is written %s, which is %v, %v", x, text, got, err)
		}
	})
}
