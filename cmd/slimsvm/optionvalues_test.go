package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
)

// listing are options that are texts in which numbers stand.
var listing = []string{"stages", "stage-costs", "shift", "log2c", "log2g", "log2p", "size", "features"}

// valueCases are command lines, without the option, for each command that has one with a number; the data do
// not exist, so that what is said of an option is said before they are opened.
var valueCases = map[string]string{
	"train": "none", "cv": "none", "grid": "none", "predict": "none m", "scale": "none o", "split": "none a b", "check": "none",
	"generate": "moons", "reduce": "m none o", "plot": "m none o.svg",
}

// needed are what options want beside themselves.
var needed = map[string]string{
	"fold": "--folds 3", "y-lower": "--y-upper 2", "y-upper": "--y-lower 0", "expansion": "--centres none", "coef0": "--kernel poly", "degree": "--kernel poly",
}

// saysOption reports whether an error is one of an option with a value: it names both, and says what is
// expected, in its first line.
func saysOption(stderr, name, value string) bool {
	first, _, _ := strings.Cut(stderr, "\n")
	return regexp.MustCompile(fmt.Sprintf(`^slimsvm: (--y-lower 0 and )?--%s "?%s"?( and --y-upper 2)?: .*expected `, name, regexp.QuoteMeta(value))).MatchString(first)
}

// TestNumbersOfOptions: every option of every command that is a number, or lists some, takes it or says, before
// data are opened, what is wrong: its name, the value as it was given, and what is expected.
func TestNumbersOfOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.arff", []byte(original), 0o666); err != nil {
		t.Fatal(err)
	}
	var none bytes.Buffer
	if run(t.Context(), strings.Fields("train -q a.arff m"), nil, &none, &none) != 0 {
		t.Fatal(none.String())
	}
	// numbers that are always wrong; and those that are, or are not
	never := []string{"abc", "1,,5", "0x10", "1e400"}
	maybe := []string{"-1", "0", "21", "1.5", "nan", "inf", "-inf", "1e60", "1e300", "99999999999", "4294967296", "99999999999999999999", "1e-300"}
	taken := map[string]bool{}   // options that took some number
	refused := map[string]bool{} // options that refused some of maybe
	app := newApp(&env{})
	for _, command := range app.Commands {
		for _, f := range command.Flags {
			name := f.Names()[0]
			if command.Name != "train" && has(command, "kernel") && has(app.Command("train"), name) {
				continue // they look at it together
			}
			switch f.(type) {
			case flags.Int, flags.Float, flags.Seed, flags.Gamma:
			case *cli.StringFlag:
				if !slices.Contains(listing, name) {
					continue
				}
			default:
				continue
			}
			files, known := valueCases[command.Name]
			if !known {
				t.Errorf("%s has the option --%s: what does it work on?", command.Name, name)
				continue
			}
			methods := []string{""}
			if has(command, "multiclass") {
				methods = nil
				for _, m := range catalog.Methods {
					if m.Has(name) {
						methods = append(methods, " --method "+m.Name)
					}
				}
				if methods == nil {
					methods = []string{""}
				}
			}
			for i, value := range slices.Concat(never, maybe) {
				for _, method := range methods {
					if command.Name == "generate" && !strings.HasPrefix(value, "-") && i >= len(never) && name == "rows" {
						continue // it would work long
					}
					line := fmt.Sprintf("%s%s %s %s", command.Name, method, files, needed[name])
					args := append(strings.Fields(line), "--"+name+"="+value)
					if name == "expansion" {
						args[1] = "ndc"
					}
					var stdout, stderr bytes.Buffer
					status := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
					text := stderr.String()
					switch accepted := status != statusUsage; {
					case accepted && i < len(never):
						t.Errorf("%q is accepted: %s", args, text)
					case accepted:
						taken[name] = true
						if status == statusFailed && !strings.Contains(text, "none: no such file") && command.Name != "check" {
							t.Errorf("%q: %s", args, text)
						}
					case !saysOption(text, name, value):
						t.Errorf("%q: %s", args, text)
					case i >= len(never):
						refused[name] = true
					}
				}
			}
		}
	}
	for _, o := range catalog.Options() {
		switch o.Default.(type) {
		case int, float64:
			if o.Range == nil {
				t.Errorf("--%s may be any number", o.Name)
			}
			if !taken[o.Name] || !refused[o.Name] {
				t.Errorf("--%s: took a number: %v, refused one: %v", o.Name, taken[o.Name], refused[o.Name])
			}
		}
	}
}
