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

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// script returns the completion for a shell.
func script(shell string, pages []manual.Page) string {
	var b strings.Builder
	manual.Completion(shell)(&b, pages)
	return b.String()
}

// TestCompletionMentions: the scripts have every command and all its options.
func TestCompletionMentions(t *testing.T) {
	all := pages(t)
	for _, shell := range manual.Shells {
		status, text, stderr := slimsvm(t, "completion "+shell)
		if status != 0 || text != script(shell, all) {
			t.Fatalf("status %d, %s, %s", status, text, stderr)
		}
		for _, p := range all[1:] {
			for _, o := range p.Options {
				if long := o.Name; len(long) > 1 && !strings.Contains(text, map[bool]string{true: " -l ", false: "--"}[shell == "fish"]+long) {
					t.Errorf("%s: no option %s", shell, long)
				}
			}
		}
	}
}

// TestCompletionInShells asks the shells that are installed what they complete.
func TestCompletionInShells(t *testing.T) {
	t.Setenv("LC_ALL", "C") // bash warns of a locale that is not installed
	all := pages(t)
	for _, shell := range manual.Shells {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				testenv.SkipMissing(t, "there is no shell to ask", err)
			}
			folder := t.TempDir()
			a := asker{shell, filepath.Join(folder, "completion."+shell), folder}
			if err := os.WriteFile(a.script, []byte(script(shell, all)), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(shell, "-n", a.script).CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			var commands []string
			for _, c := range all[0].Commands {
				commands = append(commands, c.Name)
			}
			if shell == "zsh" { // completes on a terminal only
				if part := "\n        help)\n            _arguments \\\n                '*: :(" + strings.Join(commands, " ") + ")' ;;\n"; !strings.Contains(script(shell, all), part) {
					t.Errorf("the script lacks %s", part)
				}
				return
			}
			a.want(t, "", commands)
			a.want(t, "tr", []string{"train"})
			for _, p := range all[1:] {
				var long []string
				for _, o := range p.Options {
					long = append(long, slices.DeleteFunc(o.Dashed(), func(name string) bool { return len(name) == 2 })...)
				}
				a.want(t, p.Command+" --", long)
				for _, o := range p.Options {
					if o.Values != nil {
						a.want(t, p.Command+" --"+o.Name+" ", o.Values)
					}
				}
				if p.Words != nil {
					a.want(t, p.Command+" ", p.Words)
				}
			}
			a.want(t, "help ", commands)
			a.want(t, "help tr", []string{"train"})
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
		program = fmt.Sprintf("eval \"$(cat '%s')\"\nCOMP_WORDS=(", a.script) // source <(...) reads nothing in bash 3.2
		for _, w := range words {
			program += " " + phrase.Shell(w)
		}
		program += fmt.Sprintf(")\nCOMP_CWORD=%d\n_slimsvm\nprintf '%%s\\n' \"${COMPREPLY[@]}\"\n", len(words)-1)
	case "fish":
		program = fmt.Sprintf("source %s\ncomplete -C %s", phrase.Shell(a.script), phrase.Shell("slimsvm "+line))
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

// freeText are options whose text has a form, but is not one of certain words.
var freeText = []string{weightsTo, "out", "separator", "quote", "features", "stages", "stage-costs", "shift", "log2c", "log2g", "log2p", "name", "size", "roc"}

// TestValues: the words that completion offers for an option are accepted, and options that accept
// certain words only have them offered.
func TestValues(t *testing.T) {
	offered := 0
	for _, p := range pages(t)[1:] {
		files := map[bool]string{true: " --c"}[p.Command == "export"] // it has to be told a format
		for word := range strings.FieldsSeq(p.Arguments) {
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
				files += map[bool]string{true: " m.libsvm", false: " m.arff"}[p.Command == "convert" || p.Command == "encode"]
			}
		}
		for _, o := range p.Options {
			if _, text := o.Flag.(*cli.StringFlag); !text || p.Command == "grid" && !slices.Contains([]string{"score", "log2c", "log2g", "log2p", "plot", "out", "format"}, o.Name) {
				continue // the others of grid are train's
			}
			methods := methodsWith(o.Name)
			if o.Name == "score" { // of one point; some are of regressions
				methods = []string{" --cost 1 --log2g 0,0,1", " --cost 1 --log2g 0,0,1 --method " + forNumbers}
			}
			goesWith := map[bool]string{true: " --out o"}[o.Name == "format" && p.Command != "predict"]
			if p.Command == "grid" && goesWith != "" {
				goesWith += " --cost 1 --log2g 0,0,1"
			}
			try := func(method, value string) (status int, stderr string) {
				status, _, stderr = slimsvm(t, fmt.Sprintf("%s%s --%s %s%s%s", p.Command, method, o.Name, value, goesWith, files))
				return status, stderr
			}
			values := o.Values
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
					t.Errorf("%s --%s %s: %s", p.Command, o.Name, v, said)
				}
			}
			for i, method := range methods {
				if values != nil && !takes[i] && !slices.ContainsFunc(values, func(v string) bool { status, _ := try(method, v); return status != statusUsage }) {
					t.Errorf("%s%s --%s: none of its words is offered", p.Command, method, o.Name)
				}
			}
			status, stderr := try(methods[0], "no-such-value")
			if words, only := choices(p.Command, o.Name); only {
				tell := fmt.Sprintf("slimsvm: --%s \"no-such-value\": expected %s\n", o.Name, phrase.Choice(words))
				if status != statusUsage || !strings.HasPrefix(stderr, tell) {
					t.Errorf("%s --%s no-such-value: status %d, %s, expected %s", p.Command, o.Name, status, stderr, tell)
				}
				word := words[len(words)-1]
				if _, stderr := try(methods[0], word[:1]+word); len(word) > 2 && !strings.Contains(stderr, "\nhint: did you mean "+word) {
					t.Errorf("%s --%s %s: %s", p.Command, o.Name, word[:1]+word, stderr)
				}
			}
			if status == 0 && values != nil {
				t.Errorf("%s --%s no-such-value is accepted", p.Command, o.Name)
			}
			if status == statusUsage && values == nil && !slices.Contains(freeText, o.Name) {
				t.Errorf("%s --%s: no words are offered, but certain ones expected: %s", p.Command, o.Name, stderr)
			}
		}
	}
	if offered < 50 {
		t.Errorf("%d values", offered)
	}
}
