package compat_test

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A goldenCase is a folder of recorded steps that run one after another.
type goldenCase struct {
	name   string // group/case
	folder string
	steps  []goldenStep
}

// A goldenStep is one command and what LIBSVM did.
type goldenStep struct {
	name, judge, command string
	want                 outcome
}

// ownGoldens unpacks the cases in testdata.
func ownGoldens(t *testing.T) []goldenCase {
	t.Helper()
	dir := t.TempDir()
	testdata := filepath.Join("testdata", "golden")
	unpack(t, filepath.Join(testdata, "own.tar.zst"), dir)
	return loadGoldens(t, dir, filepath.Join(testdata, "INDEX.tsv"))
}

// loadGoldens reads the cases that the index names from a folder.
func loadGoldens(t *testing.T, folder, index string) []goldenCase {
	t.Helper()
	folder, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for _, row := range readTable(t, index) {
		name := row["case"]
		if len(cases) == 0 || cases[len(cases)-1].name != name {
			cases = append(cases, goldenCase{name: name, folder: filepath.Join(folder, name)})
		}
		c := &cases[len(cases)-1]
		exit, err := strconv.Atoi(row["exit"])
		if err != nil {
			t.Fatalf("%s: %s: %v", index, name, err)
		}
		s := goldenStep{name: row["step"], judge: row["judge"], command: row["command"], want: outcome{result: result{exit: exit}, files: map[string][]byte{}}}
		for _, file := range strings.Fields(row["files"]) {
			b, err := os.ReadFile(filepath.Join(c.folder, file))
			if err != nil {
				t.Fatal(err)
			}
			switch file {
			case s.name + ".stdout":
				s.want.stdout = b
			case s.name + ".stderr":
				s.want.stderr = b
			default:
				s.want.files[file] = b
			}
		}
		c.steps = append(c.steps, s)
	}
	if len(cases) == 0 {
		t.Fatalf("%s: no cases", index)
	}
	return cases
}

// readTable reads a file of tab-separated columns whose first line names them.
func readTable(t *testing.T, name string) []map[string]string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	var rows []map[string]string
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(columns) {
			t.Fatalf("%s:%d: %d columns instead of %d", name, i+2, len(cells), len(columns))
		}
		row := map[string]string{}
		for k, cell := range cells {
			row[columns[k]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// unpack writes the files of a packed archive under dir.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", archive, err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(name, 0o777)
		case tar.TypeReg:
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(name, b, 0o666)
			}
		default:
			err = errors.New("neither file nor folder")
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", archive, h.Name, err)
		}
	}
}

// readPacked returns the content of a packed file.
func readPacked(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	if b, err = z.DecodeAll(b, nil); err != nil {
		return nil, &fs.PathError{Op: "unpack", Path: name, Err: err}
	}
	return b, nil
}
