package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
)

// TestMethodHelpUsage: the files of the command are those of its help.
func TestMethodHelpUsage(t *testing.T) {
	for command, want := range map[string]string{
		"train": "\n   slimsvm train --method mkc [options] DATA [MODEL]\n",
		"cv":    "\n   slimsvm cv --method mkc [options] DATA\n",
		"grid":  "\n   slimsvm grid --method mkc [options] DATA [MODEL]\n",
	} {
		if text, problem, status := slimsvmSays(t, command, "--method", "mkc", "--help"); status != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, %q%s, expected %q", command, status, text[:min(200, len(text))], problem, want)
		}
	}
}

// TestMethodHelp: --method M --help lists the options that M takes, all of them, and a
// default that is one word is one that the option accepts.
func TestMethodHelp(t *testing.T) {
	t.Chdir(t.TempDir())
	row := regexp.MustCompile(`(?m)^   --([a-z0-9-]+).*\n((?:          .*\n)+)`)
	given := regexp.MustCompile(`\(default: ([^)]*)\)`)
	tried := 0
	for _, command := range []string{"train", "cv"} {
		for _, m := range catalog.Methods {
			call := []string{command, "--method", m.Name}
			text, problem, status := slimsvmSays(t, append(call, "--help")...)
			if status != 0 {
				t.Fatalf("%q: %s", call, problem)
			}
			listed := map[string]bool{}
			for _, r := range row.FindAllStringSubmatch(text, -1) {
				name := r[1]
				listed[name] = true
				value := given.FindStringSubmatch(strings.Join(strings.Fields(r[2]), " "))
				if value == nil || strings.ContainsAny(value[1], " ,;") {
					continue
				}
				tried++
				if _, problem, status := slimsvmSays(t, append(call, "--"+name, value[1], "none")...); status != statusFailed {
					t.Errorf("%q --%s %s: status %d, %s", call, name, value[1], status, problem)
				}
			}
			for _, name := range append(m.OptionNames(), commonOptions(m)...) {
				if !listed[name] {
					t.Errorf("%q --help does not list --%s", call, name)
				}
			}
			if want := command == "train" && m.Streams; listed["stream"] != want {
				t.Errorf("%q --help lists --stream: %v", call, !want)
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d defaults were tried", tried)
	}
}

// TestCostsChosen: the help of a method that may train with another cost than the given one tells so, and
// that of others does not.
func TestCostsChosen(t *testing.T) {
	for method, tells := range map[string]bool{"joint": true, "joint-svr": true, "csvc": false, "rsvm": false} {
		text, problem, status := slimsvmSays(t, "train", "--method", method, "--help")
		if status != 0 {
			t.Fatal(problem)
		}
		text = strings.Join(strings.Fields(text), " ")
		const chosen = "(default: 1; held-out rows may choose ten times that if none is given, and with up to 4000 rows a tenth in any case) (symbol: C)"
		if got := strings.Contains(text, chosen); got != tells || strings.Contains(text, "held-out rows may choose ten times") != tells {
			t.Errorf("%s --help tells of chosen costs: %v, want %v\n%s", method, got, tells, text)
		}
	}
}
