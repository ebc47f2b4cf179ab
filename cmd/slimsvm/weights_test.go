package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// writeWeighted writes rows with weights, some of them 0, in all ways that there are, and returns the
// options with which each is read.
func writeWeighted(t *testing.T) (all map[string]string) {
	t.Helper()
	rng := train.NewRand(4)
	labels := []string{"red", "dark blue", "green"}
	const header = "@relation ''\n@attribute a numeric\n@attribute kind {u,v,w}\n%s@attribute b numeric\n@attribute class {red,'dark blue',green}\n%s@data\n"
	var own, plain, list, last, numbers strings.Builder
	fmt.Fprintf(&own, header, "", "")
	column := new(strings.Builder)
	fmt.Fprintf(column, header, "@attribute 'the w' numeric\n", "")
	plain.WriteString("a,kind,b,class\n")
	last.WriteString("a,kind,b,class,the w\n")
	for i := range 70 {
		k := i % 3
		value := func() string { return fmt.Sprint(float64(k) + float64(rng.Int()%1000)/400) }
		a, b, kind := value(), value(), string("uvw"[(i/3+rng.Int()%2)%3])
		if i < 3 {
			kind = string("uvw"[i]) // labels of CSV are numbered as they come
		}
		weight := []string{"1", "0.25", "3", "0", "1e-3", "17.5"}[rng.Int()%6]
		fmt.Fprintf(&own, "%s,%s,%s,'%s',{%s}\n", a, kind, b, labels[k], weight)
		fmt.Fprintf(column, "%s,%s,%s,%s,'%s'\n", a, kind, weight, b, labels[k])
		fmt.Fprintf(&plain, "%s,%s,%s,%s\n", a, kind, b, labels[k])
		fmt.Fprintf(&last, "%s,%s,%s,%s,%s\n", a, kind, b, labels[k], weight)
		fmt.Fprintln(&list, weight)
		fmt.Fprintf(&numbers, "%d 1:%s 2:%s\n", k, a, b)
	}
	for name, text := range map[string]string{
		"own.arff": own.String(), "column.arff": column.String(), "plain.csv": plain.String(), "w": list.String(), "last.csv": last.String(), "n.libsvm": numbers.String(),
		"comma.csv": strings.NewReplacer(",", ";", ".", ",").Replace(last.String()),
	} {
		write(t, name, text)
	}
	return map[string]string{
		"own.arff": "", "column.arff": "--weight-column 3", "plain.csv": "--weight-file w", "last.csv": "--weight-column last", "comma.csv": "--weight-column the\u00a0w",
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// spaced runs a command line in which a no-break space is part of a word.
func spaced(t *testing.T, line string) (status int, stdout, stderr string) {
	t.Helper()
	words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' })
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "\u00a0", " ")
	}
	var out, errs bytes.Buffer
	status = run(context.Background(), words, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// Wherever the weights of rows stand, models are the same to the last bit, and so are scores.
func TestWeightsAnywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	ways := writeWeighted(t)
	numbers := func(text string) string { // but for a name
		return strings.ReplaceAll(text, `,"decimal":","`, "")
	}
	for _, method := range []string{"--method csvc --probability", "--method nusvc --nu 0.1", "--method csvc --weight balanced --scale standardize", "--method ssvm", "--method ssvm --stream",
		"--method joint --vectors 4", "--method cs", "--method mkc", "--method epsilon-svr --class a", "--method nu-svr --class b --probability", "--method oneclass"} {
		want := ""
		for _, data := range []string{"own.arff", "column.arff", "plain.csv", "last.csv", "comma.csv"} {
			if status, _, stderr := spaced(t, "train -q "+data+" m "+method+" "+ways[data]); status != 0 {
				t.Fatalf("%s, %s: %s", method, data, stderr)
			}
			switch model := numbers(read(t, "m")); {
			case want == "":
				want = model
			case model != want:
				t.Errorf("%s, %s: another model than that of ARFF with weights", method, data)
			}
		}
	}
	for _, line := range []string{"cv --json -q --stats --probability", "cv --json -q --class a --method epsilon-svr", "grid --json -q --score log-loss --log2c 0,2,2 --log2g -2,0,2",
		"grid --json -q --score balanced-accuracy --log2c 0,2,2 --log2g -2,0,2", "reduce --json -q --vectors 5 --max-error 0.5 --out r"} {
		want := ""
		for _, data := range []string{"own.arff", "column.arff", "plain.csv", "last.csv"} {
			words := line + " " + data
			if strings.HasPrefix(line, "reduce") {
				spaced(t, "train -q own.arff big")
				words = "reduce --json -q --vectors 5 --max-error 0.5 big " + data + " r"
			}
			status, stdout, stderr := spaced(t, words+" "+ways[data])
			var said map[string]any
			if err := json.Unmarshal([]byte(stdout), &said); err != nil || status != 0 {
				t.Fatalf("%s, %s: %v %s %s", line, data, err, stdout, stderr)
			}
			for _, key := range []string{"seconds", "data", "file"} {
				delete(said, key)
			}
			if strings.HasPrefix(line, "reduce") {
				said["model"] = read(t, "r")
			}
			text, _ := json.Marshal(said)
			switch {
			case want == "":
				want = string(text)
			case string(text) != want:
				t.Errorf("%s, %s:\n%s\nof ARFF with weights\n%s", line, data, text, want)
			}
		}
	}
}

// A model knows nothing of the column: data to predict may have it or not, and it counts in the score
// where the options say so. Tables of answers have it as it stood.
func TestWeightColumnPredicts(t *testing.T) {
	t.Chdir(t.TempDir())
	ways := writeWeighted(t)
	if status, _, stderr := spaced(t, "train -q last.csv m --weight-column last"); status != 0 || stderr != "" {
		t.Fatal(stderr)
	}
	predict := func(line string) (answers, said string) {
		status, stdout, stderr := spaced(t, "predict "+line)
		if status != 0 {
			t.Fatalf("%s: %s", line, stderr)
		}
		return stdout, stderr
	}
	answers, score := predict("own.arff m")
	plain, unweighted := predict("plain.csv m")
	if plain != answers || unweighted == score || !strings.Contains(score, "by weight, 70 rows") {
		t.Fatalf("%s, without weights %s", score, unweighted)
	}
	for data, options := range ways {
		if got, said := predict(data + " m " + options); got != answers || said != score {
			t.Errorf("%s: %s, want %s", data, said, score)
		}
		if data == "own.arff" || data == "plain.csv" {
			continue
		}
		if got, said := predict(data + " m"); got != answers || said != unweighted {
			t.Errorf("%s without its weights: %s, want %s", data, said, unweighted)
		}
		table, _ := predict(data + " m --format csv " + options)
		if first, _, _ := strings.Cut(table, "\n"); !strings.HasSuffix(first, "predicted") || strings.Count(first, "the w") != 1 {
			t.Errorf("%s: a table with %s", data, first)
		}
		if table, _ := predict(data + " m --format arff " + options); strings.Contains(table, "{1}") || strings.Contains(table, "{0.25}") {
			t.Errorf("%s: weights twice:\n%s", data, table)
		}
	}
	table, _ := predict("plain.csv m --format csv --weight-file w")
	if first, _, _ := strings.Cut(table, "\n"); first != "a,kind,b,class,predicted,weight" {
		t.Errorf("a table with %s", first)
	}
}

// Weights come through conversions there and back.
func TestConvertWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	ways := writeWeighted(t)
	do := func(line string) {
		t.Helper()
		if status, _, stderr := spaced(t, line); status != 0 || stderr != "" {
			t.Fatalf("%s: %s", line, stderr)
		}
	}
	do("convert own.arff own2.arff")
	want := read(t, "own2.arff")
	for data, options := range ways {
		do("convert " + data + " o.arff " + options)
		if got := read(t, "o.arff"); got != want {
			t.Errorf("%s: in ARFF\n%s\nwant\n%s", data, got, want)
		}
		do("convert " + data + " o.csv --weights-to ww " + options)
		do("convert o.csv o.arff --weight-column ww")
		if got := read(t, "o.arff"); got != want {
			t.Errorf("%s: through CSV\n%s\nwant\n%s", data, got, want)
		}
	}
	if first, _, _ := strings.Cut(read(t, "o.csv"), "\n"); first != "a,kind,b,ww,class" {
		t.Error(first)
	}
	write(t, "id.csv", "id,x,y,w\n007,1,a,02\n08,2,b,1\n")
	do("convert id.csv o.csv --weight-column w --weights-to v")
	if got := read(t, "o.csv"); got != "id,x,v,y\n007,1,2,a\n08,2,1,b\n" {
		t.Errorf("digits beside a column of weights: %s", got)
	}
	write(t, "id.csv", "id,w,y\n007,0.5,0010\n08,2,0020\n")
	do("convert id.csv o.csv --weight-column w --weights-to v")
	if got := read(t, "o.csv"); got != "id,v,y\n007,0.5,0010\n08,2,0020\n" {
		t.Errorf("digits behind a column of weights: %s", got)
	}
	do("convert n.libsvm o.arff --weight-file w")
	do("convert o.arff o.csv --weights-to w2")
	do("train -q o.csv m --weight-column w2 --method csvc --nominal last --gamma 0.5")
	do("train -q n.libsvm m2 --weight-file w --gamma 0.5")
	if body(read(t, "m")) != body(read(t, "m2")) {
		t.Error("the weights of LIBSVM's rows got lost on the way")
	}
	do("split -q last.csv first rest --weight-column 5")
	do("split -q plain.csv first2 rest2")
	if got := len(strings.Split(read(t, "first"), "\n")); got != len(strings.Split(read(t, "first2"), "\n")) || !strings.HasPrefix(read(t, "first"), "a,kind,b,class,the w\n") {
		t.Error("split:", got)
	}
	write(t, "s.csv", "x,y,w\n1,a,5\n3,b,2\n")
	do("scale s.csv o.csv --weight-column w")
	if got := read(t, "o.csv"); got != "x,y,w\n-1,a,5\n1,b,2\n" {
		t.Errorf("scaled: %s", got)
	}
}

