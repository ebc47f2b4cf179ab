package compat_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/slimsvm-bench/cost"
)

// TestMemoryOfLongRow: what svm-scale takes for a row of very many features is of the order of its
// text and its ranges. The text, what is read of it and what was measured are each given back when
// they are done with.
func TestMemoryOfLongRow(t *testing.T) {
	dir := t.TempDir()
	const features = 800_000
	var data strings.Builder
	for i := range 2 {
		fmt.Fprint(&data, i)
		for k := range features {
			fmt.Fprintf(&data, " %d:%d", k+1, (k+i)%10)
		}
		data.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "data"), []byte(data.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, processors := range []string{"1", "2"} {
		env := append(os.Environ(), "GOMAXPROCS="+processors)
		c, err := cost.Measure(t.Context(), dir, env, "", filepath.Join(commands(t), "svm-scale"), "-l", "0", "data")
		switch {
		case err != nil:
			t.Fatal(err)
		case c.Memory == 0:
			t.Skip("the system does not tell what memory a process took")
		case c.Memory/features > 210:
			t.Errorf("%s processors: %d bytes a feature", processors, c.Memory/features)
		}
		t.Logf("%s processors: %d bytes a feature", processors, c.Memory/features)
	}
}

// TestMemoryOfLongLine: a line takes little more memory than it has bytes, since a packed file of
// some hundred kilobytes may hold one of hundreds of megabytes. What is read of it is given back
// as it moves to where there is more room, and the whole where a packed file is read again to list faults.
func TestMemoryOfLongLine(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	dir := t.TempDir()
	const length = 100 << 20
	for _, c := range []struct{ name, head string }{
		{"line.arff.gz", "@relation r\n@attribute s string\n@attribute x numeric\n@data\n"},
		{"line.libsvm.gz", "1 1:1\n"},
		{"line.csv.gz", "a,b\n1,2\n"},
	} {
		writeLongLine(t, filepath.Join(dir, c.name), c.head, length)
		// not by run, which adds the memory of the tests themselves
		check := fmt.Sprintf(`"$0" check %s >/dev/null 2>&1; test $? -eq 1`, c.name)
		got, err := cost.Measure(t.Context(), dir, os.Environ(), "", "sh", "-c", check, filepath.Join(commands(t), "slimsvm"))
		switch {
		case err != nil:
			t.Fatalf("%s: exit status other than 1: %v", c.name, err)
		case got.Memory == 0:
			t.Skip("the system does not tell what memory a process took")
		case got.Memory > length*11/4:
			t.Errorf("%s: %d MiB of memory for a line of %d MiB", c.name, got.Memory>>20, length>>20)
		}
		t.Logf("%s: %d MiB", c.name, got.Memory>>20)
	}
}

// writeLongLine writes a packed file of a head and a line that is blank but for a fault at its end.
func writeLongLine(t *testing.T, path, head string, length int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	_, err = io.WriteString(z, head)
	piece := []byte(strings.Repeat(" ", 1<<20))
	for n := 0; n < length && err == nil; n += len(piece) {
		_, err = z.Write(piece)
	}
	if err == nil {
		_, err = io.WriteString(z, "1 a\n")
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
