package main

import (
	"bytes"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/cmd/internal/usagetext"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// pages returns the manual of the command as it is.
func pages(t testing.TB) []manual.Page {
	t.Helper()
	p := book.Pages(newApp(&env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}))
	if len(p) < 10 {
		t.Fatalf("%d pages", len(p))
	}
	return p
}

// TestManualIsComplete: every option that --help of a command lists is on its page,
// with the same words, and every command has one.
func TestManualIsComplete(t *testing.T) {
	all := pages(t)
	for _, p := range all {
		_, help, _ := slimsvm(t, strings.TrimSpace(p.Command+" --help"))
		if !strings.Contains(strings.Join(strings.Fields(help), " "), p.Summary) {
			t.Errorf("%s: help\n%s\nlacks %q", p.Name(), help, p.Summary)
		}
		for line := range strings.SplitSeq(help, "\n") {
			if n := utf8.RuneCountInString(line); n > manual.Width && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d characters: %s", p.Name(), n, line)
			}
		}
		_, text, _ := strings.Cut(help, "OPTIONS:")
		listed := 0
		for line := range strings.SplitSeq(text, "\n") {
			if names := strings.TrimPrefix(line, "   "); strings.HasPrefix(names, "-") {
				listed++
				if !slices.ContainsFunc(p.Options, func(o manual.Option) bool { return names == o.Names }) {
					t.Errorf("%s: no option of the page is %q", p.Name(), names)
				}
			}
		}
		if listed != len(p.Options) {
			t.Errorf("%s: %d options on the page, %d in --help", p.Name(), len(p.Options), listed)
		}
		if p.Command == "" {
			continue
		}
		_, troff, _ := slimsvm(t, "man "+p.Command)
		_, markdown, _ := slimsvm(t, "man --markdown "+p.Command)
		for _, o := range p.Options {
			for _, name := range o.Dashed() {
				if !strings.Contains(markdown, name) || !strings.Contains(troff, strings.ReplaceAll(name, "-", `\-`)) {
					t.Errorf("%s: the page lacks %s", p.Name(), name)
				}
			}
		}
	}
	_, whole, _ := slimsvm(t, "man")
	_, markdown, _ := slimsvm(t, "man --markdown")
	for _, p := range all[1:] {
		if !strings.Contains(whole, ".B "+p.Command+"\n") || !strings.Contains(markdown, "\n## slimsvm "+p.Command+"\n") {
			t.Errorf("the manual lacks the command %s", p.Command)
		}
	}
}

// TestHelpOrder: a command's own options come first in its help, those that it shares with others behind them.
func TestHelpOrder(t *testing.T) {
	for line, options := range map[string][]string{
		"train --help":                {"--method", "--scale", "--class", "--sharpness", "--json"},
		"cv --help":                   {"--folds", "--method", "--scale", "--group-column", "--sharpness", "--json"},
		"grid --help":                 {"--log2c", "--method", "--scale", "--group-column", "--sharpness", "--json"},
		"reduce --help":               {"--vectors", "--method", "--class", "--json"},
		"train --method joint --help": {"--kernel", "--cost", "--vectors", "--seed"},
	} {
		_, help, _ := slimsvm(t, line)
		for i, last := 0, -1; i < len(options); i++ {
			at := strings.Index(help, "\n   "+options[i]+" ")
			if at < 0 {
				at = strings.Index(help, "\n   "+options[i]+"\n")
			}
			if at <= last {
				t.Errorf("%s: %s is not behind the other options", line, options[i])
			}
			last = at
		}
	}
}

func TestManErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"man bake", `no command "bake"`},
		{"man train cv", "man takes at most the name of a command, found 2 arguments"},
		{"completion", "completion takes the name of a shell (bash, zsh, fish), found 0 arguments"},
		{"completion csh", `no completion for "csh": there are bash, zsh, fish`},
	} {
		status, stdout, stderr := slimsvm(t, c.line)
		if status != statusUsage || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("slimsvm %s: status %d, %q, %q; want %q", c.line, status, stdout, stderr, c.want)
		}
	}
}

// TestGroff has groff format all pages without a complaint.
func TestGroff(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		testenv.SkipMissing(t, "needs groff", err)
	}
	all := manualPages(newApp(&env{stdout: io.Discard, stderr: io.Discard}))
	for _, p := range all {
		var b bytes.Buffer
		p.troff(&b)
		c := exec.Command("groff", "-man", "-ww", "-z")
		c.Stdin = &b
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", p.name, err, out)
		}
	}
}

// TestUsagePages: the pages of LIBSVM's commands have all that the usage texts have.
func TestUsagePages(t *testing.T) {
	for _, c := range []struct {
		command, text string
		options       string // as the command takes them
	}{
		{"svm-train", usagetext.Train, "s t d g r c n p m e h b w v q"},
		{"svm-predict", usagetext.Predict, "b q"},
		{"svm-scale", usagetext.Scale, "l u y s r"},
	} {
		status, troff, _ := slimsvm(t, "man "+c.command)
		if status != 0 {
			t.Fatalf("%s: status %d", c.command, status)
		}
		_, markdown, _ := slimsvm(t, "man --markdown "+c.command)
		if !strings.Contains(markdown, c.text) {
			t.Errorf("%s: the usage text is not in\n%s", c.command, markdown)
		}
		for letter := range strings.FieldsSeq(c.options) {
			if !strings.Contains(troff, "\n.TP\n.B \\-"+letter) {
				t.Errorf("%s: the page lacks -%s:\n%s", c.command, letter, troff)
			}
		}
		said := strings.NewReplacer(`\-`, "-", `\&`, "", `\e`, `\`, ";", "").Replace(troff)
		for word := range strings.FieldsSeq(c.text) {
			if !strings.Contains(said, strings.ReplaceAll(word, ";", "")) && word != "usage:" && word != "Usage:" && word != c.command+":" {
				t.Errorf("%s: the page lacks %q", c.command, word)
			}
		}
	}
}

// TestOptionsOfPages: the commands and options that a page names outside of docs/commands, which no
// transcript runs, are there.
func TestOptionsOfPages(t *testing.T) {
	options := map[string][]string{}
	for _, p := range pages(t) {
		for _, o := range p.Options {
			options[p.Command] = append(options[p.Command], o.Dashed()...)
		}
	}
	for page, least := range map[string]int{"scikit-learn": 20, "weka": 40, "libsvm": 10} {
		named := 0
		for line := range strings.SplitSeq(readPage(t, "../../docs/"+page+".md"), "\n") {
			_, cell, row := strings.Cut(line, "` | ")
			command := ""
			for i, code := range strings.Split(cell, "`") {
				if i%2 == 0 || !row {
					continue
				}
				words := strings.Fields(code)
				if options[words[0]] != nil {
					command = words[0]
				} else if command == "" { // the table's heading names it
					command = "train"
				}
				for _, word := range words {
					if strings.HasPrefix(word, "-") {
						named++
						if option, _, _ := strings.Cut(word, "="); !slices.Contains(options[command], option) {
							t.Errorf("%q: %q has no option %s", line, command, option)
						}
					}
				}
			}
		}
		if named < least {
			t.Errorf("%s: %d options", page, named)
		}
	}
}
