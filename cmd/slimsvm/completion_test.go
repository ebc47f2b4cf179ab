package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// script returns the completion for a shell.
func script(t testing.TB, shell string, pages []page) string {
	t.Helper()
	var b strings.Builder
	completion(shell)(&b, pages)
	return b.String()
}

// TestCompletionMentions: the scripts have every command and all its options.
func TestCompletionMentions(t *testing.T) {
	all := pages(t)
	for _, shell := range shells {
		status, text, stderr := slimsvm(t, "completion "+shell)
		if status != 0 || text != script(t, shell, all) {
			t.Fatalf("status %d, %s, %s", status, text, stderr)
		}
		for _, p := range all[1:] {
			mentions(t, shell, text, p)
		}
	}
}

type failer interface {
	Errorf(format string, args ...any)
}

// mentions looks for the options of a command in the part of a script that is about
// it.
func mentions(t failer, shell, text string, p page) {
	var part string
	switch shell {
	case "bash":
		_, part, _ = strings.Cut(text, "\n        '"+p.command+"')\n")
		part, _, _ = strings.Cut(part, ";;")
	case "zsh":
		_, part, _ = strings.Cut(text, "\n        "+p.command+")\n")
		part, _, _ = strings.Cut(part, ";;\n")
	case "fish":
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, "__slimsvm_command "+p.command+"'") {
				part += line + "\n"
			}
		}
	}
	for _, o := range p.options {
		for _, name := range o.dashed() {
			want := name
			if long, ok := strings.CutPrefix(name, "--"); shell == "fish" && ok {
				want = " -l " + long + " "
			} else if shell == "fish" {
				want = " -s " + name[1:] + " "
			} else if shell == "zsh" {
				want = "'" + name
				if o.repeats() {
					want = "'*" + name
				}
			}
			if !strings.Contains(part, want) {
				t.Errorf("%s: completion of %s lacks %s:\n%s", shell, p.command, name, part)
			}
		}
	}
}

// TestCompletionOfAnything: whatever names and texts are, the scripts stay scripts
// with all options.
func TestCompletionOfAnything(t *testing.T) {
	folder, n := t.TempDir(), 0
	_, err := exec.LookPath("bash")
	if err != nil {
		t.Log("the scripts are not read by bash: ", err)
	}
	rapid.Check(t, func(r *rapid.T) {
		all := manual(drawApp(r))
		for _, shell := range shells {
			text := script(t, shell, all)
			for _, p := range all[1:] {
				mentions(r, shell, text, p)
			}
			if shell == "bash" && err == nil && n < 20 {
				n++
				checkSyntax(r, folder, shell, text)
			}
		}
	})
}

// checkSyntax has a shell read a script without running it.
func checkSyntax(t interface {
	Fatalf(format string, args ...any)
}, folder, shell, text string) {
	path := filepath.Join(folder, "completion."+shell)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatalf("%v", err)
	}
	if out, err := exec.Command(shell, "-n", path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%s: %v\n%s\n%s", shell, err, out, text)
	}
}

// TestCompletionInShells asks the shells that are installed what they complete.
func TestCompletionInShells(t *testing.T) {
	all := pages(t)
	for _, shell := range shells {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				testenv.Absent(t, "there is no shell to ask", err)
			}
			folder := t.TempDir()
			checkSyntax(t, folder, shell, script(t, shell, all))
			if shell == "zsh" {
				return // completes on a terminal only
			}
			a := asker{shell, filepath.Join(folder, "completion."+shell), folder}
			var commands []string
			for _, c := range all[0].commands {
				commands = append(commands, c.name)
			}
			a.want(t, "", commands)
			a.want(t, "tr", []string{"train"})
			for _, p := range all[1:] {
				long := slices.DeleteFunc(dashedNames(p.options), func(name string) bool { return len(name) == 2 })
				a.want(t, p.command+" --", long)
				for _, o := range p.options {
					if values := valuesOf(p.command, o); values != nil {
						a.want(t, p.command+" --"+o.name+" ", values)
					}
				}
				if words := argumentsOf(p, all); words != nil {
					a.want(t, p.command+" ", words)
				}
			}
			a.want(t, "train data --kernel po", []string{"poly"})
			a.want(t, "train --out x --kernel po", []string{"poly"})
			a.want(t, "split all train check --cl", []string{"--class"}) // files may have the names of commands
		})
	}
}

// asker asks a shell for completions, in a folder with one file.
type asker struct{ shell, script, folder string }

