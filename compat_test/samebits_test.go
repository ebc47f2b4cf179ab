package compat_test

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// inexact are functions whose results are not the same on all processors, or not certain to
// be: package math has assembly of its own for some of them, and products in others that a
// compiler may fuse. The others of package math are exact by their definition. kernel.Exp,
// Log and Log1p take their places.
var inexact = map[string][]string{
	"math": {
		"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Erf", "Erfc", "Erfcinv", "Erfinv",
		"Exp", "Exp2", "Expm1", "Gamma", "Hypot", "J0", "J1", "Jn", "Lgamma", "Log", "Log10", "Log1p", "Log2", "Pow",
		"Sin", "Sincos", "Sinh", "Tan", "Tanh", "Y0", "Y1", "Yn",
	},
	"math/cmplx": nil, // all
}

// TestExactMath: what reaches a model, a prediction or a file is computed without them.
func TestExactMath(t *testing.T) {
	n := 0
	eachSource(t, func(name string, f *ast.File, files *token.FileSet) {
		if mayBeInexact(name) {
			return
		}
		n++
		for _, fault := range inexactIn(f, files) {
			t.Error(fault)
		}
	})
	if n == 0 {
		t.Fatal("no files")
	}
}

// mayBeInexact reports whether a file computes nothing but times.
func mayBeInexact(name string) bool {
	return strings.HasPrefix(name, "cmd/slimsvm-bench/")
}

// inexactIn returns the places of a file where inexact functions are used.
func inexactIn(f *ast.File, files *token.FileSet) (faults []string) {
	of := map[string][]string{} // by the package's name in this file
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		names, listed := inexact[p]
		if err != nil || !listed {
			continue
		}
		if names == nil {
			faults = append(faults, fmt.Sprintf("%s: imports %s", files.Position(i.Pos()), p))
		}
		name := p
		if i.Name != nil {
			name = i.Name.Name
		}
		of[name] = names
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		if id, is := s.X.(*ast.Ident); is && id.Obj == nil {
			for _, name := range of[id.Name] {
				if s.Sel.Name == name {
					faults = append(faults, fmt.Sprintf("%s: math.%s differs by processor", files.Position(n.Pos()), name))
				}
			}
		}
		return true
	})
	return faults
}

func TestInexactIn(t *testing.T) {
	for _, c := range []struct{ source, fault string }{
		{`import "math"; func f() { math.Sqrt(2) }`, ""},
		{`import "math"; func f() { math.Exp(2) }`, "x.go:1:38: math.Exp differs by processor"},
		{`import m "math"; var f = m.Pow`, "math.Pow differs by processor"},
		{`import "math/cmplx"; var f = cmplx.Abs`, "imports math/cmplx"},
		{`type s struct{}; func (s) Exp() {}; func f(math s) { math.Exp() }`, ""},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x; "+c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		faults := inexactIn(f, files)
		if c.fault == "" && len(faults) > 0 || c.fault != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.fault)) {
			t.Errorf("%s: faults %q, want %q", c.source, faults, c.fault)
		}
	}
}

// fusedInstruction finds, in what the compiler lists, an instruction of arm64 or amd64 that adds a
// product which it does not round, and its place.
var fusedInstruction = regexp.MustCompile(`\(([^()]+\.go):(\d+)\)\s+(?:FN?M(?:ADD|SUB)[SD]|VFN?M(?:ADD|SUB)\d+S[SD])\s`)

// TestNothingFused: the compiler finds no product that it may add without rounding it, as it
// does on arm64, s390x, ppc64le and riscv64 where nobody writes float64(x*y), and on amd64 with
// GOAMD64=v3. What math.FMA asks for is the same everywhere.
func TestNothingFused(t *testing.T) {
	if testing.Short() {
		t.Skip("the module is not compiled for arm64 and GOAMD64=v3: -short")
	}
	if err := testenv.TrackSources("./..."); err != nil {
		t.Fatal(err)
	}
	// files that are for amd64 alone stand beside its assembly
	assembly := strings.Fields(string(goList(t, "linux/amd64", "-f", "{{if .SFiles}}{{.ImportPath}}{{end}}", "./...")))
	t.Run("arm64", func(t *testing.T) { nothingFused(t, "GOARCH=arm64", "./...") })
	t.Run("amd64", func(t *testing.T) { nothingFused(t, "GOARCH=amd64", assembly...) })
}

// nothingFused has the compiler list packages for a processor that has fused instructions.
func nothingFused(t *testing.T, goarch string, packages ...string) {
	cmd := exec.Command("go", append([]string{"build", "-gcflags=" + module + "/...=-S"}, packages...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), goarch, "GOAMD64=v3", "GOOS=linux", "CGO_ENABLED=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("go build: %v\n%.2000s", err, out.Bytes())
	}
	asked, told := 0, map[string]bool{}
	sources := map[string][]string{}
	s := bufio.NewScanner(&out)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		found := fusedInstruction.FindStringSubmatch(s.Text())
		if found == nil {
			continue
		}
		line := sourceLine(t, sources, found[1], found[2])
		if strings.Contains(line, "math.FMA(") {
			asked++
			continue
		}
		if at := found[1] + ":" + found[2]; !told[at] {
			told[at] = true
			t.Errorf("%s: a product is added without being rounded: %s", at, strings.TrimSpace(line))
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if asked == 0 {
		t.Error("no fused instruction found at all, though package kernel asks for some")
	}
}

// sourceLine returns a line of a source file, which it keeps in sources.
func sourceLine(t *testing.T, sources map[string][]string, path, number string) string {
	t.Helper()
	lines, have := sources[path]
	if !have {
		name := path
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = strings.Split(string(text), "\n")
		sources[path] = lines
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(lines) {
		t.Fatalf("there is no line %s of %s", number, path)
	}
	return lines[n-1]
}
