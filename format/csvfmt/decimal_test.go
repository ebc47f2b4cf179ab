package csvfmt_test

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/csvfmt"
)

// Decimal commas are found out where there is no other way to have numbers, and no doubt.
func TestDecimalCommaFound(t *testing.T) {
	hasComma := func(text string) string {
		return `the number "` + text + `" has a comma: expected a decimal point, and nothing between thousands`
	}
	for _, c := range []struct{ text, want string }{
		{"a;b\n1,5;2\n1;3\n", "a *b | 1.5 2 | 1 3"},
		{"a\tb\n1,5\t-2,25e1\n,5\t+3,\n", "a *b | 1.5 -22.5 | 0.5 3"},
		{"1,5;2,5\n3,5;4,5\n", "att1 *att2 | 1.5 2.5 | 3.5 4.5"},
		{"1,5 2,5 x\n3,5 4,5 x\n,5 6,5 y\n", "att1 att2 *att3{x,y} | 1.5 2.5 x | 3.5 4.5 x | 0.5 6.5 y"},
		{"a b g\n1,5 2,5 x\n3,5 4,5 x\n,5 6,5 y\n", "a b *g{x,y} | 1.5 2.5 x | 3.5 4.5 x | 0.5 6.5 y"},
		{"\"a\";\"b\"\n\"1,5\";\"x\"\n", "a *b{x} | 1.5 x"}, // all in quotes
		{"a;b;g\n1,234;0,5;x\n2,345;;y\n", "a b *g{x,y} | 1.234 0.5 x | 2.345 ? y"},
		{"a;b\n1,234;2\n1234,567;3\n", "a *b | 1.234 2 | 1234.567 3"},
		{"a;b\n1,234;2\n0,567;3\n", "a *b | 1.234 2 | 0.567 3"},
		{"a;b\n,567;2\n", "a *b | 0.567 2"},
		{"a;b\n1,2e5;2\n", "a *b | 120000 2"},
		{"a;v;g\n1,5;1.5.2;x\n2,5;007;y\n", "a v{1.5.2,007} *g{x,y} | 1.5 1.5.2 x | 2.5 007 y"},
		{"a;v\n1,5;2.5\n2,5;x\n", "a *v{2.5,x} | 1.5 2.5 | 2.5 x"}, // numbers among texts tell nothing
		{"a;v\n1,5;1,2,3\n2,5;x\n", "a *v{1,2,3,x} | 1.5 1,2,3 | 2.5 x"},
		{"a;v\n1,500;2,5\n2,500;x\n", "a *v{2,5,x} | 2:1: " + hasComma("1,500")},
		// in doubt: thousands, a point somewhere, a comma that separates
		{"a;b\n1,234;2\n5,678;3\n", "a *b | 2:1: " + hasComma("1,234")},
		{"a;b\n1,5;2.5\n5,6;3\n", "a *b | 2:1: " + hasComma("1,5")},
		{"a;b\n1,5;.5\n", "a *b | 2:1: " + hasComma("1,5")},
		{"a;b\n1,5;1.234,5\n", "a *b | 2:1: " + hasComma("1,5")},
		{"a;b\n1,5;1,234,567\n", "a *b | 2:1: " + hasComma("1,5")},
		{"a,b\n\"1,5\",2\n\"2,5\",2\n", "a *b | 2:1: " + hasComma("1,5")},
		{"a;b,c\n1;2,5\n", "a *b,c | 2:3: " + hasComma("2,5")},
		// texts that some are, and labels that quotes make, stay so
		{"a;b\n1,5;2\nx;3\n", "a{1,5,x} *b | 1,5 2 | x 3"},
		{"a;b\n\"1,5\";2\n\"2,5\";3\n", "a{1,5,2,5} *b | 1,5 2 | 2,5 3"},
	} {
		wantMeaning(t, nil, c.text, c.want)
	}
	nominal := func(r *csvfmt.Reader) { r.Nominal = []string{"a"} }
	wantMeaning(t, nominal, "a;b\n1,5;2\n2.5;3\n", "a{1,5,2.5} *b | 1,5 2 | 2.5 3")
	wantMeaning(t, nominal, "a;b\n1.5;2\n2,5;3,5\n", "a{1.5,2,5} *b | 1.5 2 | 2,5 3.5")
	semicolon := func(r *csvfmt.Reader) { r.Separator = ';' }
	wantMeaning(t, semicolon, "a,b\n1,2\n", "*a,b | 2:1: "+hasComma("1,2"))
}

