package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// TestStandardise: a feature that is constant is dropped, though its mean may differ from it
// by rounding.
func TestStandardise(t *testing.T) {
	train := new(format.Dataset)
	for i := range 2079 {
		train.Append(format.Instance{X: vec.Vector{Index: []int32{0, 1}, Value: []float64{0.1, float64(i)}}, Y: 1, Weight: 1})
	}
	learn, test := standardise(train, train)
	for _, d := range []*format.Dataset{learn, test} {
		if x := d.X.Row(0); len(x.Index) != 1 || x.Index[0] != 1 {
			t.Errorf("features %v of %v are left", x.Index, x.Value)
		}
	}
}

// TestStoreShared: who opens a store takes nothing from another process that adds to it, nor
// does a line that is cut off spoil the next.
func TestStoreShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	const whole, begun = `{"job":"one","version":1}` + "\n", `{"job":"two","version":1}`
	if err := os.WriteFile(path, []byte(whole+begun[:9]), 0o666); err != nil {
		t.Fatal(err)
	}
	first, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []*store{first, second} {
		if err := s.add(result{Job: []string{"three", "four"}[i], Version: 1}); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.lookup("", "two", 0, 1); ok || len(s.results) != 2 {
			t.Errorf("%d results", len(s.results))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path+"2", []byte(whole+begun), 0o666); err != nil {
		t.Fatal(err)
	}
	for file, jobs := range map[string][]string{path: {"one", "three", "four"}, path + "2": {"one", "two"}} {
		s, err := openStore(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range jobs {
			if _, ok := s.lookup("", job, 0, 1); !ok {
				t.Errorf("%s is lost", job)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// what was read while it was being written
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) < len(whole)+9 || string(text[:len(whole)+9]) != whole+begun[:9] {
		t.Errorf("taken away: %q", text)
	}
}
