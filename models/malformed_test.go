package models_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/slimsvm/slimsvm/models"
)

// malformed has the error of each malformed model; "" if it is read.
var malformed = map[string]string{
	"m02_truncated_header":         `4:1: unknown key "nr_"`,
	"m04_no_SV_section":            `8: the file ends where a key or "SV" is expected`,
	"m06_total_sv_huge":            `9: total_sv is 2000000000, but nr_sv add up to 20`,
	"m08_total_sv_too_big":         `9: total_sv is 25, but nr_sv add up to 20`,
	"m10_nr_class_huge":            fmt.Sprintf(`7:1: expected a number as value of rho, found "label" (value 2 of %d)`, models.Pairs(100000)),
	"m12_nr_class_0":               `4:10: nr_class is "0", expected 1 to 2147483647`,
	"m14_nr_class_3_two_labels":    `7:1: expected a number as value of rho, found "label" (value 2 of 3)`,
	"m16_nr_sv_negative":           `8:7: nr_sv is "-100000", expected 0 to 2147483647 (value 1 of 2)`,
	"m18_label_missing":            `8: label is missing`,
	"m20_rho_before_nr_class":      `4:1: rho stands before nr_class, which gives its length`,
	"m22_kernel_type_missing":      `8: kernel_type is missing`,
	"m24_unknown_svm_type":         `1:10: unknown svm_type "d_svc"`,
	"m26_gamma_missing":            `8: kernel_type rbf needs gamma, which is missing`,
	"m28_sv_line_empty":            `10:1: expected coefficient 1 of 1, found the end of the line`,
	"m30_sv_coef_text":             `10:1: expected coefficient 1 of 1, found "xyz"`,
	"m32_sv_extra_coefs":           `10:3: expected index:value, found "7"`,
	"m34_sv_index_minus1":          `10:3: feature index "-1" is negative`,
	"m36_pre_sv_huge_serial":       "", // only the data can show it
	"m38_pre_sv_no_pair":           `9:1: first column must be 0:sample_serial_number`,
	"m40_probB_missing":            `10: probA and probB belong together, one is missing`,
	"m42_prob_density_short":       `8:1: expected a number as value of prob_density_marks, found "SV" (value 4 of 10)`,
	"m44_nul_bytes_in_sv":          `10:1: expected coefficient 1 of 1, found "\x00"`,
	"m46_one_long_line_no_newline": `10: the file ends where support vector 2 of 20 is expected`,
	"m48_regression_nr_class_1":    `6:5: unknown key "-0.24763556233777581"`,
	"m50_degree_huge_poly":         "", // as in LIBSVM
	"m52_nr_class_65536_no_arrays": `5: rho is missing`,
}

func TestMalformed(t *testing.T) {
	dir := filepath.Join("..", "compat_test", "testdata", "malformed")
	paths, err := filepath.Glob(filepath.Join(dir, "m*.model*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no models in %s", dir)
	}
	seen := map[string]bool{}
	for _, path := range paths {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		seen[name] = true
		want, known := malformed[name]
		if !known {
			t.Errorf("%s is not in the table", name)
		}
		m, err := models.Read(bytes.NewReader(contents(t, path)))
		switch {
		case err == nil && want != "":
			t.Errorf("%s: no error, want %s", name, want)
		case err != nil && err.Error() != want:
			t.Errorf("%s:\n%v, want\n%s", name, err, want)
		case err != nil && m != nil:
			t.Errorf("%s: a model and an error", name)
		case err != nil:
			wantPlaced(t, err, want)
		}
	}
	for name := range malformed {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// contents returns the unpacked contents of a file.
func contents(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".zst" {
		return b
	}
	r, err := zstd.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if b, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSoundPartners: the sound counterparts of the malformed models are read, and written
// unchanged.
func TestSoundPartners(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "compat_test", "testdata", "malformed", "good*.model"))
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d models, %v", len(paths), err)
	}
	for _, path := range paths {
		text := string(contents(t, path))
		wantSameText(t, path, mustWrite(t, mustRead(t, text)), text)
	}
}
