package compat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/slimsvm/slimsvm"

// layers is the picture in ARCHITECTURE.md as a table: a package may import what
// its row names and what those packages may import. A row ending in /* stands
// for all packages of that folder. What the table does not name fails the test,
// and so does a row without a package.
var layers = map[string][]string{
	// ground
	"internal/ended":       {},
	"format/textscan":      {"format/vec/pages", "format/vec/processor", "format/vec/simd"},
	"format/labels":        {},
	"format/vec/simd":      {},
	"format/vec/pages":     {},
	"format/vec/processor": {},
	"format/vec":           {"format/vec/pages", "format/vec/simd"},

	// nouns
	"format":        {"format/textscan", "format/vec", "internal/ended"},
	"models/kernel": {"format/vec"},
	"models":        {"format/textscan", "models/kernel"},

	// use
	"predict":                  {"internal/ended", "models", "predict/internal/combine", "predict/internal/pairs"},
	"predict/columns":          {"predict/internal/combine"},
	"predict/internal/combine": {"format/vec/simd"},
	"predict/internal/pairs":   {"format/vec/simd"},

	// schemes
	"train":                   {"format", "predict", "train/internal/outbox", "train/internal/team"},
	"train/internal/outbox":   {},
	"train/internal/cholesky": {"train/internal/rank", "train/internal/team"},
	"train/internal/dcd":      {"internal/ended"},
	"train/internal/de":       {"internal/ended"},
	"train/internal/linear":   {"internal/ended", "predict/columns"},
	"train/internal/lp":       {"predict/columns", "train/internal/team"},
	"train/internal/onenorm":  {"models/kernel", "train/internal/lp", "train/internal/team"},
	"train/internal/preimage": {"models/kernel", "predict/columns", "train/internal/de", "train/internal/lbfgs", "train/internal/linear", "train/internal/span", "train/internal/team"},
	"train/internal/newton":   {"train/internal/cholesky"},
	"train/internal/rank":     {"format/vec/simd"},
	"train/internal/scan":     {"format/vec/simd"},
	"train/internal/team":     {"format/vec/processor", "internal/ended"},
	"train/internal/kmeans":   {"format/vec", "predict/columns", "train/internal/team"},
	"train/internal/lbfgs":    {"predict/columns", "train/internal/team"},
	"train/internal/span":     {"format/vec", "predict/columns", "train/internal/team"},

	// plug-ins; of siblings only train/smo may be imported
	"libsvmfmt":        {"format"},
	"format/scale":     {"format"},
	"format/encode":    {"format", "format/labels"},
	"format/csvfmt":    {"format", "format/labels"},
	"arff":             {"format", "format/labels"},
	"format/generate":  {"format"},
	"train/smo":        {"train", "train/internal/scan"},
	"train/mkc":        {"train", "train/internal/onenorm"},
	"train/cs":         {"train", "predict/columns", "train/internal/cholesky", "train/internal/onenorm", "train/internal/outbox", "train/internal/preimage", "train/internal/rank", "train/internal/team"},
	"train/psvm":       {"train", "train/internal/dcd", "train/internal/team"},
	"train/reducedset": {"train", "train/internal/kmeans", "train/internal/linear", "train/internal/preimage", "train/internal/team"},
	"train/joint":      {"train", "predict/columns", "train/internal/kmeans", "train/internal/lbfgs", "train/internal/outbox", "train/internal/span", "train/internal/team"},

	"train/rsvm": {"predict", "predict/columns", "train", "train/internal/kmeans", "train/internal/newton", "train/internal/rank", "train/internal/team"},

	// exporters
	"models/csource":       {"models/internal/plan"},
	"models/javasource":    {"models/internal/plan"},
	"models/pysource":      {"models/internal/plan"},
	"models/internal/plan": {"format/encode", "format/scale", "models"},

	// conformance suites, on generated data
	"format/formattest":        {"format/generate"},
	"models/internal/plantest": {"models/internal/plan", "predict"},
	"train/traintest":          {"train", "format/generate"},
	"cmd/internal/commandtest": {},
	"internal/testenv":         {},
	"format/vec/simd/simdtest": {"format/vec/simd"},

	// glue
	"cmd/internal/argv":              {"format/textscan"},
	"cmd/internal/launch/timerslack": {},
	"cmd/internal/catalog":           {"train/cs", "train/joint", "train/mkc", "train/psvm", "train/reducedset", "train/rsvm", "train/smo"},
	"cmd/internal/datafile":          {"cmd/internal/formats", "format/encode", "models"},
	"cmd/internal/formats":           {"libsvmfmt", "arff", "format/csvfmt"},
	"cmd/internal/overflow":          {"predict"},
	"cmd/internal/launch":            {"cmd/internal/launch/timerslack", "format"},
	"cmd/internal/picture":           {},
	"cmd/internal/rangefile":         {"format/encode", "format/scale"},
	"cmd/internal/usagetext":         {},

	// parts of the command slimsvm
	"cmd/slimsvm/internal/chart":     {"cmd/internal/picture", "cmd/slimsvm/internal/phrase", "cmd/slimsvm/internal/tally", "format/encode", "train"},
	"cmd/slimsvm/internal/facts":     {"arff", "cmd/slimsvm/internal/jsonline", "cmd/slimsvm/internal/phrase", "cmd/slimsvm/internal/tally"},
	"cmd/slimsvm/internal/flags":     {"format/textscan"},
	"cmd/slimsvm/internal/jsonline":  {},
	"cmd/slimsvm/internal/manual":    {"cmd/slimsvm/internal/phrase"},
	"cmd/slimsvm/internal/partition": {"cmd/slimsvm/internal/phrase", "train"},
	"cmd/slimsvm/internal/phrase":    {"format"},
	"cmd/slimsvm/internal/probe":     {"format", "predict"},
	"cmd/slimsvm/internal/progress":  {"cmd/slimsvm/internal/phrase"},
	"cmd/slimsvm/internal/scaling":   {"cmd/slimsvm/internal/phrase", "format/scale"},
	"cmd/slimsvm/internal/suggest":   {"format"},
	"cmd/slimsvm/internal/tally":     {"cmd/slimsvm/internal/jsonline", "cmd/slimsvm/internal/phrase", "predict"},

	// commands
	"cmd/svm-train":          {"cmd/internal/argv", "cmd/internal/datafile", "cmd/internal/launch", "cmd/internal/usagetext", "train/smo"},
	"cmd/svm-predict":        {"cmd/internal/argv", "cmd/internal/datafile", "cmd/internal/launch", "cmd/internal/overflow", "cmd/internal/usagetext"},
	"cmd/svm-scale":          {"cmd/internal/argv", "cmd/internal/datafile", "cmd/internal/launch", "cmd/internal/rangefile", "cmd/internal/usagetext"},
	"cmd/slimsvm":            {"cmd/internal/catalog", "cmd/internal/datafile", "cmd/internal/launch", "cmd/internal/overflow", "cmd/internal/picture", "cmd/internal/rangefile", "cmd/internal/usagetext", "cmd/slimsvm/internal/chart", "cmd/slimsvm/internal/facts", "cmd/slimsvm/internal/flags", "cmd/slimsvm/internal/jsonline", "cmd/slimsvm/internal/manual", "cmd/slimsvm/internal/partition", "cmd/slimsvm/internal/phrase", "cmd/slimsvm/internal/probe", "cmd/slimsvm/internal/progress", "cmd/slimsvm/internal/scaling", "cmd/slimsvm/internal/suggest", "cmd/slimsvm/internal/tally", "format/generate", "models/csource", "models/javasource", "models/pysource", "train/reducedset", "train/rsvm", "train/smo"},
	"cmd/slimsvm-bench":      {"cmd/internal/launch", "cmd/slimsvm-bench/cost", "format/generate", "libsvmfmt"},
	"cmd/slimsvm-bench/cost": {},
	"cmd/papertables":        {"cmd/internal/launch", "format/generate", "libsvmfmt", "train/cs", "train/joint", "train/mkc", "train/psvm", "train/reducedset", "train/rsvm", "train/smo"},

	// for readers and tests
	"":            {}, // which package has what
	"examples":    {},
	"examples/*":  {"libsvmfmt", "format/scale", "format/generate", "train/smo"},
	"compat_test": {"arff", "cmd/slimsvm-bench/cost", "format/csvfmt", "libsvmfmt", "predict"},
}

