package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/models"
)

// TestSame: an answer of svm-predict's that differs from ours in its last digit is another one.
func TestSame(t *testing.T) {
	m, err := models.Read(strings.NewReader("svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho -0.1\nSV\n0.3 1:1 \n"))
	if err != nil {
		t.Fatal(err)
	}
	d := new(format.Dataset)
	for _, x := range []float64{1, 33} {
		d.Append(format.Instance{X: vec.Vector{Index: []int32{1}, Value: []float64{x}}, Weight: 1})
	}
	p := program{t.Context(), t.TempDir()}
	for text, fault := range map[string]string{
		"0.40000000000000002\n10\n":                 "",
		"0.40000000000000013\n10\n":                 "row 1: svm-predict with the exported model answers 0.40000000000000013, slimsvm 0.40000000000000002",
		"0.40000000000000002\n9.9999999999999982\n": "row 2: ",
		"0.40000000000000002\n":                     "svm-predict wrote 1 answers for 2 rows",
	} {
		if err := os.WriteFile(filepath.Join(p.dir, "out"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := p.same("out", m, d)
		if (err == nil) != (fault == "") || err != nil && !strings.HasPrefix(err.Error(), fault) {
			t.Errorf("%q: %v, want %q", text, err, fault)
		}
	}
}
