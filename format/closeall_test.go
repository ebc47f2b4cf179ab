package format

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCloseAll: outputs take their names all, or what was there is there again.
func TestCloseAll(t *testing.T) {
	for _, c := range []struct {
		name   string
		before map[string]string
		fails  string // the output whose name is taken by a folder meanwhile
		link   bool   // the first leads elsewhere
	}{
		{name: "all new"},
		{name: "all replaced", before: map[string]string{"a": "was a", "b": "was b", "c": "was c"}},
		{name: "the last fails, others new", fails: "c"},
		{name: "the last fails", before: map[string]string{"a": "was a", "b": "was b"}, fails: "c"},
		{name: "one between fails", before: map[string]string{"a": "was a", "c": "was c"}, fails: "b"},
		{name: "the first fails", before: map[string]string{"b": "was b", "c": "was c"}, fails: "a"},
		{name: "a link", before: map[string]string{"to": "was a"}, fails: "c", link: true},
		{name: "a link to nothing yet", fails: "c", link: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range c.before {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if c.link {
				if err := os.Symlink("to", "a"); err != nil {
					t.Skip(err)
				}
			}
			var outs []*Output
			for _, name := range []string{"a", "b", "c"} {
				o, err := Create(context.Background(), name)
				if err != nil {
					t.Fatal(err)
				}
				defer o.Abort()
				if _, err := o.Write([]byte("new " + name)); err != nil {
					t.Fatal(err)
				}
				outs = append(outs, o)
			}
			want := map[string]string{"a": "new a", "b": "new b", "c": "new c"}
			if c.fails != "" {
				want = c.before
				if err := os.MkdirAll(filepath.Join(c.fails, "full"), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			if err := CloseAll(outs...); (err != nil) != (c.fails != "") {
				t.Errorf("error %v", err)
			}
			found, err := os.ReadDir(".")
			if err != nil {
				t.Fatal(err)
			}
			files := 0
			for _, f := range found {
				if f.Name() == c.fails || c.link && f.Name() == "a" {
					continue
				}
				files++
				if text, err := os.ReadFile(f.Name()); err != nil || string(text) != want[f.Name()] {
					t.Errorf("%s holds %q, %v, want %q", f.Name(), text, err, want[f.Name()])
				}
			}
			if files != len(want) {
				t.Errorf("there are %v, want %v", found, want)
			}
		})
	}
}

// TestCloseFails: an output whose file cannot be closed, as one whose last bytes have no room on a
// disk elsewhere, is no output: what had its name keeps it. An output that is complete is closed.
func TestCloseFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	for _, fails := range []bool{false, true} {
		o, err := Create(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Abort()
		if !fails {
			o.Write([]byte("text"))
		} else if err := o.file.Close(); err != nil {
			t.Fatal(err)
		}
		if err := o.Close(); errors.Is(err, os.ErrClosed) != fails || (err != nil) != fails {
			t.Errorf("fails %t: %v", fails, err)
		}
		if err := o.file.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("fails %t: the file was open: %v", fails, err)
		}
		if text, err := os.ReadFile(path); string(text) != "text" {
			t.Errorf("fails %t: %q, %v", fails, text, err)
		}
	}
}
