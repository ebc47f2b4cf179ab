package compat_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestSourceKeepsCauses asks that the library returns the error of an ended context only by
// ended.Err, which keeps the cause. Asking whether a context has ended is all right.
func TestSourceKeepsCauses(t *testing.T) {
	asked := 0
	eachSource(t, func(name string, f *ast.File, files *token.FileSet) {
		folder := path.Dir(name)
		if strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "examples/") || folder == "internal/ended" || forTestsOnly(folder) {
			return
		}
		faults, n := causesLost(f, files)
		asked += n
		for _, fault := range faults {
			t.Error(fault)
		}
	})
	if asked == 0 {
		t.Error("no package asks whether a context has ended")
	}
}

func TestCausesLost(t *testing.T) {
	for text, want := range map[string]struct{ faults, asked int }{
		"return ctx.Err()":                        {1, 0},
		"return o.ctx.Err()":                      {1, 0},
		"return o.replay.Context.Err()":           {1, 0},
		"if err := ctx.Err(); err != nil { f() }": {1, 0},
		"return context.Cause(o)":                 {1, 0},
		"if ctx.Err() != nil || f() { g() }":      {0, 1},
		"for nil == o.ctx.Err() { f() }":          {0, 1},
		"return scanner.Err()":                    {0, 0},
		"return ended.Err(ctx)":                   {0, 0},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x; func _() error { "+text+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if faults, asked := causesLost(f, files); len(faults) != want.faults || asked != want.asked {
			t.Errorf("%s: %q and %d questions, want %+v", text, faults, asked, want)
		}
	}
}

// causesLost returns where a file takes the error of a context, named ctx or Context, itself, and
// how often it asks whether there is one.
func causesLost(f *ast.File, files *token.FileSet) (faults []string, asked int) {
	var questions []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr: // comes before its operands
			if isNil(n.X) || isNil(n.Y) {
				questions = append(questions, n.X, n.Y)
			}
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				break
			}
			switch of := lastName(s.X); {
			case isContext(of) && s.Sel.Name == "Err" && slices.Contains(questions, ast.Node(n)):
				asked++
			case isContext(of) && s.Sel.Name == "Err" || of == "context" && s.Sel.Name == "Cause":
				faults = append(faults, fmt.Sprintf("%s: takes %s.%s, where ended.Err has both the cause and the context's error", files.Position(n.Pos()), of, s.Sel.Name))
			}
		}
		return true
	})
	return faults, asked
}

func isContext(name string) bool { return name == "ctx" || name == "Context" }

func isNil(e ast.Expr) bool { return lastName(e) == "nil" }

// lastName returns the name that an expression is or ends with, "" if it is neither.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
