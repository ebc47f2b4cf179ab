package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// scriptOf returns the completion for a shell.
func scriptOf(t testing.TB, shell string, pages []Page) string {
	t.Helper()
	var b strings.Builder
	Completion(shell)(&b, pages)
	return b.String()
}

type failer interface {
	Errorf(format string, args ...any)
}

// mentions looks for the options of a command in the part of a script that is about
// it.
func mentions(t failer, shell, text string, p Page) {
	var part string
	switch shell {
	case "bash":
		_, part, _ = strings.Cut(text, "\n        '"+p.Command+"')\n")
		part, _, _ = strings.Cut(part, ";;")
	case "zsh":
		_, part, _ = strings.Cut(text, "\n        "+p.Command+")\n")
		part, _, _ = strings.Cut(part, ";;\n")
	case "fish":
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, "__slimsvm_command "+p.Command+"'") {
				part += line + "\n"
			}
		}
	}
	for _, o := range p.Options {
		for _, name := range o.Dashed() {
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
				t.Errorf("%s: completion of %s lacks %s:\n%s", shell, p.Command, name, part)
			}
		}
	}
}

// TestCompletionOfAnything: whatever names and texts are, the scripts stay scripts
// with all options.
func TestCompletionOfAnything(t *testing.T) {
	t.Setenv("LC_ALL", "C") // bash warns of a locale that is not installed
	folder, n := t.TempDir(), 0
	_, err := exec.LookPath("bash")
	if err != nil {
		t.Log("the scripts are not read by bash: ", err)
	}
	rapid.Check(t, func(r *rapid.T) {
		all := (&guideOfTests).Pages(drawApp(r))
		for _, shell := range Shells {
			text := scriptOf(t, shell, all)
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