// forTests are the packages that the tests of every package may import besides.
var forTests = []string{"cmd/internal/commandtest", "format/formattest", "format/generate", "format/vec/simd/simdtest", "internal/testenv", "train/traintest"}

// testsOf are packages and modules that the tests of one package may import besides.
var testsOf = map[string][]string{
	"format":             {"arff", "format/csvfmt", "libsvmfmt"},                                                // examples
	"format/encode":      {"arff", "format/csvfmt", "models", "models/kernel", "predict", "train", "train/smo"}, // examples
	"format/scale":       {"libsvmfmt"},
	"models":             {"arff", "format", "format/encode", "train", "train/smo"},
	"models/kernel":      {"format", "models", "predict", "train", "train/smo"}, // examples
	"models/csource":     {"arff", "models/internal/plantest", "predict"},
	"models/javasource":  {"models/internal/plantest"},
	"models/pysource":    {"models/internal/plantest"},
	"predict":            {"arff", "format/encode", "libsvmfmt"}, // examples
	"train":              {"train/smo"},                          // examples
	"train/internal/dcd": {"format/vec", "models/kernel", "train", "train/smo"},
	"train/internal/lp":  {"models/kernel"}, // its exp is the same on all processors
	"train/reducedset":   {"gonum.org/v1/gonum", "train/smo"},
	"train/rsvm":         {"gonum.org/v1/gonum"},

	"cmd/slimsvm":                {"golang.org/x/sys"}, // pseudo terminals
	"cmd/slimsvm/internal/chart": {"train/smo"},
}

