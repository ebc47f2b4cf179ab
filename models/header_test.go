package models_test

import (
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/models"
)

// sound is a model file; the tables below change a part of it.
const sound = `svm_type c_svc
kernel_type polynomial
degree 3
gamma 0.5
coef0 -2
nr_class 2
total_sv 2
rho 0.25
label 1 -1
nr_sv 1 1
SV
1 1:2 3:0.5 
-1 1:4 
`

// otherTasks are models of the other tasks, with probability information.
var otherTasks = map[string]string{
	"regression": `svm_type epsilon_svr
kernel_type linear
nr_class 2
total_sv 2
rho -3.5
probA 0.125
SV
1 1:2 
-1 1:4 
`,
	"one_class": `svm_type one_class
kernel_type precomputed
nr_class 2
total_sv 2
rho -3.5
prob_density_marks -5 -4 -3 -2 -1 1 2 3 4 5
SV
1 0:7 
0.5 0:2 
`,
	"classes": `svm_type nu_svc
kernel_type rbf
gamma 1
nr_class 3
total_sv 3
rho 1 2 3
label 4 5 6
probA -1 -2 -3
probB 1 2 3
nr_sv 1 1 1
SV
1 2 1:1 
3 -4 1:2 
-5 -6 1:3 
`,
}

// change replaces a part of a text that must be there once.
func change(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the model", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

// TestReadsLeniently: texts that LIBSVM reads with the same meaning are read.
func TestReadsLeniently(t *testing.T) {
	header, vectors, _ := strings.Cut(sound, "SV\n")
	lines := strings.SplitAfter(strings.TrimSuffix(header, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	moved := func(from, to int) string {
		all := append([]string{}, lines...)
		line := all[from]
		all = append(all[:from], all[from+1:]...)
		all = append(all[:to], append([]string{line}, all[to:]...)...)
		return strings.Join(all, "") + "SV\n" + vectors
	}
	for name, text := range map[string]string{
		"as it stands":                sound,
		"header on one line":          strings.ReplaceAll(header, "\n", " ") + "SV\n" + vectors,
		"a word a line":               strings.ReplaceAll(strings.ReplaceAll(header, " ", "\n"), "\n", "\n\n") + "SV\n" + vectors,
		"other white space":           strings.ReplaceAll(header, " ", " \t\v\f\r ") + "SV\n" + vectors,
		"blank lines first":           "\n \n" + sound,
		"a byte order mark":           "\ufeff" + sound,
		"CRLF":                        strings.ReplaceAll(sound, "\n", "\r\n"),
		"SV indented":                 header + "  SV\n" + vectors,
		"text behind SV":              header + "SV of 3:4 what\tis\x00skipped\n" + vectors,
		"CRLF behind SV":              header + "SV\r\n" + vectors,
		"SV on the line of a key":     strings.TrimSuffix(header, "\n") + " SV\n" + vectors,
		"keys in another order":       moved(5, 0),
		"nr_class first, task last":   moved(0, 9),
		"total_sv last":               moved(6, 9),
		"nr_sv before label":          moved(9, 7),
		"a key twice, the last wins":  "svm_type nu_svc gamma 7 nr_class 3 total_sv 9 coef0 8 degree 0 kernel_type rbf\n" + sound,
		"a list twice, the last wins": header + "rho 0.75 label 5 6 rho 0.25 label 1 -1\nSV\n" + vectors,
		"keys of other tasks":         header + "prob_density_marks 1 2 3 4 5 6 7 8 9 10\nSV\n" + vectors,
		"forms of numbers":            strings.NewReplacer("degree 3", "degree +03", "gamma 0.5", "gamma 0x1p-1", "coef0 -2", "coef0 -.2e1", "label 1", "label +1").Replace(sound),
		"no blanks at line ends":      strings.ReplaceAll(sound, " \n", "\n"),
		"blanks before and between":   header + "SV\n  1\t 1: 2   3:0.5\n\t-1 \t1:4\n",
		"no last newline":             strings.TrimSuffix(sound, " \n"),
		"blank lines at the end":      sound + "\n \t\r\n\n",
		"comment behind a vector":     header + "SV\n1 1:2 3:0.5 # first\n-1 1:4 \n",
		"unused digits":               header + "SV\n1.00000000000000000000000000001 1:2.0 3:5e-1\n-1 1:4 \n",
	} {
		t.Run(name, func(t *testing.T) {
			wantSameText(t, name, mustWrite(t, mustRead(t, text)), sound)
		})
	}
	for name, text := range otherTasks {
		wantSameText(t, name, mustWrite(t, mustRead(t, text)), text)
	}
}

func TestReadsExtremes(t *testing.T) {
	for _, c := range []struct{ old, new string }{
		{"rho 0.25", "rho inf"},
		{"rho 0.25", "rho -inf"},
		{"degree 3", "degree 2147483647"},
		{"degree 3", "degree 0"},
		{"gamma 0.5", "gamma -0"},
		{"label 1 -1", "label 2147483647 -2147483648"},
		{"1:4 ", "2147483647:4 "},
		{"1:4 ", "0:-0 1:0 "},
		{"-1 1:4 ", "-0 "},
		{"-1 1:4 ", "4.9406564584124654e-324 1:4.9406565e-324 2:-1.7976931e+308 "},
	} {
		text := change(t, sound, c.old, c.new)
		wantSameText(t, c.new, mustWrite(t, mustRead(t, text)), text)
	}
}

// headerFaults change a part of a model. Errors are at the place of the mark §, or only have a
// line.
var headerFaults = []struct {
	model, old, new, err string
}{
	// values
	{"", "svm_type c_svc", "svm_type svc", `1:10: unknown svm_type "svc"`},
	{"", "svm_type c_svc", "svm_type C_SVC", `1:10: unknown svm_type "C_SVC"`},
	{"", "polynomial", "poly", `2:13: unknown kernel_type "poly"`},
	{"", "degree 3", "degree -1", `3:8: degree is "-1", expected 0 to 2147483647`},
	{"", "degree 3", "degree 2147483648", `3:8: degree is "2147483648", expected 0 to 2147483647`},
	{"", "degree 3", "degree 99999999999999999999", `3:8: degree is "99999999999999999999", expected 0 to 2147483647`},
	{"", "degree 3", "degree 3.5", `3:8: expected an integer as value of degree, found "3.5"`},
	{"", "degree 3", "degree", `4:1: expected an integer as value of degree, found "gamma"`},
	{"", "gamma 0.5", "gamma 1/2", `4:7: expected a number as value of gamma, found "1/2"`},
	{"", "gamma 0.5", "gamma 0,5", `4:7: expected a number as value of gamma, found "0,5"`},
	{"", "gamma 0.5", "gamma nan", `4:7: gamma is "nan", which is not finite`},
	{"", "gamma 0.5", "gamma 1e999", `4:7: gamma is "1e999", which is not finite`},
	{"", "coef0 -2", "coef0 -inf", `5:7: coef0 is "-inf", which is not finite`},
	{"", "nr_class 2", "nr_class 0", `6:10: nr_class is "0", expected 1 to 2147483647`},
	{"", "nr_class 2", "nr_class -2", `6:10: nr_class is "-2", expected 1 to 2147483647`},
	{"", "nr_class 2", "nr_class 4294967298", `6:10: nr_class is "4294967298", expected 1 to 2147483647`},
	{"", "total_sv 2", "total_sv -2", `7:10: total_sv is "-2", expected 0 to 2147483647`},
	{"", "rho 0.25", "rho nan", `8:5: rho is "nan", which is not finite (value 1 of 1)`},
	{"", "rho 0.25", "rho x", `8:5: expected a number as value of rho, found "x" (value 1 of 1)`},
	{"", "rho 0.25", "rho", `9:1: expected a number as value of rho, found "label" (value 1 of 1)`},
	{"", "label 1 -1", "label 1", `10:1: expected an integer as value of label, found "nr_sv" (value 2 of 2)`},
	{"", "label 1 -1", "label 1 2.5", `9:9: expected an integer as value of label, found "2.5" (value 2 of 2)`},
	{"", "label 1 -1", "label 1 2147483648", `9:9: label is "2147483648", expected -2147483648 to 2147483647 (value 2 of 2)`},
	{"", "label 1 -1", "label 1 -1 2", `9:12: unknown key "2"`},
	{"", "nr_sv 1 1", "nr_sv 3 -1", `10:9: nr_sv is "-1", expected 0 to 2147483647 (value 2 of 2)`},
	{"regression", "probA 0.125", "probA inf", `6:7: probA is "inf", which is not finite (value 1 of 1)`},
	{"classes", "probB 1 2 3", "probB 1 2 nan", `9:11: probB is "nan", which is not finite (value 3 of 3)`},
	{"one_class", " 4 5", " 4", `7:1: expected a number as value of prob_density_marks, found "SV" (value 10 of 10)`},
	{"one_class", " 4 5", " 5 4", `7: density marks do not increase: 4 follows 5`},

	// keys
	{"", "gamma 0.5", "gama 0.5", `4:1: unknown key "gama"`},
	{"", "gamma 0.5", "Gamma 0.5", `4:1: unknown key "Gamma"`},
	{"", "\nSV\n", "\nsv\n", `11:1: unknown key "sv"`},
	{"", "nr_class 2\n", "", `7:1: rho stands before nr_class, which gives its length`},
	{"classes", "nr_class 3\n", "nr_sv 1 1 1\nnr_class 3\n", `4:1: nr_sv stands before nr_class, which gives its length`},
	{"classes", "nr_class 3\n", "label 4 5 6\nnr_class 3\n", `4:1: label stands before nr_class, which gives its length`},
	{"classes", "nr_class 3\n", "probA 4 5 6\nnr_class 3\n", `4:1: probA stands before nr_class, which gives its length`},
	{"classes", "nr_class 3\n", "probB 4 5 6\nnr_class 3\n", `4:1: probB stands before nr_class, which gives its length`},

	{"", "kernel_type polynomial", "\ufeffkernel_type polynomial", `2:1: unknown key "\ufeffkernel_type"`},

	// missing keys; the place is that of SV
	{"", "svm_type c_svc\n", "", `10: svm_type is missing`},
	{"", "kernel_type polynomial\n", "", `10: kernel_type is missing`},
	{"", "degree 3\n", "", `10: kernel_type polynomial needs degree, which is missing`},
	{"", "gamma 0.5\n", "", `10: kernel_type polynomial needs gamma, which is missing`},
	{"", "coef0 -2\n", "", `10: kernel_type polynomial needs coef0, which is missing`},
	{"", "polynomial\ndegree 3\ngamma 0.5\ncoef0 -2\n", "sigmoid\ngamma 0.5\n", `9: kernel_type sigmoid needs coef0, which is missing`},
	{"", "polynomial\ndegree 3\ngamma 0.5\ncoef0 -2\n", "sigmoid\ncoef0 0.5\n", `9: kernel_type sigmoid needs gamma, which is missing`},
	{"", "polynomial\ndegree 3\ngamma 0.5\ncoef0 -2\n", "linear\n", ""},
	{"classes", "gamma 1\n", "", `10: kernel_type rbf needs gamma, which is missing`},
	{"", "polynomial", "sigmoid", ""},
	{"", "total_sv 2\n", "", `10: total_sv is missing`},
	{"", "rho 0.25\n", "", `10: rho is missing`},
	{"", "label 1 -1\n", "", `10: label is missing`},
	{"", "nr_sv 1 1\n", "", `10: nr_sv is missing`},
	{"classes", "probB 1 2 3\n", "", `10: probA and probB belong together, one is missing`},
	{"classes", "probA -1 -2 -3\n", "", `10: probA and probB belong together, one is missing`},
	{"regression", "rho -3.5\n", "", `6: rho is missing`},
	{"regression", "svm_type epsilon_svr\n", "", `6: svm_type is missing`},

	// contradictions
	{"", "nr_sv 1 1", "nr_sv 1 2", `11: total_sv is 2, but nr_sv add up to 3`},
	{"", "nr_sv 1 1", "nr_sv 2147483647 2147483647", `11: total_sv is 2, but nr_sv add up to 4294967294`},
	{"", "label 1 -1", "label 3 3", `11: label 3 stands for two classes`},
	{"", "nr_sv 1 1", "nr_sv 1 1\nnr_class 3", `12: nr_class changed after the lists whose length it gives`},
	{"", "nr_sv 1 1", "nr_sv 1 1\nnr_class 1", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2 rho 1 label 1 2 nr_sv 1 2 probA 1", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2 rho 1 label 1 2 nr_sv 1 2 probB 1", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2 label 1 2 nr_sv 1 2 probA 1 probB 1", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2 rho 1 nr_sv 1 2 probA 1 probB 1", `12: nr_class changed after the lists whose length it gives`},
	{"classes", "nr_sv 1 1 1", "nr_sv 1 1 1\nnr_class 2 rho 1 label 1 2 probA 1 probB 1", `12: nr_class changed after the lists whose length it gives`},
	{"regression", "nr_class 2", "nr_class 1", `5:5: unknown key "-3.5"`},
	{"regression", "probA 0.125", "probA 0.125\nnr_class 1", `8: nr_class changed after the lists whose length it gives`},
	{"one_class", "nr_class 2", "nr_class 3", `6:1: expected a number as value of rho, found "prob_density_marks" (value 2 of 3)`},
	{"one_class", "nr_class 2\ntotal_sv 2\nrho -3.5", "nr_class 3\ntotal_sv 2\nrho -3.5 1 2", `7: nr_class is 3, expected 2 for svm_type one_class`},

	// the end
	{"", "\nSV\n1 1:2 3:0.5 \n-1 1:4 \n", "\n", `10: the file ends where a key or "SV" is expected`},
	{"", "\nnr_sv 1 1\nSV\n1 1:2 3:0.5 \n-1 1:4 \n", "\nnr_sv 1", `10: the file ends where a value of nr_sv is expected (value 2 of 2)`},
	{"", "\ngamma 0.5\ncoef0 -2\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:2 3:0.5 \n-1 1:4 \n", "\ngamma", `4: the file ends where a value of gamma is expected`},
	{"", sound, "svm_type", `1: the file ends where a value of svm_type is expected`},
	{"", sound, "svm_type c_svc kernel_type \n", `1: the file ends where a value of kernel_type is expected`},
	{"", sound, "", `1: the file ends where a key or "SV" is expected`},
	{"", sound, "\n\n", `2: the file ends where a key or "SV" is expected`},
	{"", sound, "SV\n", `1: svm_type is missing`},
}

func TestHeaderFaults(t *testing.T) {
	checkFaults(t, headerFaults)
}

// checkFaults reads changed models and compares the errors.
func checkFaults(t *testing.T, faults []struct{ model, old, new, err string }) {
	for _, c := range faults {
		text := sound
		if c.model != "" {
			text = otherTasks[c.model]
		}
		text = change(t, text, c.old, c.new)
		m, err := read(text)
		switch {
		case err == nil && c.err != "":
			t.Errorf("%q for %q: no error, want %s", c.new, c.old, c.err)
		case err != nil && err.Error() != c.err:
			t.Errorf("%q for %q:\n%v, want\n%s", c.new, c.old, err, c.err)
		case err != nil && m != nil:
			t.Errorf("%q for %q: a model and an error", c.new, c.old)
		case err != nil:
			wantPlaced(t, err, c.err)
		}
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		sound: true, "\ufeff" + sound: true, "rho 0.5": true, " \r\nslimsvm_model 1\n": true,
		"": false, "svm_type": false, "\ufeff1 1:2": false, "x\ufeffsvm_type c_svc": false,
	} {
		if models.Sniff([]byte(text)) != want {
			t.Errorf("%.20q begins a model: %t", text, !want)
		}
	}
}

// TestForeign: files that are mistaken for models are reported as what they are.
func TestForeign(t *testing.T) {
	const of = ", expected a model of LIBSVM's"
	for text, want := range map[string]string{
		"solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias -1\nw\n1 \n": `1:1: found "solver_type", which is how a model of LIBLINEAR's begins` + of,
		"SVM-light Version V6.02\n0 # kernel type\n":                                 `1:1: found "SVM-light", which is how a model of SVMlight's begins` + of,
		"\x1f\x8b\b\x00":                        `1:1: found "\x1f\x8b\b\x00", which is how a file begins that is packed by gzip` + of,
		"\x28\xb5\x2f\xfd\x00 ":                 `1:1: found "(\xb5/\xfd\x00", which is how a file begins that is packed by zstd` + of,
		"\xfd7zXZ\x00\x00":                      `1:1: found "\xfd7zXZ\x00\x00", which is how a file begins that is packed by xz` + of,
		"BZh91AY":                               `1:1: found "BZh91AY", which is how a file begins that is packed by bzip2` + of,
		"\n@RELATION iris\n":                    `2:1: found "@RELATION", which is how an ARFF file begins` + of,
		"% 1. Title: Iris\n%\n@relation iris\n": `1:1: found "%", which is how a comment in an ARFF file begins` + of,
		"id,income,kind\n1,2,yes\n":             `1:1: found "id,income,kind", which is how a line of CSV begins` + of,
		"\"the id\";income;kind\n":              `1:1: found "\"the", which is how a line of CSV begins` + of,
		"sepal length,kind\n5.1,x\n":            `1:1: found "sepal", which is how a line of CSV begins` + of,
		"id\tincome\tkind\n1\t2\tyes\n":         `1:1: found "id", which is how a line of a table with tabs begins` + of,
		"5.1\t3.5\n":                            `1:1: found "5.1", which is how a line of a table with tabs begins` + of,
		"gama 0.5 \t\n":                         `1:1: unknown key "gama"`,
		"svm_type\tc_svc\nkernel\trbf\n":        `2:1: unknown key "kernel"`,
		"5.1;3.5\n":                             `1:1: found "5.1;3.5", which is how a line of CSV begins` + of,
		"x\n-1 1\n1 -2 3\n":                     `1:1: found "x", which is how a file of svm-scale's ranges begins` + of,
		"y\r\n-1 1\r\n":                         `1:1: found "y", which is how a file of svm-scale's ranges begins` + of,
		"x 1\n":                                 `1:1: unknown key "x"`,
		" +1 1:0.5 3:1\n":                       `1:2: found "+1", which is the label of a row of data` + of,
		"-0.5\t12:1":                            `1:1: found "-0.5", which is the label of a row of data` + of,
		"1 2\n":                                 `1:1: unknown key "1"`,
		"1\n":                                   `1:1: unknown key "1"`,
		"svm_type c_svc\nsolver_type L2R_LR\n":  `2:1: unknown key "solver_type"`,
		"svm_type c_svc\n1 1:2\n":               `2:1: unknown key "1"`,
		"1 :2\n":                                `1:1: unknown key "1"`,
		"1  2:3\n":                              `1:1: found "1", which is the label of a row of data` + of,
		"1:2 3:4\n":                             `1:1: unknown key "1:2"`,
		"1 x:2\n":                               `1:1: unknown key "1"`,
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
