package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/train"
)

// writeGrouped writes rows of groups in all formats, and returns the options with which each is read. A group's rows are
// close together, and have one label that says nothing of those of others.
func writeGrouped(t *testing.T) (ways map[string]string, groups []string) {
	t.Helper()
	rng := train.NewRand(9)
	uniform := func() float64 { return float64(rng.Int()%10000) / 10000 }
	var csv, last, comma, both, numbers, list, libsvm strings.Builder
	var texts, nominal, weights strings.Builder
	csv.WriteString("a,who,b,class\n")
	last.WriteString("a,b,class,who\n")
	both.WriteString("a,b,class,w,who\n")
	numbers.WriteString("a,b,class,who\n")
	const header = "@relation ''\n@attribute a numeric\n%s@attribute b numeric\n@attribute class {dog,'a cat'}\n%s@data\n"
	names := make([]string, 24)
	for g := range names {
		names[g] = fmt.Sprintf("%04d, or %d", g%12, g)
	}
	fmt.Fprintf(&texts, header, "@attribute who string\n", "")
	fmt.Fprintf(&nominal, header, "", "@attribute who {'"+strings.Join(names, "','")+"'}\n")
	var rows []int
	for g := range names {
		rows = append(rows, slices.Repeat([]int{g}, 3+g%5)...)
	}
	rng.Shuffle(rows)
	place := make([][2]float64, len(names))
	for g := range place {
		place[g] = [2]float64{10 * uniform(), 10 * uniform()}
	}
	for _, g := range rows {
		a, b := fmt.Sprintf("%.3f", place[g][0]+uniform()/10), fmt.Sprintf("%.3f", place[g][1]+uniform()/10)
		label := []string{"dog", "a cat"}[g%2]
		fmt.Fprintf(&csv, "%s,\"%s\",%s,%s\n", a, names[g], b, label)
		fmt.Fprintf(&last, "%s,%s,%s,\"%s\"\n", a, b, label, names[g])
		fmt.Fprintf(&comma, "%s;%s;%s;\"%s\"\n", a, b, label, names[g])
		fmt.Fprintf(&both, "%s,%s,%s,1,\"%s\"\n", a, b, label, names[g])
		fmt.Fprintf(&numbers, "%s,%s,%s,%d\n", a, b, label, 9007199254740992+int64(g)) // odd ones are no float64
		fmt.Fprintf(&texts, "%s,'%s',%s,'%s'\n", a, names[g], b, label)
		fmt.Fprintf(&nominal, "%s,%s,'%s','%s'\n", a, b, label, names[g])
		fmt.Fprintf(&libsvm, "%d 1:%s 2:%s\n", 1-g%2, a, b)
		fmt.Fprintln(&list, names[g])
		fmt.Fprintln(&weights, 1)
		groups = append(groups, names[g])
	}
	for name, text := range map[string]string{
		"g.csv": csv.String(), "last.csv": last.String(), "both.csv": both.String(), "numbers.csv": numbers.String(),
		"comma.csv": "a;b;class;who\n" + strings.ReplaceAll(comma.String(), ".", ","),
		"text.arff": texts.String(), "nominal.arff": nominal.String(), "g.libsvm": libsvm.String(), "groups": list.String() + "\n",
	} {
		write(t, name, text)
	}
	return map[string]string{
		"g.csv": "--group-column who", "last.csv": "--group-column last", "both.csv": "--group-column who --weight-column w", "numbers.csv": "--group-column 4",
		"comma.csv": "--group-column who", "text.arff": "--group-column 2", "nominal.arff": "--group-column last", "g.libsvm": "--group-file groups",
	}, groups
}

