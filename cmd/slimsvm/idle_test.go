package main

import (
	"os"
	"strings"
	"testing"
)

// TestLeanProbability: an ensemble that keeps what votes need has probabilities only where votes are by them. Else
// --probability had no effect, and cv --out panicked for want of them.
func TestLeanProbability(t *testing.T) {
	t.Chdir(t.TempDir())
	data, _, _ := slimsvmSays(t, "generate", "moons", "--rows", "60")
	if err := os.WriteFile("data", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	const wrong = "slimsvm: --lean leaves out the probabilities that --probability asks for, except with --vote probability\n"
	const score = "slimsvm: --score brier is of probabilities, which --lean leaves out except with --vote probability\n"
	for _, c := range []struct{ line, want string }{
		{"train --method psvm --lean --probability --vote count data m", wrong},
		{"train --method esvm --lean --probability --vote decision data m", wrong},
		{"cv --folds 2 --method psvm --lean --probability --vote count --out answers data", wrong},
		{"grid --folds 2 --method psvm --lean --vote count --score brier --log2c 0,1,1 data", score},
		{"cv --quiet --folds 2 --method psvm --lean --probability --out answers data", ""},
		{"cv --quiet --folds 2 --method psvm --probability --vote count --out answers data", ""},
		{"grid --quiet --folds 2 --method psvm --lean --score brier --log2c 0,1,1 data", ""},
	} {
		status, words := 0, strings.Fields(c.line)
		if c.want != "" {
			status = statusUsage
			c.want += "slimsvm " + words[0] + " --help lists its options\n"
		}
		if _, said, got := slimsvmSays(t, words...); got != status || said != c.want {
			t.Errorf("%s: status %d, %s", c.line, got, said)
		}
	}
}

// TestSquaredLoss: squared errors know no tube, and options of one are said to have no effect.
func TestSquaredLoss(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data", []byte("1 1:1\n2 1:2\n3 1:3\n4 1:4\n5.5 1:5\n6 1:6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const squared, tube = "--method joint-svr --vectors 2 --loss squared --held-out 0 ", "--method joint-svr --vectors 2 --loss insensitive --held-out 0 "
	for _, c := range []struct{ line, want string }{
		{"train " + squared + "--epsilon 0.2 data m", "warning: with --loss squared --epsilon has no effect\n"},
		{"cv --folds 2 " + squared + "--epsilon 0.2 data", "warning: with --loss squared --epsilon has no effect\n"},
		{"grid --folds 2 --cost 1 --gamma 1 " + squared + "--log2p=-1,1,1 data", "warning: with --loss squared --log2p has no effect\n"},
		{"train " + squared + "data m", ""},
		{"train " + tube + "--epsilon 0.2 data m", ""},
	} {
		_, said, status := slimsvmSays(t, strings.Fields(c.line)...)
		if status != 0 || !strings.HasPrefix(said, c.want) || c.want == "" && strings.Contains(said, "no effect") {
			t.Errorf("%s: status %d, %s", c.line, status, said)
		}
	}
}

// TestIdle: options that have no effect beside others leave the model as it is, which is said.
func TestIdle(t *testing.T) {
	t.Chdir(t.TempDir())
	data, _, _ := slimsvmSays(t, "generate", "moons", "--rows", "60")
	if err := os.WriteFile("data", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	model := func(line string) (text, said string) {
		t.Helper()
		_, said, status := slimsvmSays(t, strings.Fields("train "+line+" data model")...)
		if status != 0 {
			t.Fatalf("%s: %s", line, said)
		}
		before, rest, _ := strings.Cut(read(t, "model"), "\nparameters ")
		_, behind, _ := strings.Cut(rest, "\n")
		return before + behind, said
	}
	for _, c := range []struct{ with, idle, want string }{
		{"--method psvm --iterations 0", "--unpruned", "with --iterations 0 --unpruned has no effect"},
		{"--method psvm --iterations 0", "--unpruned --hard-negatives 0.5", "with --iterations 0 --hard-negatives and --unpruned have no effect"},
		{"--method mkc --programmes 1", "--mu 3 --alpha 2", "with --programmes 1 --mu and --alpha have no effect"},
		{"--kernel linear", "--gamma 3 --degree 2", "with the kernel linear --gamma and --degree have no effect"},
		{"--kernel rbf", "--gamma 0.5 --coef0 2 --degree 2", "with the kernel rbf --coef0 and --degree have no effect"},
		{"--kernel sigmoid", "--degree 2", "with the kernel sigmoid --degree has no effect"},
		{"--as weka-smo --scale none", "--gamma 3", "with the kernel linear --gamma has no effect"},
		{"--method mkc --mu 0", "--alpha 2", "with --mu 0 --alpha has no effect"},
	} {
		plain, said := model(c.with)
		idle, told := model(c.with + " " + c.idle)
		if plain != idle || strings.Contains(said, "no effect") || !strings.Contains(told, "warning: "+c.want+"\n") {
			t.Errorf("%s %s: another model or %s", c.with, c.idle, told)
		}
	}
	for _, line := range []string{"--method psvm --unpruned", "--method mkc --mu 3 --alpha 2", "--kernel poly --gamma 1 --coef0 1 --degree 2", "--as weka-smo --scale none --kernel rbf --gamma 3"} {
		if _, said := model(line); strings.Contains(said, "effect") {
			t.Errorf("%s: %s", line, said)
		}
	}
}
