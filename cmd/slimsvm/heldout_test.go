package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestHeldOut: the answers of cv --out are those of models that are trained by hand without
// the rows of a fold, each beside its row.
func TestHeldOut(t *testing.T) {
	const folds = 3
	data := "x,k\n"
	for i := range 40 { // rows differ by x, and every eighth has no label
		label := []string{"a", "b c"}[i*i%7/2%2]
		if i%8 == 3 {
			label = ""
		}
		data += fmt.Sprintf("%v,%s\n", float64(i*37%40)+0.5, label)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data.csv", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	must := func(line string) string {
		t.Helper()
		out, said, status := slimsvmSays(t, strings.Fields(line)...)
		if status != 0 {
			t.Fatalf("%s: %s", line, said)
		}
		return out
	}
	must("cv --quiet --folds 3 --seed 4 --gamma 0.1 --cost 8 --out answers data.csv")
	answers := strings.Split(strings.TrimSuffix(read(t, "answers"), "\n"), "\n")
	rows := strings.Split(strings.TrimSuffix(data, "\n"), "\n")[1:]
	if len(answers) != len(rows) {
		t.Fatalf("%d answers to %d rows", len(answers), len(rows))
	}
	byRow, wrong, right := map[string]string{}, 0, 0
	for i, row := range rows {
		x, label, _ := strings.Cut(row, ",")
		byRow[x] = answers[i]
		switch {
		case (label == "") != (answers[i] == "?"):
			t.Errorf("row %s: %s", row, answers[i])
		case label == "":
		case label == answers[i]:
			right++
		default:
			wrong++
		}
	}
	if right < 5 || wrong < 5 {
		t.Fatalf("%d right and %d wrong answers", right, wrong)
	}
	seen := 0
	for fold := 1; fold <= folds; fold++ {
		must(fmt.Sprintf("split --quiet --folds 3 --seed 4 --fold %d data.csv train.csv test.csv", fold))
		must("train --quiet --gamma 0.1 --cost 8 train.csv model")
		for line := range strings.Lines(must("predict --quiet --format csv test.csv model")) {
			if cells := strings.Split(strings.TrimSpace(line), ","); cells[0] != "x" {
				if seen++; byRow[cells[0]] != cells[2] {
					t.Errorf("fold %d, row %v: %s, want %s", fold, cells, byRow[cells[0]], cells[2])
				}
			}
		}
	}
	if seen != right+wrong {
		t.Errorf("%d rows in the folds, want %d", seen, right+wrong)
	}

	var all validated
	if err := json.Unmarshal([]byte(must("cv --json --folds 3 --seed 4 --gamma 0.1 --cost 8 --threads 3 --out again data.csv")), &all); err != nil {
		t.Fatal(err)
	}
	if *all.Correct != right || read(t, "again") != read(t, "answers") {
		t.Errorf("%d answers are right, want %d, or others with 3 threads", *all.Correct, right)
	}
}

