package jsonline

import (
	"encoding/json"
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {0.1, "0.1"}, {1e300, "1e+300"}, {981158400000, "981158400000"},
		{math.NaN(), "null"}, {math.Inf(1), `"Infinity"`}, {math.Inf(-1), `"-Infinity"`},
	} {
		text, err := Marshal(map[string]any{"<v>": Number(c.v)})
		if err != nil || string(text) != `{"<v>":`+c.want+`}` || !json.Valid(text) {
			t.Errorf("%v: %s, %v", c.v, text, err)
		}
	}
}
