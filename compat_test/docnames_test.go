package compat_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goName finds a name of a package in a page, as `train.OneVsOne`.
var goName = regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z]*)`")

// TestNamesOfPages: what docs/libsvm.md says of the library is there: functions and types of its
// packages, and the fields and methods that it names without one.
func TestNamesOfPages(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "libsvm.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Library\n")
	names, all := map[string]map[string]bool{}, map[string]bool{}
	for name, dir := range map[string]string{
		"format": "format", "vec": "format/vec", "libsvmfmt": "libsvmfmt", "models": "models",
		"kernel": "models/kernel", "train": "train", "smo": "train/smo", "predict": "predict",
	} {
		names[name] = exported(t, filepath.Join("..", filepath.FromSlash(dir)), all)
	}
	found := 0
	for _, m := range goName.FindAllStringSubmatch(table, -1) {
		found++
		if names[m[1]] == nil || !names[m[1]][m[2]] {
			t.Errorf("%s is not there", m[0])
		}
	}
	for _, m := range regexp.MustCompile("`([A-Z][A-Za-z]*)`").FindAllStringSubmatch(table, -1) {
		found++
		if !all[m[1]] {
			t.Errorf("no type has a field or method %s", m[0])
		}
	}
	if found < 25 {
		t.Errorf("%d names", found)
	}
}

// goFile finds a Go file with its folder in a page.
var goFile = regexp.MustCompile("`((?:[a-z0-9_]+/)+[a-z0-9_]+\\.go)`")

// TestFilesOfPages: the Go files that pages name with their folders, from the root, are there.
func TestFilesOfPages(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../README.md", "../ARCHITECTURE.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goFile.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if found < 60 {
		t.Errorf("%d files", found)
	}
}

// TestExamplesOfPage: the examples of Go packages that examples/README.md lists are in the files
// that it links to.
func TestExamplesOfPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "examples", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, link := range regexp.MustCompile(`\[[^]]*\]\(([^)]*_test\.go)\)`).FindAllStringSubmatch(string(page), -1) {
		source, err := os.ReadFile(filepath.Join("..", "examples", filepath.FromSlash(link[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range regexp.MustCompile("`(Example[A-Za-z_]*)`").FindAllStringSubmatch(link[0], -1) {
			found++
			if !strings.Contains(string(source), "\nfunc "+name[1]+"() {") {
				t.Errorf("%s has no %s", link[1], name[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("%d examples", found)
	}
}

// exported returns the functions and types of a package, and adds the fields and methods of its
// types to members.
func exported(t *testing.T, dir string, members map[string]bool) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	p, err := doc.NewFromFiles(set, parsed, dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range p.Funcs {
		names[f.Name] = true
	}
	for _, typ := range p.Types {
		names[typ.Name] = true
		for _, f := range typ.Funcs {
			names[f.Name] = true
		}
		for _, m := range typ.Methods {
			members[m.Name] = true
		}
		for _, spec := range typ.Decl.Specs {
			if s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						members[name.Name] = true
					}
				}
			}
		}
	}
	return names
}
