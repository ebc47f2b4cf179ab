package textscan_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/textscan"
)

// pairsCases are ends of lines and what Pairs makes of them: "index:value" pairs,
// and the fault, if any, which lies at the mark §.
var pairsCases = []struct {
	line  string
	pairs string // those before the fault
	fault string
}{
	// sound
	{"", "", ""},
	{" ", "", ""},
	{"\t \r", "", ""},
	{" 1:2", "1:2", ""},
	{" 1:2 3:4", "1:2 3:4", ""},
	{"\t1:2\t3:4\t", "1:2 3:4", ""},
	{"  1:2   3:4  ", "1:2 3:4", ""},
	{" 1:2\r", "1:2", ""},
	{" 1:2 \r", "1:2", ""},
	{" 1:2\r 3:4\r", "1:2 3:4", ""},
	{" 1:2\v\f\r 3:4", "1:2 3:4", ""},
	{" 1: 2 3:\t4", "1:2 3:4", ""},
	{" \r\v1:2", "1:2", ""},
	{" 0:1 1:2", "0:1 1:2", ""},
	{" +1:2 007:3", "1:2 7:3", ""},
	{" -0:2", "0:2", ""},
	{" 2147483647:1", "2147483647:1", ""},
	{" 1:0 2:-0 3:+0", "1:0 2:-0 3:0", ""},
	{" 1:-2.5e-3 2:.5 3:5. 4:+1E+2", "1:-0.0025 2:0.5 3:5 4:100", ""},
	{" 1:0x1p4 2:0X.8 3:-0xA", "1:16 2:0.5 3:-10", ""},
	{" 1:2.2250738585072014e-308", "1:2.2250738585072014e-308", ""},
	{" 1:1.7976931348623157e308", "1:1.7976931348623157e+308", ""},
	{" 1:0x1p-1074", "1:5e-324", ""}, // exact: C sees no loss
	{" # comment", "", ""},
	{" 1:2 # comment", "1:2", ""},
	{" 1:2\t#", "1:2", ""},
	{" 1:2 ## more # of it\r", "1:2", ""},

	// index
	{" §5", "", `expected index:value, found "5"`},
	{" 1:2 §5", "1:2", `expected index:value, found "5"`},
	{" 1:2 §junk", "1:2", `expected index:value, found "junk"`},
	{" 1:2 §junk 3:4", "1:2", `expected index:value, found "junk"`},
	{" §:2", "", `expected index:value, found ":2"`},
	{" §:1:2", "", `expected index:value, found ":1:2"`},
	{" 1:2 §3 :4", "1:2", `expected index:value, found "3"`},
	{" §1.5:2", "", `expected index:value, found "1.5:2"`},
	{" §0x1:2", "", `expected index:value, found "0x1:2"`},
	{" §1e1:2", "", `expected index:value, found "1e1:2"`},
	{" §qid:3 1:2", "", `expected index:value, found "qid:3"`},
	{" §- 1:2", "", `expected index:value, found "-"`},
	{" §1", "", `expected index:value, found "1"`},
	{" 1:2 §\x003:4", "1:2", `expected index:value, found "\x003:4"`},
	{" §# a:b", "", `expected index:value, found "#"`},
	{" 1:2 §# see 3:4", "1:2", `expected index:value, found "#"`},
	{" 1:2 §# \x00", "1:2", `expected index:value, found "#"`},
	{" §2147483648:1", "", `feature index "2147483648" is larger than 2147483647`},
	{" §4294967297:1", "", `feature index "4294967297" is larger than 2147483647`},
	{" §9223372036854775808:1", "", `feature index "9223372036854775808" is larger than 2147483647`},
	{" §99999999999999999999999:1", "", `feature index "99999999999999999999999" is larger than 2147483647`},
	{" §-1:1", "", `feature index "-1" is negative`},
	{" 1:2 §-3:1", "1:2", `feature index "-3" is negative`},
	{" §-99999999999999999999999:1", "", `feature index "-99999999999999999999999" is negative`},
	{" §-4294967295:1", "", `feature index "-4294967295" is negative`},
	{" 1:2 §1:3", "1:2", "feature index 1 does not follow 1: indices must increase"},
	{" 5:2 §3:3 7:1", "5:2", "feature index 3 does not follow 5: indices must increase"},
	{" 0:2 §0:3", "0:2", "feature index 0 does not follow 0: indices must increase"},

	// value
	{" 1:§", "", "expected a number as value of feature 1, found the end of the line"},
	{" 1:§ \t\r", "", "expected a number as value of feature 1, found the end of the line"},
	{" 1:§?", "", `expected a number as value of feature 1, found "?"`},
	{" 1:2 2:§:3", "1:2", `expected a number as value of feature 2, found ":3"`},
	{" 1:§2:3", "", `expected a number as value of feature 1, found "2:3"`},
	{" 1:§1,5", "", `expected a number as value of feature 1, found "1,5"`},
	{" 1:§2#", "", `expected a number as value of feature 1, found "2#"`},
	{" 1:§ 2:1", "", `expected a number as value of feature 1, found "2:1"`},
	{" 1:§\r 2:1", "", `expected a number as value of feature 1, found a word of nothing but "\r"`},
	{" 1:2 2:\t§\v\f 3:1", "1:2", `expected a number as value of feature 2, found a word of nothing but "\v"`},
	{" 1:§# none", "", `expected a number as value of feature 1, found "#"`},
	{" 1:§2\x00", "", `expected a number as value of feature 1, found "2\x00"`},
	{" 1:§1e", "", `expected a number as value of feature 1, found "1e"`},
	{" 1:§0xg", "", `expected a number as value of feature 1, found "0xg"`},
	{" 1:§nanx", "", `expected a number as value of feature 1, found "nanx"`},
	{" 1:§nan", "", `value "nan" of feature 1 is not a finite number`},
	{" 1:§ -inf 2:1", "", `value "-inf" of feature 1 is not a finite number`},
	{" 1:§Infinity", "", `value "Infinity" of feature 1 is not a finite number`},
	{" 1:§nan(0x7)", "", `value "nan(0x7)" of feature 1 is not a finite number`},
	{" 1:§1e999", "", `value "1e999" of feature 1 is not a finite number`},
	{" 1:§-1e309", "", `value "-1e309" of feature 1 is not a finite number`},
	{" 1:2 2:§1e-310", "1:2", `value "1e-310" of feature 2 is too small for full precision`},
	{" 1:§ 1e-400", "", `value "1e-400" of feature 1 is too small for full precision`},

	// what LIBSVM skips in silence
	{" 1:§2\v3:4", "", `expected a blank behind the value of feature 1, found "2\v3:4"`},
	{" 1:2 2:§1\r-1 3:1", "1:2", `expected a blank behind the value of feature 2, found "1\r-1"`},
	{" 1:§2\fx 3:4", "", `expected a blank behind the value of feature 1, found "2\fx"`},
	{" 1:§2\r#", "", `expected a blank behind the value of feature 1, found "2\r#"`},

	// long and binary words
	{" §" + strings.Repeat("x", 40) + ":1", "", `expected index:value, found "` + strings.Repeat("x", 40) + `"...`},
	{" §" + strings.Repeat("x", 40), "", `expected index:value, found "` + strings.Repeat("x", 40) + `"`},
	{" §\xff\xfe\n\x80", "", `expected index:value, found "\xff\xfe"`},
}

