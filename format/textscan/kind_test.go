package textscan

import "testing"

// TestQuoteBegun: files that programs write beside data are told by their first line, and nothing else
// is taken for one.
func TestQuoteBegun(t *testing.T) {
	for line, want := range map[string]string{
		"svm_type c_svc":              `"svm_type", which is how a model begins`,
		"slimsvm_model 1\n":           `"slimsvm_model", which is how a model begins`,
		" svm_type\tc_svc\r\n":        `"svm_type", which is how a model begins`,
		"solver_type L2R_LR\n":        `"solver_type", which is how a model of LIBLINEAR's begins`,
		"SVM-light Version V6.02\n":   `"SVM-light", which is how a model of SVMlight's begins`,
		"x":                           `"x", which is how a file of svm-scale's ranges begins`,
		"y\r\n":                       `"y", which is how a file of svm-scale's ranges begins`,
		"x 1:2\n":                     `"x"`,
		"svm_types 1:2\n":             `"svm_types"`,
		"1 svm_type\n":                `"1"`,
		"\n":                          "the end of the line",
		"":                            "the end of the line",
		"svm_type\u2028c_svc 1:2 3:4": `"svm_type\u2028c_svc"`,
	} {
		if got := QuoteBegun([]byte(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
