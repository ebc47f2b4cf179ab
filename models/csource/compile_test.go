package csource_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/csource"
)

// compiler returns a C compiler, or skips the test with a message.
func compiler(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	testenv.SkipMissing(t, "what is written in C is not compiled", errors.New("no C compiler"))
	return ""
}

// program has a function for each model, @, that prints the model's results for a row: the answer,
// the values of machines and, if the model has them, probabilities with the answer by these, or its
// noise. Rows have their length in front. They are features, or numbers that features are made of;
// then the features are printed last.
const program = `
static double x[8192], values[8192];
static void say_@(int n)
{
	int i;
#ifdef ENCODE_@
	@_encode(x, values);
	n = @_FEATURES;
	memcpy(x, values, sizeof *x * n);
#endif
#ifdef SCALE_@
	@_scale(x, (size_t)n, x);
	n = @_FEATURES;
#endif
	printf("%.17g", (double)@_predict(x, (size_t)n));
	@_decisions(x, (size_t)n, values);
	for (i = 0; i < @_MACHINES; i++)
		printf(" %.17g", values[i]);
#ifdef OUTCOMES_@
	printf(" %d", @_probabilities(x, (size_t)n, values));
	for (i = 0; i < OUTCOMES_@; i++)
		printf(" %.17g", values[i]);
#endif
#ifdef SIGMA_@
	printf(" %.17g", @_sigma);
#endif
#if defined ENCODE_@ || defined SCALE_@
	for (i = 0; i < n; i++)
		printf(" %.17g", x[i]);
#endif
	printf("\n");
}
`

// mainProgram reads rows, with the number of a model in front.
const mainProgram = `
int main(void)
{
	int model, n, i;
	while (scanf("%%d %%d", &model, &n) == 2) {
		for (i = 0; i < n; i++)
			if (scanf("%%lf", &x[i]) != 1)
				return 1;
		switch (model) {
%s		}
	}
	return 0;
}
`

// strict is the language that the file is written in. With fused, dialects of the compilers' own,
// products are fused into sums if the processor can do that; contracted requests it.
var (
	strict     = []string{"-std=c99", "-O2"}
	fused      = []string{"-std=gnu11", "-O3", "-march=native"}
	contracted = []string{"-std=gnu99", "-O3", "-march=native", "-ffp-contract=fast"}
)

// compiled compiles the models of trials with the options; strict ones stand before these.
func compiled(t *testing.T, cc string, trials []trial, options ...string) (path string) {
	t.Helper()
	var b, cases bytes.Buffer
	fmt.Fprint(&b, "#include <stdio.h>\n#include <string.h>\n")
	for i, c := range trials {
		name := fmt.Sprintf("m%d", i)
		var err error
		if c.Ranges == nil {
			err = csource.Write(&b, c.Model, name)
		} else {
			err = csource.WriteScaled(&b, c.Model, name, c.Ranges)
			fmt.Fprintf(&b, "#define SCALE_%s\n", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		switch m := c.Model; {
		case m.Probability && m.Task.Regresses():
			fmt.Fprintf(&b, "#define SIGMA_%s\n", name)
		case m.Probability && m.Task == models.OneClass:
			fmt.Fprintf(&b, "#define OUTCOMES_%s 2\n", name)
		case m.Probability:
			fmt.Fprintf(&b, "#define OUTCOMES_%s %d\n", name, len(m.Labels))
		}
		if c.Model.Inputs != nil {
			fmt.Fprintf(&b, "#define ENCODE_%s\n", name)
		}
		fmt.Fprint(&b, strings.ReplaceAll(program, "@", name))
		fmt.Fprintf(&cases, "\t\tcase %d: say_%s(n); break;\n", i, name)
	}
	fmt.Fprintf(&b, mainProgram, cases.String())
	return build(t, cc, t.TempDir(), map[string]string{"main.c": b.String()}, []string{"main.c"}, append(slices.Clone(strict), options...)...)
}

// build writes files in a folder and compiles the given sources with options. Warnings are errors.
func build(t *testing.T, cc, folder string, files map[string]string, sources []string, options ...string) (path string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(folder, "program")
	args := []string{"-pedantic", "-Wall", "-Wextra", "-Werror", "-o", path}
	for _, option := range options {
		if option != "" {
			args = append(args, option)
		}
	}
	for _, name := range sources {
		args = append(args, filepath.Join(folder, name))
	}
	args = append(args, "-lm")
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%.3000s", args, err, out)
	}
	return path
}

// answers compiles the models of trials with options, and returns their results for the rows.
func answers(t *testing.T, cc string, trials []trial, options ...string) [][][]float64 {
	t.Helper()
	var in strings.Builder
	for i, c := range trials {
		for _, x := range c.Rows {
			n := 0
			if len(x.Index) > 0 {
				n = int(x.Index[len(x.Index)-1]-c.First) + 1
			}
			fmt.Fprint(&in, i, " ", n)
			for j := range n {
				fmt.Fprintf(&in, " %.17g", x.At(c.First+int32(j)))
			}
			fmt.Fprintln(&in)
		}
	}
	run := exec.Command(compiled(t, cc, trials, options...))
	run.Stdin = strings.NewReader(in.String())
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	all, at := make([][][]float64, len(trials)), 0
	for line := range strings.Lines(string(out)) {
		for at < len(trials) && len(all[at]) == len(trials[at].Rows) {
			at++
		}
		if at == len(trials) {
			t.Fatal("more answers than rows")
		}
		var numbers []float64
		for word := range strings.FieldsSeq(line) {
			v, err := strconv.ParseFloat(strings.Replace(word, "-nan", "nan", 1), 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
		all[at] = append(all[at], numbers)
	}
	if last := len(trials) - 1; len(all[last]) != len(trials[last].Rows) {
		t.Fatal("fewer answers than rows")
	}
	return all
}

// agree compares the results of compiled models for rows with those of package predict: answers,
// values and probabilities. It returns how many numbers are the same.
func agree(t *testing.T, cc string, trials []trial, options ...string) (numbers int) {
	t.Helper()
	all := answers(t, cc, trials, options...)
	for i, c := range trials {
		want, err := c.Want()
		if err != nil {
			t.Fatal(err)
		}
		for r, x := range c.Rows {
			if !slices.EqualFunc(all[i][r], want[r], same) {
				t.Fatalf("model %d, %v, %v, %v, row %d, %v:\n%v in C, want\n%v", i, c.Model.Task, c.Model.Vote, options, r, x, all[i][r], want[r])
			}
			numbers += len(want[r])
		}
	}
	return numbers
}
