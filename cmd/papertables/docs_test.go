package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The documents must be made of the results that lie beside them.
func TestDocuments(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "results.jsonl")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Fatal("there are no results")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(copied, text, 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(copied)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(s.results) == 0 {
		t.Fatal("no results")
	}
	everything := func(*job) string { return "" }
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "\r\n", "\n")
	}
	results := blanks(strings.ReplaceAll(read("docs/RESULTS.md"), "| absent", "| "))
	for i := range tables {
		of := &tables[i]
		if of.gather(s).runs > 0 && !strings.Contains(results, blanks(of.render(s, everything))) {
			t.Errorf("%s: docs/RESULTS.md is not what docs/results.jsonl says: go run ./cmd/papertables --run '^$'", of.name)
		}
		if of.name != "interop" {
			continue
		}
		if grid := of.grid(of.gather(s), everything); !strings.Contains(read("README.md"), grid) {
			t.Errorf("README.md lacks this table of docs/RESULTS.md:\n%s", grid)
		}
	}
}

// blanks returns text with single blanks.
func blanks(text string) string { return strings.Join(strings.Fields(text), " ") }
