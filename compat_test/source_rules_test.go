package compat_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestNoise(t *testing.T) {
	for _, c := range []struct{ source, fault string }{
		{`import "fmt"; func f() { fmt.Sprint(1); fmt.Fprintln(nil, 1) }`, ""},
		{`import "fmt"; func f() { fmt.Println(1) }`, "x.go:1:37: uses fmt.Println"},
		{`import p "fmt"; func f() { p.Printf("") }`, "uses fmt.Printf"},
		{`import . "fmt"; func f() { Print() }`, "imports the names of fmt"},
		{`func f() { println(1) }`, "calls println"},
		{`import "os"; func f() { os.Exit(1) }`, "uses os.Exit"},
		{`import "os"; var w = os.Stderr`, "uses os.Stderr"},
		{`import "os"; func f() { os.Open("") }`, ""},
		{`import "os/signal"; func f() { signal.Stop(nil) }`, "imports os/signal"},
		{`import "log"; var l log.Logger`, "imports log"},
		{`import "flag"; var l flag.Flag`, "imports flag"},
		{`import "time"; var d time.Duration`, ""},
		{`import "time"; var d = time.Now()`, "uses time.Now"},
		{`import "math/rand/v2"; func f() int { return rand.IntN(2) }`, "global random source: rand.IntN"},
		{`import "math/rand/v2"; func f(r *rand.Rand) int { return rand.New(rand.NewPCG(1, 2)).IntN(2) }`, ""},
		{`import "math/rand"; func f() { rand.Seed(1) }`, "global random source: rand.Seed"},
		{`type s struct{}; func (s) Exit() {}; func f(os s) { os.Exit() }`, ""},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x; "+c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		faults := noise(f, files)
		if c.fault == "" && len(faults) > 0 || c.fault != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.fault)) {
			t.Errorf("%s: faults %q, want %q", c.source, faults, c.fault)
		}
	}
}

func TestUndocumented(t *testing.T) {
	for _, c := range []struct{ source, missing string }{
		{"// F does.\nfunc F() {}", ""},
		{"func F() {}", "F"},
		{"func f() {}", ""},
		{"//go:noinline\nfunc F() {}", "F"},
		{"type T struct{ X int }", "T"},
		{"// A T is.\ntype T struct{ X int }", ""},
		{"// T is.\ntype T int\nfunc (T) M() {}", "M"},
		{"// T is.\ntype T[P any] struct{}\nfunc (t *T[P]) M() {}", "M"},
		{"type t int\nfunc (t) M() {}", ""},
		{"const A, b = 1, 2", "A"},
		{"// Letters.\nconst (\n\tA = 1\n\tB = 2\n)", ""},
		{"const (\n\tA = 1 // first\n\tB = 2\n)", "B"},
		{"var V int", "V"},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x\n\n"+c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		faults := undocumented(f, files)
		if c.missing == "" && len(faults) > 0 || c.missing != "" && (len(faults) != 1 || !strings.Contains(faults[0], ": "+c.missing+" has no comment")) {
			t.Errorf("%q: faults %q, want %q", c.source, faults, c.missing)
		}
	}
}
