package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// TestDataOptions: what the flags say of CSV and SVMlight reaches their readers.
func TestDataOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"semicolons.csv": "a;b\n1,5;x\nNA;y\n",
		"digits.csv":     "1,2\n3,4\n",
		"class.csv":      "kind,size,name\nu,1,p\nv,2,q\n",
		"ranked.txt":     "1 qid:7 1:0.5\n2 qid:7 1:1\n",
		"table.tsv":      "a\tb\n1\tx\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"inspect --separator , --missing NA semicolons.csv", 1, "cell 2 is one too many"},
		{"inspect --header no digits.csv", 0, "2 rows, 2 columns"},
		{"inspect --header yes digits.csv", 0, "1 row, 2 columns"},
		{"inspect --header maybe digits.csv", 2, `--header "maybe": expected yes or no`},
		{"inspect --separator ;; digits.csv", 2, `--separator ";;": expected one character, tab, or space`},
		{"train --class kind class.csv m", 0, "2 classes"},
		{"inspect ranked.txt", 1, `query ids cannot be kept: found "qid:7"`},
		{"inspect --drop-queries ranked.txt", 0, "2 rows, 1 feature"},
		{"inspect --separator tab table.tsv", 0, "1 row, 2 columns"},
		{"inspect --from xls table.tsv", 2, `--from "xls": expected libsvm, svmlight, arff, csv or tsv`},
		{"convert table.tsv out.xls", 2, "the name does not tell a format"},
		{"convert --to xls table.tsv out", 2, `--to "xls": expected libsvm, svmlight, arff, csv, tsv, arff-dense or arff-sparse`},
	} {
		var out, errs bytes.Buffer
		status := run(context.Background(), strings.Fields(c.line), nil, &out, &errs)
		if status != c.status || !strings.Contains(out.String()+errs.String(), c.want) {
			t.Errorf("slimsvm %s: status %d, want %d; expected %q in\n%s%s", c.line, status, c.status, c.want, &out, &errs)
		}
	}
}
