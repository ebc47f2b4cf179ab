package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestEmptyOptions: an option of any command that takes a text takes no empty one, and
// nothing is read or written then.
func TestEmptyOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	options := 0
	for _, c := range newApp(&env{}).Commands {
		for _, f := range c.Flags {
			if _, is := f.(*cli.StringFlag); !is {
				continue
			}
			options++
			name := f.Names()[0]
			for _, option := range [][]string{{"--" + name, ""}, {"--" + name + "="}} {
				args := append(append([]string{c.Name}, option...), "a", "b", "c")
				var out, errs bytes.Buffer
				status := run(context.Background(), args, strings.NewReader(""), &out, &errs)
				if want := "slimsvm: --" + name + ` "": expected a `; status != statusUsage || !strings.HasPrefix(errs.String(), want) {
					t.Errorf("%q: status %d, %q, want %q", args, status, errs.String(), want)
				}
			}
		}
	}
	if options < 50 {
		t.Errorf("%d options", options)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// TestEmptyWords: nor is an empty word a file, or one that is not given.
func TestEmptyWords(t *testing.T) {
	files := 0
	for _, c := range newApp(&env{}).Commands {
		names := strings.Fields(c.ArgsUsage)
		for i, name := range names {
			name = strings.Trim(name, "[].")
			if strings.Contains("NAME COMMAND bash|zsh|fish", name) {
				continue
			}
			files++
			args := append([]string{c.Name}, slices.Repeat([]string{"absent"}, len(names))...)
			args[1+i] = ""
			var out, errs bytes.Buffer
			status := run(context.Background(), args, strings.NewReader(""), &out, &errs)
			if want := "slimsvm: " + name + ` "": expected a file` + "\nhint: "; status != statusUsage || !strings.HasPrefix(errs.String(), want) {
				t.Errorf("%q: status %d, %q, want %q", args, status, errs.String(), want)
			}
		}
	}
	if files < 20 {
		t.Errorf("%d files", files)
	}
	var out, errs bytes.Buffer
	if status := run(context.Background(), []string{"check", "absent", ""}, strings.NewReader(""), &out, &errs); status != statusUsage {
		t.Errorf("check of two: status %d, %q", status, errs.String())
	}
}