// thirdParty names the packages that may import a module which is not ours.
var thirdParty = map[string][]string{
	"github.com/google/renameio/v2":   {"format"},
	"github.com/rogpeppe/go-internal": {"cmd/internal/commandtest"},
	"github.com/klauspost/compress":   {"format"},
	"github.com/ulikunitz/xz":         {"format"},
	"golang.org/x/image":              {"cmd/internal/picture"},
	"golang.org/x/sys":                {"cmd/slimsvm/internal/progress", "format/vec/pages", "format/vec/processor", "format/vec/simd"},
	"github.com/urfave/cli/v2":        {"cmd/slimsvm", "cmd/slimsvm/internal/flags", "cmd/slimsvm/internal/manual"},
	"github.com/vbauerster/mpb/v8":    {"cmd/slimsvm/internal/progress"},
}

// thirdPartyForTests are modules that only tests may import.
var thirdPartyForTests = []string{
	"github.com/google/go-cmp",
	"github.com/klauspost/compress",
	"github.com/rogpeppe/go-internal",
	"pgregory.net/rapid",
}

// An importer is a package with what it imports, by full import path; under
// every combination of build constraints.
type importer struct {
	path                 string // relative to the module, "" for its root
	imports, testImports []string
}

func TestLayers(t *testing.T) {
	packages := listPackages(t)
	if len(packages) == 0 {
		t.Fatal("no packages")
	}
	for _, fault := range layerFaults(layers, packages) {
		t.Error(fault)
	}
}

// layerFaults returns what in the imports, or in the table, is against the rules.
func layerFaults(table map[string][]string, packages []importer) []string {
	var faults []string
	used := map[string]bool{}
	for _, p := range packages {
		row := p.path
		if _, ok := table[row]; !ok {
			row = p.path[:strings.LastIndexByte(p.path, '/')+1] + "*"
		}
		if _, ok := table[row]; !ok {
			faults = append(faults, fmt.Sprintf("package %q is not in the table", p.path))
			continue
		}
		used[row] = true
		may := reach(table, row)
		for _, i := range p.imports {
			if fault := importFault(p.path, i, may, thirdParty, nil); fault != "" {
				faults = append(faults, fault)
			}
		}
		for _, tested := range slices.Concat(forTests, testsOf[p.path], []string{p.path}) {
			may[tested] = true
		}
		for _, i := range p.testImports {
			if fault := importFault(p.path, i, may, thirdParty, slices.Concat(thirdPartyForTests, testsOf[p.path])); fault != "" {
				faults = append(faults, "test: "+fault)
			}
		}
	}
	for _, row := range slices.Sorted(maps.Keys(table)) {
		if !used[row] {
			faults = append(faults, fmt.Sprintf("table: there is no package %q", row))
		}
		if reach(table, row)[row] {
			faults = append(faults, fmt.Sprintf("table: %q may import itself", row))
		}
		for _, below := range table[row] {
			if _, ok := table[below]; !ok {
				faults = append(faults, fmt.Sprintf("table: %q names %q, which has no row", row, below))
			}
		}
	}
	return faults
}

// reach returns the packages that a row's packages may import.
func reach(table map[string][]string, row string) map[string]bool {
	may := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		for _, below := range table[p] {
			if !may[below] {
				may[below] = true
				visit(below)
			}
		}
	}
	visit(row)
	return may
}