// Weights count in the mean target that errors are told relative to, wherever they stand.
func TestWeightedMeanTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "w", "1\n2\n1\n1\n3\n1\n")
	write(t, "y.libsvm", "1 1:1\n2 1:2\n3 1:3\n10 1:4\n5 1:5\n7 1:6\n")
	write(t, "y.csv", "x,w,y\n1,1,1\n2,2,2\n3,1,3\n4,1,10\n5,3,5\n6,1,7\n")
	const options = "cv --method epsilon-svr --folds 3 --stats "
	for line, want := range map[string]string{
		"--weight-file w y.libsvm":  "absolute error 94.0864%, root squared error 95.8741%\n",
		"--weight-column w y.csv":   "absolute error 94.0864%, root squared error 95.8741%\n",
		"y.libsvm":                  "absolute error 100.117%, root squared error 100.517%\n",
		"--drop w y.csv --class y ": "absolute error 100.117%, root squared error 100.517%\n",
	} {
		if status, stdout, stderr := spaced(t, options+line); status != 0 || !strings.HasSuffix(stdout, "relative to the mean in training: "+want) {
			t.Errorf("%s: %s%s, want %s", line, stdout, stderr, want)
		}
	}
}

// body is what stands behind the labels of a model, but for its inputs.
func body(model string) string {
	_, text, _ := strings.Cut(model, "\nSV\n")
	text, _, _ = strings.Cut(text, "slimsvm inputs\n")
	return text
}