// Wherever the groups of rows stand, folds are the same, no group is in two of them, and split divides as they do.
func TestGroupsAnywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	ways, groups := writeGrouped(t)
	do := func(line string) (said string) {
		t.Helper()
		status, stdout, stderr := spaced(t, line)
		if status != 0 {
			t.Fatalf("%s: %s", line, stderr)
		}
		return stdout
	}
	type result struct {
		Groups, Folds int
		Values        []float64
		Accuracy      float64
	}
	tell := func(text string) (r result) {
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	options := " --method csvc --gamma 2 --folds 4 --seed 3 "
	leaky := tell(do("cv -q --json last.csv --drop who --class class" + options))
	want := result{}
	for data, where := range ways {
		switch got := tell(do("cv -q --json " + data + options + where)); {
		case want.Groups == 0:
			want = got
		case fmt.Sprint(got) != fmt.Sprint(want):
			t.Errorf("%s: %+v, want %+v", data, got, want)
		}
	}
	if want.Groups != 24 || want.Folds != 4 || leaky.Accuracy < 0.9 || want.Accuracy > 0.75 {
		t.Errorf("%+v; with groups in several folds %v", want, leaky.Accuracy)
	}
	for data, where := range ways {
		held := map[string]int{} // the fold of each group
		of := make([]int, len(groups))
		for fold := range 4 {
			do(fmt.Sprintf("split -q %s first rest --to csv --folds 4 --seed 3 --fold %d %s", data, fold+1, where))
			// The rows of the parts stand in the order of the data.
			do("convert -q --to csv " + data + " all")
			first, rest := strings.Split(read(t, "first"), "\n"), strings.Split(read(t, "rest"), "\n")
			all := strings.Split(strings.TrimSuffix(read(t, "all"), "\n"), "\n")
			if len(all) == len(groups)+1 {
				all, first, rest = all[1:], first[1:], rest[1:]
			}
			for row, line := range all {
				switch {
				case line == first[0]:
					first = first[1:]
				case line == rest[0]:
					if at, seen := held[groups[row]]; seen && at != fold {
						t.Fatalf("%s: group %s is in folds %d and %d", data, groups[row], at, fold)
					}
					rest, held[groups[row]], of[row] = rest[1:], fold, of[row]+1
				default:
					t.Fatalf("%s: row %q is in no part", data, line)
				}
			}
		}
		if slices.Min(of) != 1 || slices.Max(of) != 1 {
			t.Errorf("%s: rows are in %v folds", data, of)
		}
		if data != "last.csv" {
			continue
		}
		for fold := range 4 {
			do(fmt.Sprintf("split -q %s first.csv rest.csv --folds 4 --seed 3 --fold %d %s", data, fold+1, where))
			do("train -q first.csv m --class class --drop who --method csvc --gamma 2")
			if got := tell(do("predict --json -q rest.csv m")); got.Accuracy != want.Values[fold] {
				t.Errorf("fold %d: %v of split's, %v of cv's", fold, got.Accuracy, want.Values[fold])
			}
		}
	}
	one := tell(do("cv -q --json last.csv --group-column who --folds 1000"))
	if one.Folds != 24 || len(one.Values) != 24 {
		t.Errorf("more folds than groups: %+v", one)
	}
	do("grid -q last.csv m --group-column who --log2c 0,2,2 --log2g 0,2,2 --folds 4")
	do("split -q last.csv all.csv other.csv --class class")
	do("convert -q --drop who all.csv bare.csv --class class")
	if a, b := do("predict -q all.csv m"), do("predict -q bare.csv m"); a != b {
		t.Error("the model of a grid depends on the column of groups")
	}
	searched := do("grid -q --json last.csv --group-column who --cost 1 --log2g 1,1,1 --folds 4 --seed 3")
	if got := tell(searched); got.Groups != 24 || !strings.Contains(searched, fmt.Sprintf(`"accuracy":%v}`, want.Accuracy)) {
		t.Errorf("grid: %s, want %v", searched, want.Accuracy)
	}
}

// TestRelationalGroups: a relational column has no groups. All rows counted as one.
func TestRelationalGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	const data = "@relation r\n@attribute a numeric\n@attribute b relational\n@attribute x numeric\n@end b\n@attribute k {p,q}\n@data\n" +
		"1,'1',p\n2,'2',q\n3,'3',p\n4,'4',q\n"
	if err := os.WriteFile("data.arff", []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = `slimsvm: data.arff: column "b" is relational, and cannot have the groups of rows` + "\n"
	for _, line := range []string{"cv --folds 2 --group-column b data.arff", "grid --folds 2 --group-column b data.arff", "split --group-column b data.arff first.arff"} {
		if _, said, status := slimsvmSays(t, strings.Fields(line)...); status != statusFailed || said != want {
			t.Errorf("%s: status %d, %s", line, status, said)
		}
	}
}

