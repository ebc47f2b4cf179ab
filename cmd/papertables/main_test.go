package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// do runs the command.
func do(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, log bytes.Buffer
	status = run(t.Context(), args, nil, &out, &log)
	return out.String(), log.String(), status
}

// Every job of every table must run on generated data. The sizes of its models are then small ones, for which tables
// need not have rows.
func TestQuick(t *testing.T) {
	out, log, status := do(t, "--quick", "--splits", "1", "--data", t.TempDir())
	if status != 0 {
		t.Fatalf("status %d\n%s", status, log)
	}
	for i := range tables {
		of := &tables[i]
		if !strings.Contains(out, "\n## "+of.title+"\n") {
			t.Errorf("no table %q", of.title)
		}
		for _, j := range of.jobs {
			ran := strings.Contains(log, of.name+"/"+j.name+", split 1: ")
			libsvm := slices.ContainsFunc(j.programs, func(p string) bool { return strings.HasPrefix(p, "svm-") }) // peers are nowhere required
			if len(j.programs) > 0 && !ran && !(libsvm && testenv.Required()) {
				t.Logf("%s/%s did not run: %s", of.name, j.name, j.programs)
				continue
			}
			if !ran {
				t.Errorf("%s/%s did not run", of.name, j.name)
			}
		}
	}
	if t.Failed() {
		t.Log(log)
	}
}

// testTables are two jobs, of which one counts its runs.
func testTables(count *int) []table {
	t := table{
		name: "test", title: "Test", source: "A paper", protocol: honest, about: "About.", corner: "size",
		rows: []string{"1", "2"}, columns: []string{"a", "b"}, splits: 3, version: 1,
		paper:   published([]string{"a"}, map[string][]float64{"1": {2.5}}),
		compare: [][2]string{{"a", "b"}},
	}
	t.job("both", nil, []string{"1"}, func(_ context.Context, b *bench, split int) (f figures, err error) {
		*count++
		f.add("1", "a", float64(split))
		f.add("1", "b", float64(2*split))
		return f, nil
	})
	t.job("gone", []*set{{name: "GONE", file: "gone/gone"}}, []string{"2"}, func(context.Context, *bench, int) (figures, error) {
		panic("runs without data")
	})
	return []table{t}
}

func TestResumes(t *testing.T) {
	count, dir := 0, t.TempDir()
	defer func(was []table) { tables = was }(tables)
	tables = testTables(&count)
	store, out := filepath.Join(dir, "results.jsonl"), filepath.Join(dir, "RESULTS.md")
	args := []string{"--data", dir, "--store", store, "--out", out}
	for _, c := range []struct {
		more []string
		runs int
		want string
	}{
		{[]string{"--splits", "1"}, 1, "| 1 | 1.0 (2.5, -1.5) | 2.0 | 1 |\n| 2 | absent | absent | 0 |\n"},
		{[]string{"--run", "gone"}, 1, "| 1 | 1.0 (2.5, -1.5) | 2.0 | 1 |\n"},
		{nil, 3, "| 1 | 2.0 ± 1.0 (2.5, -0.5) | 4.0 ± 2.0 | 3 |\n"},
		{nil, 3, "a minus b on the same splits, mean ± standard error: 1 -2.00 ± 0.58.\n"},
	} {
		if _, log, status := do(t, append(c.more, args...)...); status != 0 {
			t.Fatalf("%s: status %d\n%s", c.more, status, log)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if count != c.runs || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %d runs, want %d; no %q in\n%s", c.more, count, c.runs, c.want, text)
		}
	}

	// a line that was cut off is run again
	text, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(store, text[:len(text)-5], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, log, status := do(t, args...); status != 0 || count != 4 {
		t.Errorf("cut store: status %d, %d runs\n%s", status, count, log)
	}
	if err := os.WriteFile(store, append([]byte("{]\n"), text...), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, log, status := do(t, args...); status != 1 || !strings.Contains(log, "results.jsonl:1: ") {
		t.Errorf("malformed store: status %d: %s", status, log)
	}
	tables[0].version = 2 // what is stored is of another procedure
	if err := os.WriteFile(store, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, log, status := do(t, args...); status != 0 || count != 7 {
		t.Errorf("new version: status %d, %d runs\n%s", status, count, log)
	}
}

// TestAgain: runs that are done are done again, once; figures that have changed are reported and take the place of the others.
func TestAgain(t *testing.T) {
	count, dir := 0, t.TempDir()
	defer func(was []table) { tables = was }(tables)
	tables = testTables(&count)
	tables[0].jobs = tables[0].jobs[:1]
	store, out := filepath.Join(dir, "results.jsonl"), filepath.Join(dir, "RESULTS.md")
	args := []string{"--data", dir, "--store", store, "--out", out}
	for _, c := range []struct {
		factor      float64
		again       bool
		runs, lines int
		log         string
	}{
		{1, false, 3, 3, ""},
		{1, true, 6, 3, "\n3 runs done again, 0 have other figures\n"},
		{4, false, 6, 3, ""},
		{4, true, 9, 6, "\ntest/both, split 3: 1|a 12, 1|b 24; 0.0 s of CPU\ntest/both, split 3: it had 1|a 3, 1|b 6\n3 runs done again, 3 have other figures\n"},
		{4, true, 12, 6, "\n3 runs done again, 0 have other figures\n"},
	} {
		tables[0].jobs[0].run = func(_ context.Context, b *bench, split int) (f figures, err error) {
			count++
			f.add("1", "a", c.factor*float64(split))
			f.add("1", "b", c.factor*float64(2*split))
			return f, nil
		}
		with := args
		if c.again {
			with = append([]string{"--again"}, args...)
		}
		_, log, status := do(t, with...)
		if status != 0 || count != c.runs || !strings.HasSuffix(log, c.log) {
			t.Fatalf("%+v: status %d, %d runs\n%s", c, status, count, log)
		}
		lines, err := os.ReadFile(store)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(lines, []byte("\n")); n != c.lines {
			t.Errorf("%+v: %d lines in the store", c, n)
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if want := "| 1 | 8.0 ± 4.0 (2.5, +5.5) | 16.0 ± 8.0 | 3 |\n"; !strings.Contains(string(text), want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "papertables: wrong usage: --splits -1: expected 1 or more, or 0 for the tables' numbers\n", []string{"--splits", "-1"}},
		{2, "papertables: wrong usage: --threads 0: expected 1 or more\n", []string{"--threads", "0"}},
		{2, "papertables: wrong usage: --run \"(\": error parsing regexp: ", []string{"--run", "("}},
		{2, "papertables: wrong usage: unexpected \"cs\": there are options only\n", []string{"--quick", "cs"}},
		{2, "papertables: wrong usage: --again with --quick: such runs are not kept\n", []string{"--again", "--quick"}},
		{2, "flag provided but not defined: -split\n", []string{"--split", "1"}},
		{0, "Usage of papertables:\n", []string{"-h"}},
	} {
		if out, log, status := do(t, c.args...); status != c.status || out != "" || !strings.HasPrefix(log, c.says) {
			t.Errorf("%v: status %d, want %d; %s%s", c.args, status, c.status, out, log)
		}
	}
}