// Weights that no row can have are reported with their places.
func TestWeightFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	writeWeighted(t)
	write(t, "bad.csv", "a,class,w\n1,x,-1\n2,y,inf\n3,x,\n4,y,abc\n5,x,NaN\n6,y,2,7\n\"7\n\",y,-2\n8,x,1\n")
	write(t, "bad.arff", "@relation r\n@attribute a numeric\n@attribute w numeric\n@attribute s {u,v}\n@data\n1,2,u\n2,-1,v\n3,?,v\n3,2,u,{2}\n{0 1,2 v}\n5,2\n4,-7,u\n")
	write(t, "comma.csv", "a,class,w\n1,x,\"1,5\"\n2,y,2\n")
	write(t, "large.csv", "a,class,w\n1,x,1\n2,y,1e999\n")
	write(t, "alone.csv", "w\n1\n")
	write(t, "w1", strings.Repeat("1\n", 69))
	write(t, "w2", "1\n\n1\n")
	write(t, "w3", "sample_weight\n1\n")
	write(t, "w4", "1\r\n-1\r\n")
	write(t, "w5", "\ufeff1\r\n1\r\n\r\n")
	write(t, "w6", strings.Repeat("1", 5000))
	for _, c := range []struct{ line, want string }{
		{"check bad.csv --weight-column w", `bad.csv:2:5: column "w": weight -1: expected a finite number, 0 or more
bad.csv:3:5: column "w": weight +Inf: expected a finite number, 0 or more
bad.csv:4:5: column "w": the weight is missing
bad.csv:5:5: column "w": expected a weight, found "abc"
bad.csv:6:5: column "w": expected a weight, found "NaN"
bad.csv:7:7: cell 4 is one too many: expected 3 as in the first line, found "7"
hint: put a cell that contains a separator in quotes
bad.csv:9:5: column "w": weight -2: expected a finite number, 0 or more
`},
		{"check bad.csv --weight-column w --max 2", "bad.csv:2:5: column \"w\": weight -1: expected a finite number, 0 or more\nbad.csv:3:5: column \"w\": weight +Inf: expected a finite number, 0 or more\nbad.csv: more faults are not listed, see --max\n"},
		{"check bad.csv --weight-column v", `bad.csv: no column is named "v"`},
		{"check bad.arff --weight-column w", `bad.arff:7: column "w": weight -1: expected a finite number, 0 or more
bad.arff:8: column "w": the weight is missing
bad.arff:9: the row has a weight of its own, 2, beside that of column "w"
bad.arff:11:4: expected a value of attribute "s", found the end of the line: 2 values of 3
hint: write ? for a missing value; put a text with blanks or commas in quotes
bad.arff:12: column "w": weight -7: expected a finite number, 0 or more
`},
		{"train bad.csv m --weight-column last", "slimsvm: bad.csv:2:5: column \"w\": weight -1: expected a finite number, 0 or more\n"},
		{"train bad.arff m --weight-column w", "slimsvm: bad.arff:7: column \"w\": weight -1: expected a finite number, 0 or more\n"},
		{"train bad.arff m --weight-column s", "slimsvm: bad.arff: column \"s\" is not numeric, and cannot hold the weights of rows\n"},
		{"train comma.csv m --weight-column w", "slimsvm: comma.csv:2:5: the number \"1,5\" has a comma"},
		{"predict comma.csv m --weight-column w", "slimsvm: comma.csv:2:5: column \"w\": the number \"1,5\" has a comma"},
		{"train large.csv m --weight-column w", "slimsvm: large.csv:3:5: the number \"1e999\" is too large"},
		{"train alone.csv m --weight-column w", "slimsvm: alone.csv: column \"w\" has the weights of rows, and cannot have their labels\n"},
		{"train last.csv m --weight-column 4 --class class", "slimsvm: last.csv: column \"class\" has the weights of rows, and cannot have their labels\n"},
		{"train last.csv m --weight-column W", "slimsvm: last.csv: there is no column \"W\" for the weights of rows: expected the name of one, first, last, or a number from 1 to 5\n"},
		{"train own.arff m --weight-column wc", "slimsvm: own.arff: no column is named \"wc\"\n"},
		{"train last.csv m --weight-column=", "slimsvm: --weight-column \"\": expected a value\n"},
		{"train last.csv m --weight-column last --weight-file w", "slimsvm: --weight-column and --weight-file do not go together\n"},
		{"train last.csv m --weight-column last --as weka-libsvm", "slimsvm: --as weka-libsvm trains without the weights of rows, as Weka's class does\n"},
		{"train last.csv m --weight-column last --method psvm", "slimsvm: last.csv: the data set weights its rows, which this method cannot\n"},
		{"train n.libsvm m --weight-column 1", "slimsvm: --weight-column is for CSV and ARFF, but n.libsvm is libsvm; --weight-file is for all formats\n"},
		{"train n.libsvm m --weight-file w1", "slimsvm: n.libsvm: there are 70 rows, but 69 weights in w1\n"},
		{"train n.libsvm m --weight-file w5", "slimsvm: n.libsvm: there are 70 rows, but 2 weights in w5\n"},
		{"train alone.csv m --weight-file w", "slimsvm: alone.csv: there is 1 row, but 70 weights in w\n"},
		{"train n.libsvm m --weight-file w2", "slimsvm: w2:2: the line is empty, expected a weight\n"},
		{"train n.libsvm m --weight-file w3", "slimsvm: w3:1: expected a weight, found \"sample_weight\"\n"},
		{"train n.libsvm m --weight-file w4", "slimsvm: w4:2: weight -1: expected a finite number, 0 or more\n"},
		{"train n.libsvm m --weight-file w6", "slimsvm: w6:1: the line is too long, expected a weight\n"},
		{"train own.arff m --weight-file w", "slimsvm: own.arff:7: the row has a weight of its own, "},
		{"train n.libsvm w --weight-file w", "slimsvm: --weight-file, w, and MODEL, w, are the same file\n"},
		{"train n.libsvm m --weight-file -", "slimsvm: --weight-file reads a file, not standard input\n"},
		{"convert own.arff o.csv", "slimsvm: own.arff:7: a table cannot hold the weight 3, expected 1\n"},
		{"convert own.arff o.svm --to libsvm", "slimsvm: own.arff:7: weight 3 of a row, expected 1: "},
		{"convert own.arff o.libsvm --weights-to v", "slimsvm: --weights-to names a column, but LIBSVM and SVMlight files have none\n"},
		{"convert own.arff o.csv --weights-to a", "slimsvm: --weights-to \"a\": there is a column of that name\n"},
	} {
		if strings.HasPrefix(c.line, "predict") {
			write(t, "good.csv", "a,class\n1,x\n2,y\n")
			spaced(t, "train -q good.csv m")
		}
		status, stdout, stderr := spaced(t, c.line)
		if said := stdout + stderr; status == 0 || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: status %d\n%s\nwant\n%s", c.line, status, said, c.want)
		}
	}
}

