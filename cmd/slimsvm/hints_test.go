package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/train/rsvm"
)

// TestHints: a fault that another package tells by its kind has its hint wherever it comes from.
func TestHints(t *testing.T) {
	at := func(path, text string) error {
		return &format.Error{Path: path, Line: 2, Column: 1, Err: errors.New(text)}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("data: %w: 120 vectors", rsvm.ErrTooLarge), "--multiclass ovr"},
		{&format.Error{Path: "a.csv", Err: &datafile.NoTextError{What: "a zip archive", Packed: true}}, "unpack it"},
		{&format.Error{Path: "a.csv", Err: &datafile.NoTextError{What: "a NumPy array"}}, "save the table as CSV or ARFF"},
		{fmt.Errorf("data: something else"), ""},
		// words that tell are the fault's own, and not the file's name or what it quotes
		{&fs.PathError{Op: "open", Path: "excellent.csv", Err: fs.ErrNotExist}, ""},
		{format.WithPath(&fs.PathError{Op: "open", Path: "UTF-8.arff", Err: fs.ErrNotExist}, "has a comma"), ""},
		{at("UTF-8 is not closed.svm", `expected a number as value of feature 1, found "has a comma"`), ""},
		{at("a.arff", `expected a number as value of attribute "around the cell", found "indices must increase"...`), ""},
		{at("a.arff", `the text's attribute "UTF-8" holds labels`), ""},
		{at("a.arff", `unexpected '"' behind "has no weights"`), ""},
		{fmt.Errorf("fold 1: %w", at("UTF-8", `feature index 3 does not follow 3: indices must increase`)), "sort the features"},
		{at("a.csv", `the line ends after 1 cell, expected 2 as in the first`), "that contains a separator"},
		{at("a.csv", `cell 3 is one too many: expected 2 as in the first line, found "x"`), "that contains a separator"},
		{at("a.csv", `cell 11 is one too many: expected 10 as in the first line, found "x"`), "that contains a separator"},
		{at("a.csv", `cell 2 is one too many: expected 1 as in the first line, found "b"`), "above the table"},
		{at("a.csv", `unexpected '"' inside the cell "p\"s": expected quotes around the cell, and doubled inside`), "that contains a separator"},
		{at("a.csv", `unexpected '"' inside the cell "'say \\\"hi\\\"'": expected quotes around the cell, and doubled inside`), `in quotes; if cells stand in single quotes, as in Weka's CSV, say --quote "'"`},
		{at("a.csv", `cell 3 is one too many: expected 2 as in the first line, found "b'"`), `say --quote "'"`},
		{at("a.csv", `the number "1,234" has a comma: expected a decimal point, and nothing between thousands`), "say --decimal ,;"},
		{at("1.csv", `the number "1,234.5" has a comma: expected a decimal point, and nothing between thousands`), "write 1234.5, or 1234,5 where"},
		{at("a.csv", `the number "1.234,5" has a point: expected a decimal comma, and nothing between thousands`), "write 1234.5, or 1234,5 where"},
		{fmt.Errorf(`column 2, "bag": a table cannot hold tables`), "--drop leaves"},
		{at("a.csv", `the text is not UTF-8: found the byte 0xff`), "iconv"},
		{&format.Error{Err: format.ErrUTF32}, "iconv -f UTF-32 -t UTF-8"},
		{&format.Error{Err: format.ErrUTF16}, "text: iconv -f UTF-16LE -t UTF-8"},
		{fmt.Errorf("a.arff:3:1: the text is not UTF-8: %w", arff.ErrStrict), "iconv"},
		{fmt.Errorf(`a.arff:3:1: "UTF-8" behind the row: %w`, arff.ErrStrict), "--weka"},
		{at("a.svm", `expected index:value, found "cost:2"`), "ARFF keeps the weights"},
		{at("cost:2.svm", `expected index:value, found "2"`), ""},
	} {
		if got := hintFor(c.err, nil); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%v: hint %q, want %q", c.err, got, c.want)
		}
	}
}

// TestMissingHint: how a missing value is written is said once, by the fault or by the hint.
func TestMissingHint(t *testing.T) {
	const fault = `a.arff:7:1: expected a label of attribute "c" ("yes", "no"), found `
	const hint = "declare the label in the header, or correct the value"
	for text, want := range map[string]string{
		`"?": a missing value is a ? without quotes`: hint,
		`"x"`:                         hint + "; a missing value is ?",
		`"x: a missing value is a ?"`: hint + "; a missing value is ?",
	} {
		if got := hintFor(errors.New(fault+text), nil); got != want {
			t.Errorf("%s: hint %q, want %q", text, got, want)
		}
	}
}

// TestTextColumns: of a few columns without numbers the hint names all, and of many how many others
// there are.
func TestTextColumns(t *testing.T) {
	for _, n := range []int{2, mostTexts, mostTexts + 1, mostTexts + 5} {
		var header, row strings.Builder
		all := ""
		for i := range n {
			fmt.Fprintf(&header, "@attribute t%d string\n", i)
			fmt.Fprintf(&row, "'some text',")
			all += fmt.Sprintf(" --drop t%d", i)
		}
		want := "hint: --drop t0 leaves the column out; " + all[1:] + " leaves out all that have no numbers\n"
		if n > mostTexts {
			want = fmt.Sprintf("hint: --drop t0 leaves the column out; %d other columns hold text or tables too, inspect lists them\n", n-1)
		}
		data := "@relation r\n" + header.String() + "@attribute c {a,b}\n@data\n" + row.String() + "a\n" + row.String() + "b\n"
		var out, errs bytes.Buffer
		status := run(t.Context(), []string{"train", "--from", "arff", "-", filepath.Join(t.TempDir(), "model")}, strings.NewReader(data), &out, &errs)
		if status != statusFailed || !strings.HasSuffix(errs.String(), want) {
			t.Errorf("%d columns: status %d, %q, want %q", n, status, errs.String(), want)
		}
	}
}