// importFault returns what is wrong with an import, "" for nothing.
func importFault(from, path string, may map[string]bool, modules map[string][]string, more []string) string {
	first, _, _ := strings.Cut(path, "/")
	switch ours, inside := strings.CutPrefix(path+"/", module+"/"); {
	case inside && may[strings.TrimSuffix(ours, "/")]:
		return ""
	case inside:
		return fmt.Sprintf("%q must not import %q", from, strings.TrimSuffix(ours, "/"))
	case path == "C":
		return fmt.Sprintf("%q imports C: the project is pure Go", from)
	case !strings.Contains(first, "."):
		return "" // standard library
	}
	within := func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }
	for m, users := range modules {
		if within(m) && slices.Contains(users, from) {
			return ""
		}
	}
	if slices.ContainsFunc(more, within) {
		return ""
	}
	return fmt.Sprintf("%q must not import %q: not among the modules it may use", from, path)
}

// listPackages returns the packages of the module with the imports of all files,
// whatever their build constraints.
func listPackages(t *testing.T) []importer {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	var packages []importer
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Dir string }
		if err := d.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		of := importer{path: strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")}
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			to := &of.imports
			if strings.HasSuffix(name, "_test.go") {
				to = &of.testImports
			}
			for _, i := range f.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(*to, path) {
					*to = append(*to, path)
				}
			}
		}
		packages = append(packages, of)
	}
}

// Every kind of forbidden import must be found in a made-up graph.
func TestLayerFaults(t *testing.T) {
	table := map[string][]string{
		"ground": {}, "noun": {"ground"}, "plug": {"noun"}, "sibling": {"noun"}, "examples/*": {"plug"},
	}
	sound := func() []importer {
		return []importer{
			{path: "ground", imports: []string{"strings", "internal/cpu"}},
			{path: "noun", imports: []string{"io", module + "/ground"}},
			{path: "plug", imports: []string{module + "/noun", module + "/ground"}, testImports: []string{module + "/plug", "pgregory.net/rapid", module + "/format/generate"}},
			{path: "sibling"},
			{path: "examples/first", imports: []string{module + "/plug"}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(g []importer) []importer
		fault  string
	}{
		{"sound", func(g []importer) []importer { return g }, ""},
		{"upwards", func(g []importer) []importer { g[0].imports = append(g[0].imports, module+"/noun"); return g }, `"ground" must not import "noun"`},
		{"sideways", func(g []importer) []importer { g[2].imports = append(g[2].imports, module+"/sibling"); return g }, `"plug" must not import "sibling"`},
		{"downwards by a row with *", func(g []importer) []importer { g[4].imports = append(g[4].imports, module+"/sibling"); return g }, `"examples/first" must not import "sibling"`},
		{"the module itself", func(g []importer) []importer { g[0].imports = append(g[0].imports, module); return g }, `"ground" must not import ""`},
		{"a test", func(g []importer) []importer {
			g[2].testImports = append(g[2].testImports, module+"/sibling")
			return g
		}, `test: "plug" must not import "sibling"`},
		{"a test's package outside tests", func(g []importer) []importer {
			g[2].imports = append(g[2].imports, module+"/format/generate")
			return g
		}, `"plug" must not import "format/generate"`},
		{"new package", func(g []importer) []importer { return append(g, importer{path: "new"}) }, `package "new" is not in the table`},
		{"new folder", func(g []importer) []importer { return append(g, importer{path: "plug/new"}) }, `package "plug/new" is not in the table`},
		{"package gone", func(g []importer) []importer { return g[:4] }, `table: there is no package "examples/*"`},
		{"foreign module", func(g []importer) []importer { g[0].imports = append(g[0].imports, "example.org/x/y"); return g }, `must not import "example.org/x/y"`},
		{"module of another package", func(g []importer) []importer {
			g[0].imports = append(g[0].imports, "github.com/google/renameio/v2")
			return g
		}, `must not import "github.com/google/renameio/v2"`},
		{"module for tests", func(g []importer) []importer { g[0].imports = append(g[0].imports, "pgregory.net/rapid"); return g }, `must not import "pgregory.net/rapid"`},
		{"cgo", func(g []importer) []importer { g[0].imports = append(g[0].imports, "C"); return g }, `imports C`},
	} {
		faults := layerFaults(table, c.change(sound()))
		if c.fault == "" {
			if len(faults) > 0 {
				t.Errorf("%s: %q", c.name, faults)
			}
			continue
		}
		if len(faults) != 1 || !strings.Contains(faults[0], c.fault) {
			t.Errorf("%s: %q, want %q", c.name, faults, c.fault)
		}
	}
	faults := strings.Join(layerFaults(map[string][]string{"a": {"b"}, "b": {"a", "c"}}, []importer{{path: "a"}, {path: "b"}}), "\n")
	for _, want := range []string{`table: "a" may import itself`, `table: "b" may import itself`, `table: "b" names "c", which has no row`} {
		if !strings.Contains(faults, want) {
			t.Errorf("%q not in %q", want, faults)
		}
	}
}
