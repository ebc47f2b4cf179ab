package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// pages returns the manual of the command as it is.
func pages(t testing.TB) []page {
	t.Helper()
	p := manual(newApp(&env{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}))
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
		_, help, _ := slimsvm(t, strings.TrimSpace(p.command+" --help"))
		if !strings.Contains(strings.Join(strings.Fields(help), " "), p.summary) {
			t.Errorf("%s: help\n%s\nlacks %q", p.name(), help, p.summary)
		}
		for line := range strings.SplitSeq(help, "\n") {
			if n := utf8.RuneCountInString(line); n > helpWidth && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d characters: %s", p.name(), n, line)
			}
		}
		_, text, _ := strings.Cut(help, "OPTIONS:")
		listed := 0
		for line := range strings.SplitSeq(text, "\n") {
			if names := strings.TrimPrefix(line, "   "); strings.HasPrefix(names, "-") {
				listed++
				if !slices.ContainsFunc(p.options, func(o option) bool { return names == o.names }) {
					t.Errorf("%s: no option of the page is %q", p.name(), names)
				}
			}
		}
		if listed != len(p.options) {
			t.Errorf("%s: %d options on the page, %d in --help", p.name(), len(p.options), listed)
		}
		if p.command == "" {
			continue
		}
		_, troff, _ := slimsvm(t, "man "+p.command)
		_, markdown, _ := slimsvm(t, "man --markdown "+p.command)
		for _, o := range p.options {
			for _, name := range o.dashed() {
				if !strings.Contains(markdown, name) || !strings.Contains(troff, escape(name)) {
					t.Errorf("%s: the page lacks %s", p.name(), name)
				}
			}
		}
	}
	_, whole, _ := slimsvm(t, "man")
	_, markdown, _ := slimsvm(t, "man --markdown")
	for _, p := range all[1:] {
		if !strings.Contains(whole, ".B "+p.command+"\n") || !strings.Contains(markdown, "\n## slimsvm "+p.command+"\n") {
			t.Errorf("the manual lacks the command %s", p.command)
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

// TestTroffOfAnything: whatever names and texts are, they are no requests of
// troff's, and every option is on the page.
func TestTroffOfAnything(t *testing.T) {
	requests := []string{".TH ", ".SH ", ".TP", ".B ", ".PP", ".nf", ".fi"}
	rapid.Check(t, func(t *rapid.T) {
		all := manual(drawApp(t))
		for i := range all {
			var b, m strings.Builder
			all[i].troff(&b, all)
			all[i].markdown(&m)
			for line := range strings.SplitSeq(b.String(), "\n") {
				if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") &&
					!slices.ContainsFunc(requests, func(r string) bool { return strings.HasPrefix(line, r) }) {
					t.Fatalf("the line %q is a request", line)
				}
			}
			for _, o := range all[i].options {
				if !strings.Contains(b.String(), "\n.B "+escape(o.names)+"\n") || !strings.Contains(m.String(), "\n| `"+cell(o.names)) {
					t.Fatalf("%s: no option %s in\n%s\n%s", all[i].name(), o.names, b.String(), m.String())
				}
			}
		}
	})
}

// drawApp draws an app with hostile texts.
func drawApp(t *rapid.T) *cli.App {
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", "x", ".TH x", "'", "it's \"$HOME\" `id` $(id)", `\fB\e`, "a\n.so /etc/passwd", "[a:b]", "a|b", "!x", "%s", "é", "-x"}),
		rapid.StringOf(rapid.RuneFrom([]rune("ab .'\"\\$`[]:|-\n%(){}*?#&;<>"))),
	)
	name := rapid.StringMatching(`[a-z][a-z0-9-]{1,8}`)
	app := &cli.App{Name: "slimsvm", Usage: text.Draw(t, "usage")}
	for _, command := range rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "commands") {
		c := &cli.Command{Name: command, Usage: text.Draw(t, "usage"), ArgsUsage: text.Draw(t, "arguments"), Description: text.Draw(t, "description")}
		for i, flag := range rapid.SliceOfNDistinct(name, 0, 4, rapid.ID[string]).Draw(t, "flags") {
			switch i % 4 {
			case 0:
				c.Flags = append(c.Flags, &cli.StringFlag{Name: flag, Usage: text.Draw(t, "usage"), DefaultText: text.Draw(t, "default")})
			case 1:
				c.Flags = append(c.Flags, &cli.BoolFlag{Name: flag, Usage: text.Draw(t, "usage"), Aliases: []string{"z"}})
			case 2:
				c.Flags = append(c.Flags, &cli.StringSliceFlag{Name: flag, Usage: text.Draw(t, "usage")})
			case 3:
				c.Flags = append(c.Flags, &cli.Float64Flag{Name: flag, Usage: text.Draw(t, "usage"), Value: 0.1})
			}
		}
		app.Commands = append(app.Commands, c)
	}
	return app
}

// TestGroff has groff format all pages without a complaint.
func TestGroff(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		testenv.Absent(t, "needs groff", err)
	}
	all := pages(t)
	for i := range all {
		var b bytes.Buffer
		all[i].troff(&b, all)
		c := exec.Command("groff", "-man", "-ww", "-z")
		c.Stdin = &b
		if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", all[i].name(), err, out)
		}
	}
}

// TestOptionsOfPages: the commands and options that a page names outside of docs/commands, which no
// transcript runs, are there.
func TestOptionsOfPages(t *testing.T) {
	options := map[string][]string{}
	for _, p := range pages(t) {
		for _, o := range p.options {
			options[p.command] = append(options[p.command], o.dashed()...)
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