// want compares what the shell offers at the end of "slimsvm line".
func (a asker) want(t *testing.T, line string, want []string) {
	t.Helper()
	var program string
	switch a.shell {
	case "bash":
		words := strings.Split("slimsvm "+line, " ")
		program = fmt.Sprintf("source '%s'\nCOMP_WORDS=(", a.script)
		for _, w := range words {
			program += " " + quote(w)
		}
		program += fmt.Sprintf(")\nCOMP_CWORD=%d\n_slimsvm\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n", len(words)-1)
	case "fish":
		program = fmt.Sprintf("source %s\ncomplete -C %s", fishQuote(a.script), fishQuote("slimsvm "+line))
	}
	c := exec.Command(a.shell, "-c", program)
	c.Dir = a.folder
	c.Env = append(os.Environ(), "HOME="+a.folder)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%s: %v, %s", a.shell, err, stderr.String())
	}
	var got []string
	for offered := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n"), "\n") {
		word, _, _ := strings.Cut(offered, "\t")
		got = append(got, word)
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s completes %q with\n%q, want\n%q", a.shell, "slimsvm "+line, got, want)
	}
}

// methodsWith returns the options for all methods that bring the option of that name, ""
// for those of all methods.
func methodsWith(name string) (with []string) {
	for i := range catalog.Methods {
		for _, o := range catalog.Methods[i].Options {
			if o.Name == name {
				with = append(with, " --method "+catalog.Methods[i].Name)
			}
		}
	}
	if with == nil {
		return []string{""}
	}
	return with
}

// TestValues: the words that completion offers for an option are accepted, and
// freeText are options whose text has a form, but is not one of certain words.
var freeText = []string{weightsTo, "out", "separator", "quote", "features", "stages", "stage-costs", "shift", "log2c", "log2g", "log2p", "name", "size", "roc"}

// options that accept certain words only have them offered.
func TestValues(t *testing.T) {
	offered := 0
	for _, p := range pages(t)[1:] {
		files := map[bool]string{true: " --c"}[p.command == "export"] // it has to be told a format
		for word := range strings.FieldsSeq(p.arguments) {
			switch strings.Trim(word, "[].") {
			case "DATA", "IN", "FILE":
				files += " a.arff"
			case "MODEL":
				files += " m"
			case "FIRST", "REST": // which --labels is for
				files += " " + strings.ToLower(strings.Trim(word, "[]")) + ".libsvm"
			case "NAME":
				files += " ndc"
			case "OUT":
				files += map[bool]string{true: " m.libsvm", false: " m.arff"}[p.command == "convert" || p.command == "encode"]
			}
		}
		for _, o := range p.options {
			if _, text := o.flag.(*cli.StringFlag); !text || p.command == "grid" && !slices.Contains([]string{"score", "log2c", "log2g", "log2p", "plot", "out", "format"}, o.name) {
				continue // the others of grid are train's
			}
			methods := methodsWith(o.name)
			if o.name == "score" { // of one point; some are of regressions
				methods = []string{" --cost 1 --log2g 0,0,1", " --cost 1 --log2g 0,0,1 --method " + forNumbers}
			}
			goesWith := map[bool]string{true: " --out o"}[o.name == "format" && p.command != "predict"]
			if p.command == "grid" && goesWith != "" {
				goesWith += " --cost 1 --log2g 0,0,1"
			}
			try := func(method, value string) (status int, stderr string) {
				status, _, stderr = slimsvm(t, fmt.Sprintf("%s%s --%s %s%s%s", p.command, method, o.name, value, goesWith, files))
				return status, stderr
			}
			values := valuesOf(p.command, o)
			takes := make([]bool, len(methods)) // one of them
			for _, v := range values {
				offered++
				taken, said := false, ""
				for i, method := range methods {
					// scale writes no format of another kind, which is not the word's fault
					status, stderr := try(method, v)
					if status != statusUsage || strings.Contains(stderr, "slimsvm convert") {
						taken, takes[i] = true, true
						break
					}
					said += stderr
				}
				if !taken {
					t.Errorf("%s --%s %s: %s", p.command, o.name, v, said)
				}
			}
			for i, method := range methods {
				if values != nil && !takes[i] && !slices.ContainsFunc(values, func(v string) bool { status, _ := try(method, v); return status != statusUsage }) {
					t.Errorf("%s%s --%s: none of its words is offered", p.command, method, o.name)
				}
			}
			status, stderr := try(methods[0], "no-such-value")
			if words, only := choices(p.command, o.name); only {
				tell := fmt.Sprintf("slimsvm: --%s \"no-such-value\": expected %s\n", o.name, phrase.Choice(words))
				if status != statusUsage || !strings.HasPrefix(stderr, tell) {
					t.Errorf("%s --%s no-such-value: status %d, %s, expected %s", p.command, o.name, status, stderr, tell)
				}
				word := words[len(words)-1]
				if _, stderr := try(methods[0], word[:1]+word); len(word) > 2 && !strings.Contains(stderr, "\nhint: did you mean "+word) {
					t.Errorf("%s --%s %s: %s", p.command, o.name, word[:1]+word, stderr)
				}
			}
			if status == 0 && values != nil {
				t.Errorf("%s --%s no-such-value is accepted", p.command, o.name)
			}
			if status == statusUsage && values == nil && !slices.Contains(freeText, o.name) {
				t.Errorf("%s --%s: no words are offered, but certain ones expected: %s", p.command, o.name, stderr)
			}
		}
	}
	if offered < 50 {
		t.Errorf("%d values", offered)
	}
}