// TestRareGroups: labels with rows of one group, which no model that answers them knows, and of fewer groups than there
// are folds are warned of.
func TestRareGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	numbered := func(groups ...int) (data, list string) { // of each label
		var rows, of strings.Builder
		next := 1
		for label, n := range groups {
			for g := range n {
				for i := range 2 {
					fmt.Fprintf(&rows, "%d 1:%d 2:%d\n", label+1, 2*g+i, label)
					fmt.Fprintln(&of, next)
				}
				next++
			}
		}
		return rows.String(), of.String()
	}
	const wrong = "the models that predict these rows do not know their label, and they count as wrong\n"
	for _, c := range []struct {
		groups  []int
		options string
		want    string
	}{
		{[]int{6, 5}, "", ""},
		{[]int{6, 4}, "", ""}, // as many as folds
		{[]int{6, 1}, "", "warning: label 2 has rows of only 1 group: " + wrong + "warning: all rows are of one class\n"},
		{[]int{1, 6, 1}, "", "warning: 2 of 3 labels have rows of only 1 group, such as 1: " + wrong},
		{[]int{6, 2}, "", "warning: label 2 has rows of 2 groups: some of 4 folds have none of them\n"},
		{[]int{3, 6, 2}, "", "warning: 2 of 3 labels have rows of fewer groups than the 4 folds, such as 1: some folds have none of them\n"},
		{[]int{6, 2}, " --folds 7", "warning: 2 of 2 labels have rows of fewer groups than the 7 folds, such as 1: some folds have none of them\n"},
		{[]int{6, 2}, " --folds 8", ""}, // each group is a fold
		{[]int{6, 1}, " --method epsilon-svr", ""},
	} {
		data, list := numbered(c.groups...)
		write(t, "data", data)
		write(t, "groups", list)
		if status, _, stderr := spaced(t, "cv --folds 4 --group-file groups data"+c.options); status != 0 || stderr != c.want {
			t.Errorf("labels in %v groups%s: status %d, %s, want %s", c.groups, c.options, status, stderr, c.want)
		}
	}
	write(t, "groups", "1\n2\n3\n4\n5\n6\n7\n8\n")
	write(t, "data", strings.Repeat("1 1:1\n2 1:2\n", 4))
	want := "warning: groups: every row is a group of its own, so that the folds are as without groups\n"
	if _, _, stderr := spaced(t, "cv --folds 4 --group-file groups data"); stderr != want {
		t.Errorf("groups of one row: %s, want %s", stderr, want)
	}
}

// TestGroupsOfWeightless: rows of weight 0 are left out with their groups, as where neither file has them.
func TestGroupsOfWeightless(t *testing.T) {
	t.Chdir(t.TempDir())
	var all, some [3]string // rows, their groups and weights
	for i := range 60 {
		weight := i % 5 % 3
		lines := [3]string{fmt.Sprintf("%d 1:%d 2:%d\n", 1+i*i%7/3, i*11%17, i*5%13), fmt.Sprintln(100 - i*7%23), fmt.Sprintln(weight)}
		for k, line := range lines {
			if all[k] += line; weight > 0 {
				some[k] += line
			}
		}
	}
	for k, name := range []string{"rows", "groups", "weights"} {
		write(t, name, all[k])
		write(t, "some-"+name, some[k])
	}
	for _, command := range []string{"cv -q --json --folds 3 ", "cv -q --json --folds 3 --method nu-svr ", "grid -q --json --folds 3 --log2c 0,2,2 --log2g 0,2,2 "} {
		status, want, stderr := spaced(t, command+"--group-file some-groups --weight-file some-weights some-rows")
		if status != 0 {
			t.Fatal(stderr)
		}
		if status, got, stderr := spaced(t, command+"--group-file groups --weight-file weights rows"); status != 0 || got != want {
			t.Errorf("%s: %s%s, want %s", command, got, stderr, want)
		}
	}
}