func TestPairs(t *testing.T) {
	for _, c := range pairsCases {
		line := strings.Replace(c.line, "§", "", 1)
		for k, before := range []string{"", "+1", "", "+1", "-12345678"} {
			room := []int{0, 0, 1, 2, 10}[k] // which decides on the way a pair is read
			index, value, fault := textscan.Pairs([]byte(before+line), len(before), false, make([]int32, 0, room), make([]float64, 0, room))
			var pairs []string
			for k := range min(len(index), len(value)) {
				pairs = append(pairs, fmt.Sprintf("%d:%v", index[k], value[k]))
			}
			if got := strings.Join(pairs, " "); got != c.pairs || len(index) != len(value) {
				t.Errorf("%q: pairs [%s] (%d indices, %d values), want [%s]", c.line, got, len(index), len(value), c.pairs)
			}
			switch {
			case fault == nil:
				if c.fault != "" {
					t.Errorf("%q: no fault, want %s", c.line, c.fault)
				}
			case fault.Error() != c.fault:
				t.Errorf("%q: fault %q, want %q", c.line, fault, c.fault)
			case fault.At != len(before)+strings.Index(c.line, "§"):
				t.Errorf("%q: fault at byte %d behind %q", c.line, fault.At, before)
			}
		}
	}
}

