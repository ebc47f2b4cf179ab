package compat_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// treeFolders returns the folders that the tree of ARCHITECTURE.md names, from the root. The words
// at the beginning of a line that end in / are folders, within that of the line above them that is
// indented less.
func treeFolders(page string) (folders []string) {
	_, tree, _ := strings.Cut(page, "\n## The tree\n")
	_, tree, _ = strings.Cut(tree, "```\n")
	tree, _, _ = strings.Cut(tree, "```")
	type outer struct {
		indent int
		folder string
	}
	var within []outer
	for line := range strings.Lines(tree) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(within) > 0 && within[len(within)-1].indent >= indent {
			within = within[:len(within)-1]
		}
		above := ""
		if len(within) > 0 {
			above = within[len(within)-1].folder
		}
		for word := range strings.FieldsSeq(line) {
			name, is := strings.CutSuffix(word, "/")
			if !is {
				break
			}
			folders = append(folders, path.Join(above, name))
		}
		if len(folders) > 0 {
			within = append(within, outer{indent, folders[len(folders)-1]})
		}
	}
	return folders
}

// TestTreeOfPage: the tree in ARCHITECTURE.md has every package, and no folder that is not there.
func TestTreeOfPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	folders := treeFolders(string(text))
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder))); err != nil {
			t.Errorf("ARCHITECTURE.md: %v", err)
		}
	}
	packages := 0
	for _, p := range listPackages(t) {
		if p.path == "" || strings.HasPrefix(p.path, "examples/") { // of examples it has the folder alone
			continue
		}
		packages++
		if !slices.Contains(folders, p.path) {
			t.Errorf("ARCHITECTURE.md: the tree lacks %s", p.path)
		}
	}
	if packages < 60 {
		t.Errorf("%d packages", packages)
	}
}

// heededVariable finds the name of a variable of the environment in Go's text.
var heededVariable = regexp.MustCompile(`(?:env\(|Env\(|named\([bt], | = )"(SLIMSVM_[A-Z_]+)"`)

// TestVariablesOfPage: CONTRIBUTING.md has every variable that commands and tests heed, but those
// with which tests tell programs that they start what to do.
func TestVariablesOfPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(SLIMSVM_[A-Z_]+)=").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = true
	}
	heeded := map[string]bool{}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		source, err := os.ReadFile(name)
		for _, m := range heededVariable.FindAllStringSubmatch(string(source), -1) {
			if !strings.Contains(m[1], "_TEST_") && !strings.HasSuffix(m[1], "_TEST") {
				heeded[m[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range heeded {
		if !documented[name] {
			t.Errorf("CONTRIBUTING.md: the table lacks %s", name)
		}
	}
	for name := range documented {
		if !heeded[name] {
			t.Errorf("CONTRIBUTING.md: nothing heeds %s", name)
		}
	}
}