// TestHeldOutProbabilities: with --probability the answer is the likeliest label, and a label
// that a fold does not know has no chance. Rows of weight 0 have no answer.
func TestHeldOutProbabilities(t *testing.T) {
	const data = "@relation r\n@attribute x numeric\n@attribute k {a,'b c',rare}\n@data\n" +
		"1,a\n5,'b c'\n1.1,a\n9,a,{0}\n5.1,'b c'\n1.2,a\n5.2,'b c'\n1.3,a\n5.3,'b c'\n20,rare\n"
	t.Chdir(t.TempDir())
	if err := os.WriteFile("data.arff", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said, status := slimsvmSays(t, "cv", "--quiet", "--folds", "2", "--cost", "10", "--probability", "--out", "answers", "data.arff"); status != 0 {
		t.Fatal(said)
	}
	lines := strings.Split(strings.TrimSuffix(read(t, "answers"), "\n"), "\n")
	if len(lines) != 11 || lines[0] != `labels a "b c" rare` || lines[4] != "? ? ? ?" {
		t.Fatalf("%q", lines)
	}
	if last := lines[10]; !strings.HasSuffix(last, " 0") {
		t.Errorf("the rare label, which no other row has: %s", last)
	}
	for i, line := range lines[1:] {
		if i == 3 {
			continue
		}
		words := strings.Fields(strings.Replace(line, `"b c"`, "b", 1))
		most, sum, of := 0.0, 0.0, map[string]float64{}
		for k, label := range []string{"a", "b", "rare"} {
			p, err := strconv.ParseFloat(words[k+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum, most, of[label] = sum+p, max(most, p), p
		}
		if of[words[0]] != most || sum < 0.99999 || sum > 1.00001 {
			t.Errorf("%s: that is not the likeliest, or the sum is %v", line, sum)
		}
	}
}

// TestHeldOutTargets: of a regression the answers are the numbers whose errors cv tells.
func TestHeldOutTargets(t *testing.T) {
	t.Chdir(t.TempDir())
	data := ""
	for i := range 30 {
		data += fmt.Sprintf("%v 1:%v 2:1\n", float64(i)*float64(i)/7, float64(i)/30)
	}
	if err := os.WriteFile("data", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	out, said, status := slimsvmSays(t, "cv", "--json", "--method", "epsilon-svr", "--out", "answers", "data")
	var all validated
	if status != 0 || json.Unmarshal([]byte(out), &all) != nil {
		t.Fatal(said)
	}
	sum, n := 0.0, 0
	for i, line := range strings.Split(strings.TrimSpace(read(t, "answers")), "\n") {
		v, err := strconv.ParseFloat(line, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum, n = sum+(v-float64(i)*float64(i)/7)*(v-float64(i)*float64(i)/7), n+1
	}
	want := float64(*all.MeanSquaredError)
	if got := sum / float64(n); n != 30 || got < want*0.999999 || got > want*1.000001 {
		t.Errorf("mean squared error of %d answers %v, want %v", n, got, want)
	}
}

// TestHeldOutPlaces: answers that have no place are refused before anything is read.
func TestHeldOutPlaces(t *testing.T) {
	if status, _, stderr := slimsvm(t, "cv --folds 2 --scale normalize --out out.csv a.arff"); status != 0 || !strings.Contains(stderr, "out.csv: only predictions are written, not csv") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("answers that cannot be written are not tried: %v", err)
	} else if status, stdout, stderr := slimsvm(t, "cv --folds 2 --scale normalize --out /dev/full a.arff"); status != statusFailed || !strings.HasPrefix(stdout, "accuracy ") || stderr == "" {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	for line, want := range map[string]string{
		"cv --out - a.arff":              "the score on standard output: --out needs a file",
		"cv --json --out - a.arff":       "the score on standard output: --out needs a file",
		"cv --repeat 2 --out out a.arff": "--out has one answer for each row, and --repeat 2 makes more",
		"cv --out a.arff a.arff":         "are the same file",
	} {
		if status, _, stderr := slimsvm(t, line); status != statusUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
	}
}

// TestHeldOutTable: the table has the answers of the text beside the rows' numbers, folds and labels, and the folds are
// those of split; rows in no fold have nothing.
func TestHeldOutTable(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "x,k\n"
	for i := range 40 {
		label := []string{"a", `"b, c"`}[i*i%7/2%2]
		if i%8 == 3 {
			label = ""
		}
		text += fmt.Sprintf("%v,%s\n", float64(i*37%40)+0.5, label)
	}
	write(t, "data.csv", text)
	do := func(line string) {
		t.Helper()
		if status, _, stderr := spaced(t, line); status != 0 || strings.Contains(strings.TrimPrefix(stderr, "warning: data.csv: rows without a label are left out: 5\n"), "warning") {
			t.Fatalf("%s: %s", line, stderr)
		}
	}
	const options = " --folds 3 --seed 4 --gamma 0.1 --cost 8 --probability "
	do("cv -q --out text data.csv" + options)
	do("cv --out table.csv --format csv data.csv" + options)
	do("cv --out table.tsv --format tsv data.csv" + options)
	do("cv --out table.arff --format arff data.csv" + options)
	lines := strings.Split(strings.TrimSuffix(read(t, "text"), "\n"), "\n")
	table := strings.Split(strings.TrimSuffix(read(t, "table.csv"), "\n"), "\n")
	if want := `row,fold,label,predicted,probability a,"probability b, c"`; table[0] != want || lines[0] != `labels a "b, c"` || len(table) != 41 || len(lines) != 41 {
		t.Fatalf("%d rows of %s, want %s; %s", len(table), table[0], want, lines[0])
	}
	var held [3]string // the rows of each fold
	for i, row := range strings.Split(strings.TrimSuffix(text, "\n"), "\n")[1:] {
		_, label, _ := strings.Cut(row, ",")
		if label == "" {
			if want := fmt.Sprintf("%d,,,,,", i+1); table[i+1] != want || lines[i+1] != "? ? ?" {
				t.Errorf("%s: %s, want %s", row, table[i+1], want)
			}
			continue
		}
		answer := strings.ReplaceAll(strings.Replace(lines[i+1], `"b, c"`, "b;c", 1), " ", ",")
		answer = strings.Replace(answer, "b;c", `"b, c"`, 1)
		fold, err := strconv.Atoi(strings.Split(table[i+1], ",")[1])
		if err != nil || fold < 1 || fold > 3 {
			t.Fatalf("%s: %v", table[i+1], err)
		}
		held[fold-1] += row + "\n"
		prefix := fmt.Sprintf("%d,%d,%s,", i+1, fold, label)
		rest, ok := strings.CutPrefix(table[i+1], prefix)
		if !ok || !sameNumbers(rest, answer) {
			t.Errorf("%s: %s, want %s%s", row, table[i+1], prefix, answer)
		}
	}
	for fold := range held {
		do(fmt.Sprintf("split -q data.csv first rest --to csv --folds 3 --seed 4 --fold %d", fold+1))
		if got := read(t, "rest"); got != "x,k\n"+held[fold] {
			t.Errorf("fold %d has rows %s, of split %s", fold+1, held[fold], got)
		}
	}
	for _, other := range []string{"table.tsv", "table.arff"} {
		do("convert " + other + " back.csv")
		if got := read(t, "back.csv"); got != read(t, "table.csv") {
			t.Errorf("%s: %s", other, got)
		}
	}
	write(t, "t.libsvm", "1.5 1:1\n2.25 1:2\n3 1:3\n4.5 1:4\n")
	do("cv --out table.csv --format csv t.libsvm --method epsilon-svr --kernel linear --folds 2")
	do("cv -q --out text t.libsvm --method epsilon-svr --kernel linear --folds 2")
	table = strings.Split(read(t, "table.csv"), "\n")
	for i, answer := range strings.Fields(read(t, "text")) {
		if cells := strings.Split(table[i+1], ","); cells[2] != []string{"1.5", "2.25", "3", "4.5"}[i] || !sameNumbers(cells[3], answer) {
			t.Errorf("target %d: %s, want %s", i+1, table[i+1], answer)
		}
	}
	write(t, "date.arff", "@relation r\n@attribute x numeric\n@attribute y date yyyy-MM-dd\n@data\n1,2020-01-01\n2,2020-01-05\n3,2020-01-09\n4,2020-02-01\n")
	do("cv --out table.csv --format csv date.arff --method epsilon-svr --folds 2")
	table = strings.Split(read(t, "table.csv"), "\n")
	for i, day := range []string{"2020-01-01", "2020-01-05", "2020-01-09", "2020-02-01"} {
		if cells := strings.Split(table[i+1], ","); cells[2] != day+"T00:00:00.000Z" || !strings.HasPrefix(cells[3], "2020-01-") || !strings.HasSuffix(cells[3], "Z") {
			t.Errorf("date %d: %s", i+1, table[i+1])
		}
	}
	for line, want := range map[string]string{
		"cv --format csv data.csv":                    "--format goes with --out",
		"cv --format libsvm --out out data.csv":       `--format "libsvm": expected text, csv, tsv or arff`,
		"cv --format csv --repeat 2 --out o data.csv": "--out has one answer for each row",
	} {
		if status, _, stderr := spaced(t, line); status != statusUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
	}
}

// sameNumbers reports whether the cells of two lines are the same but for how numbers are written.
func sameNumbers(a, b string) bool {
	x, y := strings.Split(a, ","), strings.Split(b, ",")
	for i := range x {
		if len(x) != len(y) {
			return false
		}
		v, err := strconv.ParseFloat(x[i], 64)
		w, wrong := strconv.ParseFloat(y[i], 64)
		if x[i] != y[i] && (err != nil || wrong != nil || v-w > 1e-5*(1+v) || w-v > 1e-5*(1+v)) {
			return false
		}
	}
	return true
}

// TestHeldOutOtherLabels: a table has the labels of rows as they are, though no model may answer with them: of a
// one-class method those other than 1 and -1, of classes such as are cut. They were the first label of all.
func TestHeldOutOtherLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ method, labels string }{
		{"oneclass", "3 7 1 -1 0 3 7 1 -1 0 3 7"},
		{"csvc", "2 0.5 1 2 1.5 0 2 0.5 1 2 1 0"},
	} {
		labels, data := strings.Fields(c.labels), ""
		for i, label := range labels {
			data += fmt.Sprintf("%s 1:%d 2:%d\n", label, i*i%7, i)
		}
		if err := os.WriteFile("data", []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"csv", "arff"} {
			if _, said, status := slimsvmSays(t, "cv", "--quiet", "--folds", "3", "--method", c.method, "--out", "table", "--format", format, "data"); status != 0 {
				t.Fatal(said)
			}
			table := read(t, "table")
			for i, label := range labels {
				quote := map[string]string{"csv": `"`}[format]
				if row := fmt.Sprintf("\n%d,%d,%s%s%s,", i+1, foldOf(t, table, i), quote, label, quote); !strings.Contains(table, row) {
					t.Errorf("%s, %s: no %q in\n%s", c.method, format, row, table)
				}
			}
		}
	}
}

// foldOf returns the fold of row i in a table.
func foldOf(t *testing.T, table string, i int) (fold int) {
	t.Helper()
	_, rest, found := strings.Cut(table, fmt.Sprintf("\n%d,", i+1))
	if _, err := fmt.Sscanf(rest, "%d,", &fold); !found || err != nil {
		t.Fatalf("row %d: %v in\n%s", i+1, err, table)
	}
	return fold
}