// Rows of --extra have weights if they have the column, and 1 each else.
func TestWeightColumnOfExtra(t *testing.T) {
	t.Chdir(t.TempDir())
	writeWeighted(t)
	models := map[string]string{}
	for name, line := range map[string]string{
		"column": "last.csv m --weight-column 5 --extra column.arff", "own": "own.arff m --extra own.arff",
		"none": "last.csv m --weight-column last --extra plain.csv", "list": "plain.csv m --weight-file w --extra plain.csv",
	} {
		if status, _, stderr := spaced(t, "train -q --method joint --vectors 4 "+line); status != 0 {
			t.Fatalf("%s: %s", line, stderr)
		}
		models[name] = read(t, "m")
	}
	if models["column"] != models["own"] || models["none"] != models["list"] || models["own"] == models["none"] {
		t.Error("other models:", models["column"] == models["own"], models["none"] == models["list"])
	}
}

// Weights of rows count in the probabilities as in the machines, so that who answers with the likeliest label heeds them
// too. Those of classes have no part in it, as in LIBSVM, one against the rest neither.
func TestWeightedProbabilities(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := train.NewRand(6)
	normal := func() (sum float64) {
		for range 12 {
			sum += float64(rng.Int()%1000)/1000 - 0.5
		}
		return sum
	}
	var two, three, likewise strings.Builder
	two.WriteString("x,w,c\n")
	three.WriteString("x,w,c\n")
	for i := range 240 {
		fmt.Fprintf(&two, "%v,%d,%c\n", float64(i%2)+normal(), []int{1, 8}[i%2], "ab"[i%2])
		x := float64(i%3)/2 + normal()
		fmt.Fprintf(&three, "%v,%d,%c\n", x, []int{1, 8, 1}[i%3], "abc"[i%3])
		fmt.Fprintln(&likewise, []string{"1", "8", "1"}[i%3])
	}
	write(t, "two.csv", two.String())
	write(t, "three.csv", three.String())
	for _, c := range []struct{ data, options string }{
		{"two.csv", "--method csvc"}, {"three.csv", "--method csvc"}, {"three.csv", "--method csvc --multiclass ovr"}, {"two.csv", "--method nusvc --nu 0.1"},
		{"two.csv", "--method ssvm"}, {"two.csv", "--method mkc"}, {"two.csv", "--method cs"}, {"three.csv", "--method joint --vectors 4"},
	} {
		for _, line := range []string{"train -q --probability m --weight-column w " + c.data, "predict -q --json --probability --out o --weight-column w " + c.data + " m"} {
			line = strings.Replace(line, " m --weight-column w "+c.data, " "+c.data+" m --weight-column w "+c.options, 1)
			status, stdout, stderr := spaced(t, line)
			if status != 0 {
				t.Fatalf("%s: %s", line, stderr)
			}
			var s scored
			if !strings.HasPrefix(line, "predict") {
				continue
			}
			if err := json.Unmarshal([]byte(stdout), &s); err != nil {
				t.Fatal(err)
			}
			if !(*s.Accuracy > 0.75) {
				t.Errorf("%s, %s: the likeliest labels are right with %v by weight", c.data, c.options, *s.Accuracy)
			}
		}
	}
	parts := func(options string) (machines, sigmoids string) {
		if status, _, stderr := spaced(t, "train -q --probability --multiclass ovr three.csv m --method csvc "+options); status != 0 {
			t.Fatal(stderr)
		}
		model := read(t, "m")
		_, sigmoids, _ = strings.Cut(model, "\nprobA ")
		sigmoids, _, _ = strings.Cut(sigmoids, "\nnr_sv")
		return body(model), sigmoids
	}
	machines, rows := parts("--weight-column w")
	again, classes := parts("--drop w --weight b=8")
	if machines != again || rows == classes || rows == "" || classes == "" {
		t.Errorf("machines alike: %v; sigmoids by weights of rows %s, of classes %s", machines == again, rows, classes)
	}
}

// TestBalancedLeast: the weights of classes are balanced whatever their numbers are, the least of 32 bits too.
func TestBalancedLeast(t *testing.T) {
	t.Chdir(t.TempDir())
	var models []string
	for _, label := range []string{"-2147483648", "-2147483647"} {
		var rows strings.Builder
		for i := range 12 {
			fmt.Fprintf(&rows, "%s 1:%d\n", map[bool]string{true: label, false: "1"}[i%4 == 0], i*i%7)
		}
		if err := os.WriteFile("d", []byte(rows.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := spaced(t, "train -q --weight balanced d m"); status != 0 {
			t.Fatal(stderr)
		}
		models = append(models, strings.Replace(read(t, "m"), label, "least", 1))
	}
	if models[0] != models[1] {
		t.Errorf("%s\nwant\n%s", models[0], models[1])
	}
}
