package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

var update = flag.Bool("update", false, "write the transcripts and the manual in docs again")

const (
	pageFolder   = "../../docs/commands"
	manualFolder = "../../docs/man"
)

// dropIns are the commands beside slimsvm that have a page.
var dropIns = []string{"svm-train", "svm-predict", "svm-scale"}

// otherPages have no transcript.
var otherPages = []string{"README.md", "reference.md"}

// TestTranscript replays the console blocks of all pages in docs/commands. The
// lines behind "$ " are commands, with the lines of a here-document or behind a
// line that ends with a backslash; what follows is all that they print, standard
// output and standard error together. All blocks of a page are one session of sh,
// which begins in an empty folder. Numbers of seconds may differ.
func TestTranscript(t *testing.T) {
	// what the pages use beside our commands
	for _, tool := range []string{"cat", "cmp", "cut", "grep", "gzip", "head", "iconv", "sed", "sh", "tail"} {
		if _, err := exec.LookPath(tool); err != nil {
			testenv.SkipMissing(t, "the pages are not replayed", err)
		}
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := testenv.Build(bin, "./cmd/slimsvm", "./cmd/svm-train", "./cmd/svm-predict", "./cmd/svm-scale"); err != nil {
		t.Fatal(err)
	}
	for _, name := range pageNames(t) {
		t.Run(strings.TrimSuffix(name, ".md"), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(pageFolder, name)
			text := readPage(t, path)
			page, err := parseTranscript(text)
			if err != nil {
				t.Fatalf("%s:%v", path, err)
			}
			outputs := replay(t, shell, bin, page)
			for i := range page {
				c := &page[i]
				if got := outputs[i]; mask(got) == mask(c.output) {
					continue
				} else if !*update {
					t.Errorf("%s:%d: $ %s\nprints\n%s\nthe page has\n%s\n(go test ./cmd/slimsvm -run Transcript -update writes it again)", path, c.line, c.text, got, c.output)
				}
				c.output = outputs[i]
			}
			if *update {
				if err := os.WriteFile(path, []byte(rewritten(text, page)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// pageNames returns the pages with transcripts; every command has one, and every
// page a command.
func pageNames(t *testing.T) []string {
	t.Helper()
	var want []string
	for _, c := range pages(t)[0].Commands {
		want = append(want, c.Name+".md")
	}
	for _, c := range dropIns {
		want = append(want, c+".md")
	}
	entries, err := os.ReadDir(pageFolder)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		if !slices.Contains(otherPages, e.Name()) {
			found = append(found, e.Name())
		}
	}
	for _, name := range want {
		if !slices.Contains(found, name) {
			t.Errorf("docs/commands/%s is missing: a page with a transcript of the command", name)
		}
	}
	for _, name := range found {
		if !slices.Contains(want, name) {
			t.Errorf("docs/commands/%s is of no command", name)
		}
	}
	index := readPage(t, filepath.Join(pageFolder, "README.md"))
	for _, name := range append(found, "reference.md") {
		if !strings.Contains(index, "]("+name+")") {
			t.Errorf("docs/commands/README.md does not name %s", name)
		}
	}
	return found
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An exchange is a command of a transcript and what it prints.
type exchange struct {
	text     string // for the shell
	output   string
	line     int // of the command
	from, to int // lines of the output, counted from 0
}

var hereDocument = regexp.MustCompile(`<<-?\s*['"]?(\w+)`)

// parseTranscript returns the commands of a page.
func parseTranscript(text string) ([]exchange, error) {
	lines := strings.Split(text, "\n")
	var all []exchange
	block := -1
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case block < 0 && line == "```console":
			block = i
			if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "$ ") {
				return nil, fmt.Errorf("%d: the block does not begin with a command", i+1)
			}
		case block < 0:
		case line == "```":
			block = -1
		case strings.HasPrefix(line, "$ "):
			c := exchange{text: line[2:], line: i + 1}
			end := ""
			if m := hereDocument.FindStringSubmatch(line); m != nil {
				end = m[1]
			}
			for ; end != "" || strings.HasSuffix(lines[i], `\`); i++ {
				if i+1 == len(lines) || lines[i+1] == "```" {
					return nil, fmt.Errorf("%d: the command does not end", c.line)
				}
				c.text += "\n" + lines[i+1]
				if end != "" && lines[i+1] == end {
					i++
					break
				}
			}
			c.from, c.to = i+1, i+1
			all = append(all, c)
		default:
			c := &all[len(all)-1]
			c.output += line + "\n"
			c.to = i + 1
		}
	}
	if block >= 0 {
		return nil, fmt.Errorf("%d: the block does not end", block+1)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("1: the page has no console block")
	}
	return all, nil
}

// rewritten returns the page with the outputs of the commands.
func rewritten(text string, page []exchange) string {
	lines := strings.Split(text, "\n")
	for _, c := range slices.Backward(page) {
		var output []string
		if c.output != "" {
			output = strings.Split(strings.TrimSuffix(c.output, "\n"), "\n")
		}
		lines = slices.Replace(lines, c.from, c.to, output...)
	}
	return strings.Join(lines, "\n")
}

// separator ends the output of a command.
const separator = "\x1e"

// replay runs the commands and returns what each prints.
func replay(t *testing.T, shell, bin string, page []exchange) []string {
	t.Helper()
	var script strings.Builder
	for _, c := range page {
		fmt.Fprintf(&script, "%s\nstatus=$?; printf '\\036'; (exit $status)\n", c.text)
	}
	folder := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a command that waits for input
	defer cancel()
	run := exec.CommandContext(ctx, shell, "-c", script.String())
	run.Dir = folder
	run.Env = append(os.Environ(), "HOME="+folder, "LC_ALL=C", "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var both bytes.Buffer
	run.Stdout, run.Stderr = &both, &both
	err := run.Run() // the last command's exit status is no error
	outputs := strings.Split(both.String(), separator)
	if len(outputs) != len(page)+1 || outputs[len(page)] != "" {
		t.Fatalf("%v: %d of %d commands were run; the last ones printed %q", err, len(outputs)-1, len(page), outputs[len(outputs)-1])
	}
	for i, out := range outputs {
		if out != "" && !strings.HasSuffix(out, "\n") {
			outputs[i] += "\n"
		}
	}
	return outputs[:len(page)]
}

// seconds are the numbers that differ from run to run.
var seconds = regexp.MustCompile(`\b\d+(\.\d+)? s\b|("seconds":\s?)[-+.e\d]+`)

func mask(text string) string { return seconds.ReplaceAllString(text, "${2}N s") }

func TestMask(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"objective -1, 0.01 s\n", "objective -1, 12.50 s\n", true},
		{"3 s left", "4 s left", true},
		{`{"seconds":0.001,"seed":1}`, `{"seconds":1e-05,"seed":1}`, true},
		{`{"seconds":0.001,"seed":1}`, `{"seconds":0.001,"seed":2}`, false},
		{"objective -1, 0.01 s", "objective -2, 0.01 s", false},
		{"3 sets", "4 sets", false},
		{"0.01 s", "", false},
	} {
		if same := mask(c.a) == mask(c.b); same != c.same {
			t.Errorf("%q and %q: same %v", c.a, c.b, same)
		}
	}
}

func TestParseTranscript(t *testing.T) {
	const page = "# x\n\n```console\n$ a <<EOF\n$ no\nEOF\n$ b \\\n  c\nout\n\nmore\n```\ntext\n```\n$ plain\n```\n```console\n$ d\n```\n"
	all, err := parseTranscript(page)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range all {
		got += strconv.Quote(c.text) + strconv.Quote(c.output) + strconv.Itoa(c.line) + " "
	}
	if want := `"a <<EOF\n$ no\nEOF"""4 "b \\\n  c""out\n\nmore\n"7 "d"""18 `; got != want {
		t.Errorf("commands %s, want %s", got, want)
	}
	if again := rewritten(page, all); again != page {
		t.Errorf("written again %q", again)
	}
	all[0].output, all[1].output, all[2].output = "1\n2\n", "", "3\n"
	want := "# x\n\n```console\n$ a <<EOF\n$ no\nEOF\n1\n2\n$ b \\\n  c\n```\ntext\n```\n$ plain\n```\n```console\n$ d\n3\n```\n"
	if again := rewritten(page, all); again != want {
		t.Errorf("written again %q, want %q", again, want)
	}
	for text, want := range map[string]string{
		"# x\n":                         "1: the page has no console block",
		"```\n$ x\n```\n":               "1: the page has no console block",
		"```console\nx\n```\n":          "1: the block does not begin with a command",
		"\n```console\n$ x\n":           "2: the block does not end",
		"```console\n$ x <<A\nb\n```\n": "2: the command does not end",
		"```console\n$ x \\\n```\n":     "2: the command does not end",
	} {
		if _, err := parseTranscript(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestManual compares docs/man and the reference with what slimsvm man prints.
func TestManual(t *testing.T) {
	want := map[string]string{}
	var reference strings.Builder
	for _, p := range manualPages(newApp(&env{stdout: io.Discard, stderr: io.Discard})) {
		var b strings.Builder
		p.troff(&b)
		want[filepath.Join(manualFolder, p.name+".1")] = b.String()
		p.markdown(&reference)
	}
	want[filepath.Join(pageFolder, "reference.md")] = reference.String()
	found, err := filepath.Glob(filepath.Join(manualFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if _, ok := want[path]; !ok {
			t.Errorf("%s is the page of no command", path)
		}
	}
	for path, text := range want {
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if old, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if string(old) != text {
			t.Errorf("%s differs from what slimsvm man prints: go test ./cmd/slimsvm -run Manual -update writes it again", path)
		}
	}
}
