package libsvmfmt_test

import (
	"testing"

	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// TestResembles: a faulty row is known by the pair behind its label, and text by having none.
func TestResembles(t *testing.T) {
	for _, c := range []struct {
		head             string
		libsvm, svmLight bool
	}{
		{"1 1:x\n", true, true},
		{"a 1:1", true, true},
		{"\ufeff\r\n \t1\t+1:\n", true, true},
		{"1 -1:2 3\n", true, true},
		{"1 qid:2 1:x\n", false, true},
		{"# 1:2\n# x\n\n1 1:x\n", false, true},
		{" \n\t# x\n1 1:x\n", false, true},
		{"", false, false},
		{"\n# \n", false, false},
		{"#", false, false},
		{"1\n1 1:x\n", false, false},
		{"1 :2\n", false, false},
		{"1 -:2\n", false, false},
		{"1 1\n", false, false},
		{"1 a:1\n", false, false},
		{"1,1:2\n", false, false},
		{"1 qid:2\n", false, false},
		{"@attribute 1:2\n", true, true}, // which no other format takes
	} {
		if got := libsvmfmt.Codec.Resembles([]byte(c.head)); got != c.libsvm {
			t.Errorf("%q resembles LIBSVM's format: %t", c.head, got)
		}
		if got := libsvmfmt.SVMLight.Resembles([]byte(c.head)); got != c.svmLight {
			t.Errorf("%q resembles SVMlight's format: %t", c.head, got)
		}
	}
}
