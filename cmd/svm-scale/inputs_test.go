package main

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
)

// LIBSVM reads the ranges in front of the inputs.
func TestInputsToLIBSVM(t *testing.T) {
	libsvm := needOracle(t)
	t.Chdir(t.TempDir())
	writeFile(t, "data.arff", "@relation r\n@attribute x numeric\n@attribute 'slimsvm inputs' {1,2,3}\n@attribute c {a,b}\n@data\n1,1,a\n2,2,b\n4,3,b\n")
	writeFile(t, "rows", "0 1:1 2:1\n1 1:3 3:1\n")
	if got := ours(t, "-l", "0", "-s", "range", "data.arff"); got.status != 0 || !strings.Contains(got.saved, "\nslimsvm inputs\n{") {
		t.Fatal(got)
	}
	want := outcome(t, exec.Command(libsvm, "-r", "range", "rows"))
	got := ours(t, "-r", "range", "rows")
	if got.stdout != want.stdout || got.stdout != "0 2:1 \n1 1:0.666667 3:1 \n" || got.status != 0 {
		t.Errorf("ours %v, LIBSVM's %v", got, want)
	}
}

func TestBeforeMark(t *testing.T) {
	long := strings.Repeat("1 0 1 ", 3000)
	for _, c := range []struct {
		text, before, rest string
		found              bool
	}{
		{"", "", "", false},
		{"x\n0 1\n", "x\n0 1\n", "", false},
		{"x\n0 1", "x\n0 1", "", false},
		{"x\nslimsvm inputs\nrest\nmore", "x\n", "rest\nmore", true},
		{"x\r\nslimsvm inputs\r\nrest", "x\r\n", "rest", true},
		{"slimsvm inputs\n", "", "", true},
		{"x\nslimsvm inputs", "x\nslimsvm inputs", "", false},
		{"x slimsvm inputs\nslimsvm inputs \n", "x slimsvm inputs\nslimsvm inputs \n", "", false},
		{long + "slimsvm inputs\n" + long + "\nslimsvm inputs\n!", long + "slimsvm inputs\n" + long + "\n", "!", true},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			b := &beforeMark{r: bufio.NewReader(r), lineStart: true}
			if err := iotest.TestReader(struct{ io.Reader }{b}, []byte(c.before)); err != nil {
				t.Errorf("%.60q: %v", c.text, err)
			}
			if rest, err := io.ReadAll(b.r); b.found != c.found || err != nil || c.found && string(rest) != c.rest {
				t.Errorf("%.60q: found %v, rest %q, %v", c.text, b.found, rest, err)
			}
		}
	}
}