// Values too small for full precision are taken when the caller says so.
func TestPairsSmall(t *testing.T) {
	for text, want := range map[string]float64{
		"1e-310":  1e-310,
		"-5e-324": -5e-324,
		"1e-400":  0,
		"-1e-400": math.Copysign(0, -1),
	} {
		_, value, fault := textscan.Pairs([]byte("1:"+text), 0, true, nil, nil)
		if fault != nil || len(value) != 1 || math.Float64bits(value[0]) != math.Float64bits(want) {
			t.Errorf("%s: %v, %v, want %v", text, value, fault, want)
		}
	}
	for _, text := range []string{"1e309", "nan"} {
		if _, _, fault := textscan.Pairs([]byte("1:"+text), 0, true, nil, nil); fault == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestPairsAppends(t *testing.T) {
	index, value := make([]int32, 1, 8), make([]float64, 1, 8)
	index[0], value[0] = 7, 0.5 // of another row: no bound on what follows
	i, v, fault := textscan.Pairs([]byte("3:4"), 0, false, index, value)
	if fault != nil || len(i) != 2 || i[0] != 7 || i[1] != 3 || v[0] != 0.5 || v[1] != 4 {
		t.Errorf("%v %v %v", i, v, fault)
	}
	if &i[0] != &index[0] || &v[0] != &value[0] {
		t.Error("memory of the caller was not used")
	}
	line := []byte(" 1:0.5 2:1e-3 3:0x1p3 # end")
	if n := testing.AllocsPerRun(100, func() { index, value, _ = textscan.Pairs(line, 0, false, index[:0], value[:0]) }); n != 0 {
		t.Errorf("%v allocations for a row that fits", n)
	}
}

func TestWordEnds(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " ": true, "\t": true, " x": true, "\r": true, "\r x": true, "\v\f\r": true, "\r\tx": true,
		"x": false, "\rx": false, "\v3:4": false, "\x00": false, "\v\x00": false, ":": false, "#": false,
	} {
		if got := textscan.WordEnds([]byte("1"+text), 1); got != want {
			t.Errorf("a word before %q ends: %t", text, got)
		}
	}
}

// TestWordStart: words stand behind blanks and tabs, and one of other white space is none that
// begins a pair, but at the end of a line.
func TestWordStart(t *testing.T) {
	for _, c := range []struct {
		line   string
		at     int
		begins bool
	}{
		{"", 0, true}, {"1:2", 0, true}, {" \t 1:2\t", 3, true}, {"\t", 1, true}, {"\r", 0, true}, {"\r 1:2", 0, false}, {" \v\t1:2", 1, false}, {" \rx\t", 1, true},
	} {
		at := textscan.WordStart([]byte(c.line), 0)
		if begins := textscan.HasWord([]byte(c.line), at); at != c.at || begins != c.begins {
			t.Errorf("%q: at %d, begins %t; want %d, %t", c.line, at, begins, c.at, c.begins)
		}
	}
}

func TestFault(t *testing.T) {
	_, _, fault := textscan.Pairs([]byte("1 2:3 x"), 1, false, nil, nil)
	err := textscan.WithPath(fault.Locate(12), "f")
	if want := `f:12:7: expected index:value, found "x"`; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if fault.Unwrap() != fault.Err {
		t.Error("Unwrap")
	}
}

func TestQuoteWord(t *testing.T) {
	long := strings.Repeat("y", 41)
	for text, want := range map[string]string{
		"word":           `"word"`,
		"word two":       `"word"`,
		" \tword":        `"word"`,
		"a\"b\n":         `"a\"b"`,
		"\xff\x00":       `"\xff\x00"`,
		"":               "the end of the line",
		" \r":            "the end of the line",
		"a\v\r":          `"a"`,
		"\va\fb\vc \v\v": `"a\fb\vc"`,
		"a\u00a0b\u200b": `"a\u00a0b\u200b"`,
		long:             `"` + long[1:] + `"...`,
	} {
		if got := textscan.QuoteWord([]byte(text)); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}
