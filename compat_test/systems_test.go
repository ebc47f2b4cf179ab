package compat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	// systems are what the project is for, as GOOS/GOARCH, and a tag.
	systems = []string{
		"linux/amd64", "linux/amd64/purego", "linux/386", "linux/arm", "linux/arm64", "linux/s390x", "darwin/arm64", "freebsd/amd64", "windows/amd64", "windows/arm64",
	}

	// librarySystems are those on which slimsvm's progress bars do not build, nor does what tests
	// commands.
	librarySystems = []string{"js/wasm", "wasip1/wasm", "plan9/amd64", "aix/ppc64"}
)

// TestSystems: all packages and their tests have files for each system, and these fit together. To
// look at types takes some seconds a system, where to compile the standard library takes a minute.
func TestSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("not looked at: files for other systems")
	}
	sources := &parsed{set: token.NewFileSet(), files: map[string]func() (*ast.File, error){}}
	for _, system := range slices.Concat(systems, librarySystems) {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			library := slices.Contains(librarySystems, system)
			names := strings.Fields(string(goList(t, system, "-f", "{{if or .GoFiles .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...")))
			if library {
				names = slices.DeleteFunc(names, func(name string) bool {
					return name == module+"/compat_test" || strings.HasSuffix(name, "/cmd/slimsvm") || strings.HasSuffix(name, "/commandtest")
				})
			}
			list := goList(t, system, append([]string{"-deps", fmt.Sprintf("-test=%t", !library), "-json=ImportPath,Dir,GoFiles,SFiles,ImportMap,Module"}, names...)...)
			packages := decodeParts(t, list)
			for _, p := range packages {
				if _, err := os.ReadDir(p.Dir); err != nil { // new files are to be seen by what go test remembers
					t.Fatal(err)
				}
			}
			ours, faults := checkTypes(packages, sources, strings.Split(system, "/")[1])
			if ours < len(names) {
				t.Errorf("%d packages looked at, want %d or more", ours, len(names))
			}
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}

// TestSystemsRules: what does not fit is found.
func TestSystemsRules(t *testing.T) {
	for text, want := range map[string]string{
		"package p; func f() int { return 1 }":          "",
		"package p; func f() int { return \"\" }":       "cannot use",
		"package p; const c int = 1 << 40":              "overflows",
		"package p; func f(); func g() { f() }":         "has no body",
		"package p; import \"q\"; var x = q.Y":          "undefined",
		"package p; import \"q\"; func f() { q.X = 2 }": "",
	} {
		sources := &parsed{set: token.NewFileSet(), files: map[string]func() (*ast.File, error){}}
		for name, text := range map[string]string{"p.go": text, "q.go": "package q; var X int"} {
			f, err := parser.ParseFile(sources.set, name, text, parser.SkipObjectResolution)
			sources.files[name] = func() (*ast.File, error) { return f, err }
		}
		packages := []part{{ImportPath: "q", GoFiles: []string{"q.go"}}, {ImportPath: "p", GoFiles: []string{"p.go"}}}
		for i := range packages {
			packages[i].Module.Path = module
		}
		_, faults := checkTypes(packages, sources, "386")
		if got := strings.Join(faults, "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// part is what go list says of a package.
type part struct {
	ImportPath, Dir string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Module          struct{ Path string }
}

func decodeParts(t *testing.T, b []byte) []part {
	t.Helper()
	var packages []part
	for d := json.NewDecoder(strings.NewReader(string(b))); ; {
		var p part
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// goList returns what go list prints for a system.
func goList(t *testing.T, system string, args ...string) []byte {
	t.Helper()
	part := append(strings.Split(system, "/"), "")
	c := exec.Command("go", append([]string{"list", "-tags=" + part[2]}, args...)...)
	c.Dir = root
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+part[0], "GOARCH="+part[1])
	var errors strings.Builder
	c.Stderr = &errors
	b, err := c.Output()
	if err != nil {
		t.Fatalf("go list %q: %v\n%s", args[:min(2, len(args))], err, errors.String())
	}
	return b
}

// parsed is files that were parsed once, for all systems.
type parsed struct {
	set   *token.FileSet
	mu    sync.Mutex
	files map[string]func() (*ast.File, error)
}

func (s *parsed) file(name string) (*ast.File, error) {
	s.mu.Lock()
	parse, ok := s.files[name]
	if !ok {
		parse = sync.OnceValues(func() (*ast.File, error) {
			return parser.ParseFile(s.set, name, nil, parser.SkipObjectResolution|parser.ParseComments)
		})
		s.files[name] = parse
	}
	s.mu.Unlock()
	return parse()
}

// checkTypes checks packages, each of which comes after those that it imports. It returns the
// number of ours and what is wrong with them; of others only what they declare is looked at.
func checkTypes(packages []part, sources *parsed, goarch string) (ours int, faults []string) {
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range packages {
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue // the main package of a test is made when it is built
		}
		own := p.Module.Path == module
		fault := func(err error) { faults = append(faults, p.ImportPath+": "+err.Error()) }
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := sources.file(filepath.Join(p.Dir, name))
			if err != nil {
				fault(err)
				continue
			}
			files = append(files, f)
			if own && len(p.SFiles) == 0 {
				for _, name := range bodiless(f) {
					fault(fmt.Errorf("%s has no body", name))
				}
			}
		}
		c := types.Config{
			Importer: importFunc(func(name string) (*types.Package, error) {
				if mapped := p.ImportMap[name]; mapped != "" {
					name = mapped
				}
				if found := checked[name]; found != nil {
					return found, nil
				}
				return nil, fmt.Errorf("%s is not there", name)
			}),
			Sizes:            types.SizesFor("gc", goarch),
			IgnoreFuncBodies: !own,
			Error: func(err error) {
				if own {
					fault(err)
				}
			},
		}
		name, _, _ := strings.Cut(p.ImportPath, " ")
		checked[p.ImportPath], _ = c.Check(name, sources.set, files, nil) // what is wrong c.Error was told
		if own {
			ours++
		}
	}
	return ours, faults
}

// bodiless returns the functions of a file that an assembly file has to have.
func bodiless(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

type importFunc func(name string) (*types.Package, error)

func (f importFunc) Import(name string) (*types.Package, error) { return f(name) }
