package csvfmt

import (
	"strings"
	"testing"
)

// The last column is the class, unless it has the weights of rows: then the one before it is, of
// which all labels are kept. It is another if Class says so.
func TestWeightsAreNoClass(t *testing.T) {
	for _, c := range []struct {
		text, weights, class, want string
	}{
		{"a,b,w\n1,2,3\n", "w", "", "b"},
		{"a,b,w\n1,2,3\n", "last", "", "b"},
		{"a,b,w\n1,2,3\n", "3", "", "b"},
		{"a,b,w\n1,2,3\n", "1", "", "w"},
		{"a,w\n1,2\n", "w", "", "a"},
		{"a,b,w\n1,2,3\n", "w", "a", "a"},
		{"a,b,w\n1,2,3\n", "w", "w", "w"},
		{"w\n1\n", "w", "", "w"},
	} {
		r := NewReader(strings.NewReader(c.text))
		r.Weights, r.Class = c.weights, c.class
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Attributes[h.Class].Name; got != c.want {
			t.Errorf("%q, weights %s, class %q: the class is %s, want %s", c.text, c.weights, c.class, got, c.want)
		}
	}
	for _, c := range []struct{ text, weights, groups, class, want string }{
		{"a,b,g\n1,2,3\n", "", "g", "", "b"},
		{"a,b,g\n1,2,3\n", "", "a", "", "g"},
		{"a,b,g\n1,2,3\n", "", "last", "first", "a"},
		{"a,b,w,g\n1,2,3,4\n", "w", "g", "", "b"},
		{"a,b,g,w\n1,2,3,4\n", "last", "3", "", "b"},
		{"a,g,b,w\n1,2,3,4\n", "last", "g", "", "b"},
		{"g,w\n1,2\n", "w", "g", "", "w"},
	} {
		r := NewReader(strings.NewReader(c.text))
		r.Weights, r.Groups, r.Class = c.weights, c.groups, c.class
		h, err := r.Header()
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Attributes[h.Class].Name; got != c.want {
			t.Errorf("%q, weights %s, groups %s, class %q: the class is %s, want %s", c.text, c.weights, c.groups, c.class, got, c.want)
		}
	}
	r := NewReader(strings.NewReader("a,b\n1,2\n"))
	r.Weights = "c"
	const want = `there is no column "c" for the weights of rows: expected the name of one, first, last, or a number from 1 to 2`
	if _, err := r.Header(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
