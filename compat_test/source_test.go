package compat_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mostLines is the longest a file of the project may be.
const mostLines = 500

func TestFileLength(t *testing.T) {
	eachFile(t, func(name string, b []byte) {
		if path.Ext(name) != ".go" {
			return
		}
		if n := bytes.Count(b, []byte("\n")); n > mostLines {
			t.Errorf("%s: %d lines; one idea a file, at most %d lines", name, n, mostLines)
		}
	})
}

// machinePath finds absolute paths of the places where the project is developed.
// It is put together from parts so that it does not find itself.
var machinePath = regexp.MustCompile(`(^|[^a-z.])/(` + strings.Join([]string{"tmp", "work", "farm"}, "|") + `)/`)

func TestMachinePaths(t *testing.T) {
	eachFile(t, func(name string, b []byte) {
		if at := machinePath.Find(b); at != nil {
			t.Errorf("%s: names a path of a machine: %q", name, at)
		}
	})
	for text, found := range map[string]bool{
		"see /tm" + "p/x":          true,
		"/wor" + "k/main/x":        true,
		"\n/far" + "m/x":           true,
		"examples/wor" + "k/main":  false,
		"../tm" + "p/x":            false,
		"a tm" + "p folder, /usr/": false,
	} {
		if machinePath.MatchString(text) != found {
			t.Errorf("%q: found is %t", text, !found)
		}
	}
}

// TestLibraryIsQuiet asks that nothing but commands prints, exits, listens to
// signals, or reads the command line, a clock or a global random source.
func TestLibraryIsQuiet(t *testing.T) {
	n := 0
	eachSource(t, func(name string, f *ast.File, files *token.FileSet) {
		if strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "examples/") {
			return
		}
		n++
		for _, fault := range noise(f, files) {
			if forTestsOnly(path.Dir(name)) && strings.HasSuffix(fault, "imports flag") {
				continue // it sets how many cases a test tries
			}
			t.Error(fault)
		}
	})
	if n == 0 {
		t.Fatal("no files")
	}
}

// forTestsOnly reports whether a package is a conformance suite.
func forTestsOnly(folder string) bool {
	return slices.Contains(forTests, folder) && strings.HasSuffix(folder, "test")
}

func TestDocComments(t *testing.T) {
	documented := map[string]bool{}
	eachSource(t, func(name string, f *ast.File, files *token.FileSet) {
		dir := path.Dir(name)
		documented[dir] = documented[dir] || strings.TrimSpace(f.Doc.Text()) != ""
		for _, fault := range undocumented(f, files) {
			t.Error(fault)
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s: the package has no comment", dir)
		}
	}
}

// loud lists what only a command may use, by package; an empty list: all of it.
var loud = map[string][]string{
	"os/signal": {},
	"log":       {},
	"log/slog":  {},
	"flag":      {},
	"os":        {"Exit", "Args", "Stdout", "Stderr"},
	"fmt":       {"Print", "Printf", "Println"},
	"time":      {"Now", "Since", "Until", "Sleep", "After", "Tick"},
}

// seeded are the names of math/rand and math/rand/v2 that need a seed or a source.
var seeded = regexp.MustCompile(`^(New.*|Rand|Source|Source64|PCG|ChaCha8|Zipf)$`)

// noise returns the uses of loud names in a file.
func noise(f *ast.File, files *token.FileSet) []string {
	var faults []string
	fault := func(at token.Pos, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s: ", files.Position(at))+fmt.Sprintf(format, args...))
	}
	packages := map[string]string{} // name in this file -> import path
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			fault(i.Pos(), "%v", err)
			continue
		}
		name := path.Base(p)
		if p == "math/rand/v2" {
			name = "rand"
		}
		if i.Name != nil {
			name = i.Name.Name
		}
		if names, ok := loud[p]; ok && len(names) == 0 {
			fault(i.Pos(), "imports %s", p)
		}
		if name == "." {
			fault(i.Pos(), "imports the names of %s", p)
		}
		packages[name] = p
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Obj == nil && (id.Name == "print" || id.Name == "println") {
				fault(n.Pos(), "calls %s", id.Name)
			}
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok || id.Obj != nil {
				return true
			}
			p := packages[id.Name]
			for _, name := range loud[p] {
				if n.Sel.Name == name {
					fault(n.Pos(), "uses %s.%s", p, name)
				}
			}
			if strings.HasPrefix(p, "math/rand") && !seeded.MatchString(n.Sel.Name) {
				fault(n.Pos(), "uses the global random source: %s.%s", id.Name, n.Sel.Name)
			}
		}
		return true
	})
	return faults
}

// undocumented returns the exported names of a file without a comment; fields
// and methods of unexported types are left out.
func undocumented(f *ast.File, files *token.FileSet) []string {
	var faults []string
	check := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if strings.TrimSpace(c.Text()) != "" {
				return
			}
		}
		if name.IsExported() {
			faults = append(faults, fmt.Sprintf("%s: %s has no comment", files.Position(name.Pos()), name.Name))
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || exportedReceiver(d.Recv.List[0].Type) {
				check(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					check(s.Name, d.Doc, s.Doc, s.Comment)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						check(name, d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	return faults
}

// exportedReceiver reports whether a method's receiver is of an exported type.
func exportedReceiver(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return exportedReceiver(e.X)
	case *ast.IndexExpr:
		return exportedReceiver(e.X)
	case *ast.IndexListExpr:
		return exportedReceiver(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}

// eachSource parses the Go files of the module, but no tests and no modules of
// their own in folders that begin with _.
func eachSource(t *testing.T, do func(name string, f *ast.File, files *token.FileSet)) {
	t.Helper()
	eachFile(t, func(name string, b []byte) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains("/"+name, "/_") || strings.Contains(name, "testdata/") {
			return
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, b, parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		do(name, f, files)
	})
}

// eachFile calls do with the files of the project: those git knows or would
// add; where git is missing, all but git's own.
func eachFile(t *testing.T, do func(name string, b []byte)) {
	t.Helper()
	var names []string
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil {
		names = strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	} else {
		t.Logf("git ls-files: %v; all files are checked", err)
		err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == ".git":
				return fs.SkipDir
			case !d.IsDir():
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			continue // deleted, not yet committed
		}
		n++
		do(name, b)
	}
	if n == 0 {
		t.Fatal("no files")
	}
}