func TestDecimalMark(t *testing.T) {
	comma := func(r *csvfmt.Reader) { r.DecimalMark = ',' }
	for _, c := range []struct{ text, want string }{
		{"a;b\n1,234;2\n5,678;3,\n", "a *b | 1.234 2 | 5.678 3"},
		{"a,b\n\"1,5\",2\n\"2,5\",2\n", "a *b | 1.5 2 | 2.5 2"},
		{"a,b,g\n\"1,5\",2,x\n3,4,y\n", "a b *g{x,y} | 1.5 2 x | 3 4 y"},
		// a comma that separates wants quotes around these, which say nothing
		{"a,b\n\"1.234,50\",2\n\"2,5\",2\n", `a *b | 2:1: the number "1.234,50" has a point: expected a decimal comma, and nothing between thousands`},
		{"\"1.234,50\",2\n\"2,5\",2\n", `att1 *att2 | 1:1: the number "1.234,50" has a point: expected a decimal comma, and nothing between thousands`},
		{"a,b\n\"1.234\",2\n\"2,5\",2\n", "a{1.234,2,5} *b | 1.234 2 | 2,5 2"},
		{"1,5 2,5 x\n3,5 4,5 x\n,5 6,5 y\n", "att1 att2 *att3{x,y} | 1.5 2.5 x | 3.5 4.5 x | 0.5 6.5 y"},
		{"a;b\n1.5;2\n", `a *b | 2:1: the number "1.5" has a point: expected a decimal comma, and nothing between thousands`},
		{"a;b\n1,5;1.234,5\n", `a *b | 2:5: the number "1.234,5" has a point: expected a decimal comma, and nothing between thousands`},
		{"a;b\n1,5;2\nx;3\n", "a{1,5,x} *b | 1,5 2 | x 3"},
		{"a;b\nnan;2\ninf;1e999\n", `a *b | ? 2 | 3:5: the number "1e999" is too large: expected less than 1.8e308`},
		{"a;b\n1,5,2;1\n1,5;3\n", "a{1,5,2,1,5} *b | 1,5,2 1 | 1,5 3"},
	} {
		wantMeaning(t, comma, c.text, c.want)
	}
	numeric := func(r *csvfmt.Reader) { r.DecimalMark, r.Numeric = ',', true }
	wantMeaning(t, numeric, "a;b\n1,5;0x10\n", `a *b | 2:5: expected a number, found "0x10"`)
	point := func(r *csvfmt.Reader) { r.DecimalMark = '.' }
	wantMeaning(t, point, "a;b\n1,5;2\n", `a *b | 2:1: the number "1,5" has a comma: expected a decimal point, and nothing between thousands`)
	other := func(r *csvfmt.Reader) { r.DecimalMark = ';' }
	wantMeaning(t, other, "a;b\n1,5;2\n", `csvfmt: ';' cannot begin a fraction, expected . or ,`)
}

// Training data with decimal commas tell what 1,234 is, unless a point tells the contrary; 1.234
// may be thousands then.
func TestLikelyComma(t *testing.T) {
	hasPoint := func(text string) string {
		return `the number "` + text + `" has a point: expected a decimal comma, and nothing between thousands`
	}
	likely := func(r *csvfmt.Reader) { r.LikelyComma = true }
	for _, c := range []struct{ text, want string }{
		{"a;b\n1,234;2\n", "a *b | 1.234 2"},
		{"a;b\n1,234;2\nx;3\n", "a{1,234,x} *b | 1,234 2 | x 3"},
		{"a,b\n\"1,5\",2\n", "a *b | 1.5 2"},
		{"a;b\n1.5;2\n", "a *b | 1.5 2"},
		{"a;b\n1.234;2\n", "a *b | 2:1: " + hasPoint("1.234")},
		{"a;b\n1.234;2,5\n", "a *b | 2:1: " + hasPoint("1.234")},
		{"a;b\n-12.345;2\n0.5;3\n", "a *b | -12.345 2 | 0.5 3"},
		{"a;b\n1.234;0.125\n", "a *b | 1.234 0.125"},
		{"a;b\n1.234;1.234e0\n", "a *b | 1.234 1.234"},
		{"a,b\n1.234,2\n", "a *b | 1.234 2"}, // the comma separates
		{"a;b\n1;2\n", "a *b | 1 2"},
		{"a,b\n\"1,234\",2\n", `a *b | 2:1: the number "1,234" has a comma: expected a decimal point, and nothing between thousands`},
		{"a;b\n1,234;2.5\n", `a *b | 2:1: the number "1,234" has a comma: expected a decimal point, and nothing between thousands`},
	} {
		wantMeaning(t, likely, c.text, c.want)
	}
	r := csvfmt.NewReader(strings.NewReader("a;b\n1,234;2\nx;3\n"))
	r.LikelyComma = true
	if _, err := r.Header(); err != nil || r.Decimal() != ',' {
		t.Errorf("decimal %q, error %v", r.Decimal(), err)
	}
}
