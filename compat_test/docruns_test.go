package compat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

var (
	// goTest finds a call of go test in a page, up to the end of its span or block of code.
	goTest = regexp.MustCompile("go test [^`\\n]*")
	// chosen finds an option that chooses tests, and its pattern.
	chosen = regexp.MustCompile(`-(run|bench|fuzz) ('[^']*'|[^ ]+)`)
	// testFunc finds the tests of a file.
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w*)\(`)
)

// TestRunsOfPages: what pages tell readers to have go test run is there, in one of the packages that
// they name.
func TestRunsOfPages(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../README.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range goTest.FindAllString(string(text), -1) {
			call = strings.ReplaceAll(call, `\|`, "|") // in a table
			for _, m := range chosen.FindAllStringSubmatch(call, -1) {
				pattern := strings.Trim(m[2], "'")
				if m[1] == "run" && pattern == "^$" { // benchmarks alone
					continue
				}
				found++
				if !runs(t, call, map[string]string{"run": "Test", "bench": "Benchmark", "fuzz": "Fuzz"}[m[1]], pattern) {
					t.Errorf("%s: %s: nothing matches %s", page, call, pattern)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d patterns", found)
	}
}

// runs reports whether a package that a call of go test names has a function of a kind that matches.
func runs(t *testing.T, call, kind, pattern string) bool {
	t.Helper()
	re, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(call) {
		if !strings.HasPrefix(word, "./") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(word), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range testFunc.FindAllStringSubmatch(string(source), -1) {
				if strings.HasPrefix(m[1], kind) && re.MatchString(m[1]) {
					return true
				}
			}
		}
	}
	return false
}

// TestCountsOfPage: the numbers of recorded commands and of malformed files in compatibility.md are
// those of the tests.
func TestCountsOfPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "compatibility.md"))
	if err != nil {
		t.Fatal(err)
	}
	cases := malformedCases(t)
	counts := []string{fmt.Sprintf("| %d malformed files in %d commands |", countFiles(cases), len(cases))}
	if folder, err := testenv.Find(t, "golden", "libsvm-3.37"); err == nil {
		steps, seen := 0, []string{}
		for _, c := range slices.Concat(ownGoldens(t), loadGoldens(t, folder, filepath.Join(folder, "INDEX.tsv"))) {
			if !slices.Contains(seen, c.name) {
				seen, steps = append(seen, c.name), steps+len(c.steps)
			}
		}
		counts = append(counts, fmt.Sprintf("| %d recorded commands of LIBSVM 3.37,", steps))
	}
	for _, count := range counts {
		if !strings.Contains(string(text), count) {
			t.Errorf("compatibility.md lacks %q", count)
		}
	}
}
