package encode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
)

// TestFilters asserts what Weka's filters do, each rule by a data set whose last
// column is the label.
func TestFilters(t *testing.T) {
	normalize, standardize := Options{Scaling: Normalize}, Options{Scaling: Standardize}
	for _, c := range []struct {
		rule string
		o    Options
		data string
		want string
	}{
		// ReplaceMissingValues
		{"the mean of the others", Options{}, "x y{n,p}\n1 n\n? n\n2 p\n6 p", "0 1:1\n0 1:3\n1 1:2\n1 1:6"},
		{"left out is 0, not missing", Options{}, "x y{n,p}\n. n\n? n\n6 p", "0\n0 1:3\n1 1:6"},
		{"the mean is weighted", Options{}, "x y{n,p}\n1 n *3\n5 p *1\n? p", "0 1:1\n1 1:5\n1 1:2"},
		{"what is missing has no weight", Options{}, "x y{n,p}\n1 n\n5 p\n? p *100", "0 1:1\n1 1:5\n1 1:3"},
		{"zeros left out have weight", Options{}, "x y{n,p}\n. n *3\n8 p\n? p", "0\n1 1:8\n1 1:2"},
		{"dates are numbers", Options{}, "x@date y{n,p}\n86400000 n\n? p\n-86400000 p\n3 n", "0 1:8.64e+07\n1 1:1\n1 1:-8.64e+07\n0 1:3"},
		{"all missing: 0", Options{}, "x z{a,b,c} y{n,p}\n? ? n\n? ? p", "0 2:1\n1 2:1"},
		{"the commonest label", Options{}, "x{a,b,c} y{n,p}\nb n\nc n\nc p\n? p", "0 2:1\n0 3:1\n1 3:1\n1 3:1"},
		{"of equally common ones the first", Options{}, "x{a,b,c} y{n,p}\nc n\nb n\n? p", "0 3:1\n0 2:1\n1 2:1"},
		{"labels count by weight", Options{}, "x{a,b,c} y{n,p}\nb n\nb n\nc p *2.5\n? p", "0 2:1\n0 2:1\n1 3:1\n1 3:1"},
		// Weka 3.6.14's answers, which differ by what is rounded off: 0.3+0.3+0.3-0.3-0.3 is less
		// than 0.3 ...
		{"equally common but for rounding", Options{}, "x{a,b} y{p,q}\na p *0.3\nb q *0.3\n? p *0.3", "0\n1 1:1\n0 1:1"},
		// ... and 0.5-4*0.1 is more than 0.1
		{"in sparse rows", Options{}, "x{a,b} z y{p,q}\n. 1 . *0.1\n. 2 q *0.1\nb 3 . *0.1\nb 4 q *0.1\n? 5 . *0.1", "0 2:1\n1 2:2\n0 1:1 2:3\n1 1:1 2:4\n0 2:5"},
		{"in dense rows", Options{}, "x{a,b} z y{p,q}\na 1 q *0.1\nb 2 p *0.2\na 1 p *0.1\n? ? q *0.1", "1 2:1\n0 1:1 2:2\n0 2:1\n1 2:1.4999999999999998"},
		{"in dense rows, for the first label alone", Options{}, "x{a,b} y{p,q}\na p *0.2\nb p *0.2\n? p *0.6\n? p *0.1\nb p *0.7\na p *0.7", "0\n0 1:1\n0 1:1\n0 1:1\n0 1:1\n0"},
		{"not for 0", Options{}, "x y{p,q}\n? p *0.2\n0 p *0.6\n0 p *0.3\n3 p *0.6", "0 1:1.1999999999999997\n0\n0\n0 1:3"},
		{"weights that are missing one by one", Options{}, "x y{n,p}\n5 n *0.3\n? p *0.3\n? p *0.1\n? p *0.7", "0 1:5\n1 1:5.000000000000001\n1 1:5.000000000000001\n1 1:5.000000000000001"},
		{"of which the last is whole", Options{}, "x y{n,p}\n? n *0.3\n? p *0.7\n5 p *0.7\n? p", "0 1:4.999999999999997\n1 1:4.999999999999997\n1 1:5\n1 1:4.999999999999997"},
		{"left out is the first label", Options{}, "x{a,b,c} y{n,p}\n. n\n. n\nc p\n? p", "0 1:1\n0 1:1\n1 3:1\n1 1:1"},
		{"rows without a label teach nothing and go", normalize, "x y{n,p}\n0 n\n4 p\n100 ?\n? n", "0\n1 1:1\n0 1:0.5"},
		{"a label left out is the first", Options{}, "x y{n,p}\n1 .\n2 p", "0 1:1\n1 1:2"},
		{"a numeric label of -1 is no unknown one", Options{}, "x y\n1 -1\n2 1", "-1 1:1\n1 1:2"},
		{"a numeric label left out is 0", Options{}, "x y\n1 .\n2 7.5\n3 ?", "0 1:1\n7.5 1:2"},
		{"rows of weight 0 teach nothing", normalize, "x y{n,p}\n1 n\n3 p\n9 p *0\n. n *0\n? n", "0\n1 1:1\n1 1:4\n0 1:-0.5\n0 1:0.5"},

		// NominalToBinary
		{"two labels: one feature", Options{}, "x{a,b} y{n,p}\na n\nb p\nb p\n? n", "0\n1 1:1\n1 1:1\n0 1:1"},
		{"more: one a label", Options{}, "x{a,b,c,d} z y{n,p}\na 5 n\nd 6 p", "0 1:1 5:5\n1 4:1 5:6"},
		{"one label: a feature that is 0", Options{}, "x{a} z y{n,p}\na 5 n\n? 6 p", "0 2:5\n1 2:6"},
		{"no label: a feature that is 0", Options{}, "x{} z y{n,p}\n? 5 n\n? 6 p", "0 2:5\n1 2:6"},
		{"the label's column takes a number", Options{Class: "y"}, "a y{n,p,q} b{r,s,t}\n1 q r\n2 n t", "2 1:1 3:1\n0 1:2 5:1"},

		// Normalize
		{"the range to [0,1]", normalize, "x y{n,p}\n2 n\n4 p\n10 p", "0\n1 1:0.25\n1 1:1"},
		{"of a constant 0", normalize, "x y{n,p}\n7 n\n7 p", "0\n1"},
		{"of missing values 0", normalize, "x y{n,p}\n? n\n? p", "0\n1"},
		{"zeros left out are in the range", normalize, "x y{n,p}\n-2 n\n. p\n6 p", "0\n1 1:0.25\n1 1:1"},
		{"only the second row leaves it out", normalize, "x y{n,p}\n2 n\n. p", "0 1:1\n1"},
		{"only the first row leaves it out", normalize, "x y{n,p}\n. n\n2 n", "0\n0 1:1"},
		{"0 stays left out where 0 is the least", normalize, "x z y{n,p}\n0 1 n\n8 . p\n2 1 n", "0 2:1\n1 1:1\n0 1:0.25 2:1"},
		{"features of labels as well", normalize, "x{a,b,c} y{n,p}\na n\nb p", "0 1:1\n1 2:1"},
		{"a label that all rows have is constant", normalize, "x{a,b,c} z y{n,p}\nb 1 n\nb 2 p", "0\n1 4:1"},
		{"what a row leaves out comes before what follows", Options{Class: "y", Scaling: Normalize}, "y{n,p} a b\nn -2 1\np 2 3\nn . 5", "0\n1 2:1 3:0.5\n0 2:0.5 3:1"},
		{"a numeric label not", normalize, "x y\n1 10\n3 20", "10\n20 1:1"},
		{"unless it is asked for", Options{Scaling: Normalize, ScaleLabel: true}, "x y\n1 10\n3 20\n2 15", "0\n1 1:1\n0.5 1:0.5"},
		{"which texts of labels never are", Options{Scaling: Normalize, ScaleLabel: true}, "x y{n,p,q}\n1 n\n3 q", "0\n2 1:1"},

		// Standardize
		{"mean 0, deviation 1 with n-1", standardize, "x y{n,p}\n1 n\n3 p\n5 p", "0 1:-1\n1\n1 1:1"},
		{"of a constant 0", standardize, "x y{n,p}\n7 n\n7 p", "0\n1"},
		{"one row", standardize, "x y{n,p}\n7 n", "0"},
		{"weights", standardize, "x y{n,p}\n0 n *3\n4 p *1", "0 1:-0.5\n1 1:1.5"},
		{"weights below 1 in sum: the mean only", standardize, "x y{n,p}\n0 n *0.25\n4 p *0.25", "0 1:-2\n1 1:2"},
		{"weights of 1 in sum: the mean only", standardize, "x y{n,p}\n0 n *0.5\n4 p *0.5", "0 1:-2\n1 1:2"},
		{"features of labels as well, those too that a row has not", standardize, "z{a,b,c,d} y{n,p}\n. n\nd p\nb n\nc p", // means 0.25, deviations 0.5
			"0 1:1.5 2:-0.5 3:-0.5 4:-0.5\n1 1:-0.5 2:-0.5 3:-0.5 4:1.5\n0 1:-0.5 2:1.5 3:-0.5 4:-0.5\n1 1:-0.5 2:-0.5 3:1.5 4:-0.5"},
		{"0 does not stay 0", standardize, "x y{n,p}\n. n\n. n\n0 n\n2 p", "0 1:-0.5\n0 1:-0.5\n0 1:-0.5\n1 1:1.5"},

		// the order of Weka's LibSVM with -Z
		{"scaled first, labels stay 0 and 1", Options{Scaling: Standardize, ColumnsFirst: true},
			"x z{a,b,c} y{n,p}\n1 a n\n3 b p\n5 c p", "0 1:-1 2:1\n1 3:1\n1 1:1 4:1"},
		{"scaled first, the numeric label too", Options{Scaling: Normalize, ColumnsFirst: true},
			"x z{a,b} y\n1 a 10\n3 b 20\n2 b 15", "0\n1 1:1 2:1\n0.5 1:0.5 2:1"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			e, d := fit(t, c.data, c.o)
			encoded, err := e.Encode(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			wantLines(t, showAll(encoded), c.want)
			if e.Class < len(e.Columns)-1 {
				return
			}
			if last := encoded.X.MaxIndex(); last > e.Features() {
				t.Errorf("feature %d of %d", last, e.Features())
			}
		})
	}
}

// TestLaterRows: later rows are encoded by what the training rows taught, without
// clipping.
func TestLaterRows(t *testing.T) {
	e, _ := fit(t, "x z{a,b,c} y{n,p}\n2 b n\n4 b p", Options{Scaling: Normalize})
	wantLines(t, mapped(t, e, "x z{a,b,c} y{n,p}\n8 a ?\n? ? n\n. . p\n1 c .", nil),
		"NaN 1:3\n0 1:0.5\n1 1:-1\n0 1:-0.5")
	e, _ = fit(t, "a b y{n,p}\n7 1 n\n7 3 p", Options{Scaling: Normalize})
	wantLines(t, mapped(t, e, "a b y{n,p}\n9 2 n", nil), "0 2:0.5")
	e, _ = fit(t, "a y{n,p}\n7 n\n7 p", Options{Scaling: Standardize}) // the deviation is 0
	wantLines(t, mapped(t, e, "a y{n,p}\n9 n", nil), "0 1:2")
	// Training has a three times and d once. The label b, which it has not, is 0 in other rows; a and
	// d are not.
	e, _ = fit(t, "z{a,b,d} y{n,p}\na n\na n\na n\nd p", Options{Scaling: Standardize})
	wantLines(t, mapped(t, e, "z{a,b,d} y{n,p}\na n\nb n\nd p", nil), "0 1:0.5 3:-0.5\n0 1:-1.5 2:1 3:-0.5\n1 1:-1.5 3:1.5")
}

func TestFeaturesAndNames(t *testing.T) {
	if n := new(Encoding).Features(); n != 0 {
		t.Errorf("%d features of an encoding without columns", n)
	}
	for _, c := range []struct {
		columns, class string
		features       int
		names          string
	}{
		{"a b c", "", 2, "a|b|CLASS c"},
		{"a b c", "first", 3, "CLASS a|b|c"},
		{"a b{x,y,z} c{k,l} d{m} e{} f@date y{n,p}", "last", 8, "a|b=x|b=y|b=z|c=l|d|e|f|CLASS y"},
		{"a y{n,p} b{x,y,z}", "2", 5, "a|CLASS y|b=x|b=y|b=z"},
		{"y{n,p,q,r} b", "y", 2, "CLASS y|b"},
	} {
		e, _ := fit(t, c.columns, Options{Class: c.class})
		if names := strings.Join(e.Names(), "|"); names != c.names || e.Features() != c.features {
			t.Errorf("%s: %d features, names %s; want %d, %s", c.columns, e.Features(), names, c.features, c.names)
		}
	}
}

// An unknown label counts as the first of one or two, which are one feature, and as none otherwise.
func TestUnknownCountsAs(t *testing.T) {
	e, _ := fit(t, "a b{x} c{k,l} d{m,n,o} e{} y{n,p}", Options{})
	got := ""
	for i := range e.Columns {
		label, ok := e.Columns[i].UnknownCountsAs()
		got += fmt.Sprintf("%s:%s,%v ", e.Columns[i].Name, label, ok)
	}
	if want := "a:,false b:x,true c:k,true d:,false e:,false y:n,true "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFindClass(t *testing.T) {
	for _, c := range []struct {
		columns string
		own     int
		class   string
		want    int
		err     string
	}{
		{"a b c", -1, "", 2, ""},
		{"a b c", 1, "", 1, ""},
		{"a b c", 7, "", 2, ""},
		{"a b c", 1, "last", 2, ""},
		{"a b c", 1, "first", 0, ""},
		{"a b c", -1, "b", 1, ""},
		{"a b c", -1, "1", 0, ""},
		{"a b c", -1, "3", 2, ""},
		{"3 1 2", -1, "1", 1, ""}, // a name before a place
		{"a first", -1, "first", 1, ""},
		{"last a b", -1, "last", 0, ""},
		{"a b", -1, "0", 0, "no column 0: there are 2"},
		{"a b", -1, "3", 0, "no column 3: there are 2"},
		{"a", -1, "2", 0, "no column 2: there is 1"},
		{"a b", -1, "-1", 0, "no column -1: there are 2"},
		{"a b", -1, "A", 0, `no column is named "A"`},
		{"a b", -1, "99999999999999999999", 0, `no column is named "99999999999999999999"`},
	} {
		h := parse(t, c.columns).Header
		h.Class = c.own
		got, err := FindClass(h, c.class)
		if c.err != "" && (err == nil || err.Error() != c.err) || c.err == "" && (err != nil || got != c.want) {
			t.Errorf("%q of %s: %d, %v; want %d, %s", c.class, c.columns, got, err, c.want, c.err)
		}
	}
}

func TestLabelText(t *testing.T) {
	e, _ := fit(t, "x y{no,'a'}", Options{})
	for y, want := range map[float64]string{0: "no", 1: "'a'", 2: "2", -1: "-1", 0.5: "0.5"} {
		if got := e.LabelText(y); got != want {
			t.Errorf("label %v: %q, want %q", y, got, want)
		}
	}
	if !e.Nominal() || e.ClassColumn().Name != "y" {
		t.Errorf("label's column %+v", e.ClassColumn())
	}
	e, _ = fit(t, "x y\n1 10\n2 30", Options{Scaling: Normalize, ColumnsFirst: true})
	if e.Nominal() || e.Target(0.25) != 15 || e.LabelText(0.25) != "15" {
		t.Errorf("target %v, text %q", e.Target(0.25), e.LabelText(0.25))
	}
	if plain, _ := fit(t, "x y\n1 10\n2 30", Options{}); plain.Difference(0.25) != 0.25 || e.Difference(0.25) != 5 {
		t.Errorf("a difference of 0.25: %v, scaled %v", plain.Difference(0.25), e.Difference(0.25))
	}
}

// TestSparse: rows come out as sparse as they went in where 0 stays 0.
func TestSparse(t *testing.T) {
	columns := make([]string, 1000)
	for i := range columns {
		columns[i] = "x" + string(rune('a'+i%26)) + strings.Repeat("'", i/26)
	}
	text := strings.Join(columns, " ") + " y{n,p}"
	header := parse(t, text).Header
	d := &format.Dataset{Header: header}
	for i := range 50 {
		in := format.Instance{Weight: 1}
		in.X.Index, in.X.Value = []int32{int32(i), 500, 1000}, []float64{float64(i + 1), 2, float64(i % 2)}
		d.Append(in)
	}
	for _, o := range []Options{{}, {Scaling: Normalize}} {
		e, err := Fit(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := e.Encode(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		want := 2
		if o.Scaling == Normalize {
			want = 1 // column 500 is constant
		}
		for i := range encoded.Len() {
			if x := encoded.X.Row(i); len(x.Index) != want || !slices.IsSorted(x.Index) {
				t.Fatalf("%+v: row %d is %v, want %d values", o, i, x, want)
			}
		}
	}
}

// TestScale: a feature's scale undoes what its column's does.
func TestScale(t *testing.T) {
	e := &Encoding{Class: 1, Columns: []Column{
		{Name: "a", First: 1, Scales: []Scale{{2, 3}}},
		{Name: "y", First: 2, Scales: []Scale{{9, 9}}},
		{Name: "n", Type: format.Nominal, Labels: []string{"p", "q", "r"}, First: 3, Scales: []Scale{{1, 2}, {3, 4}, {5, 6}}},
		{Name: "b", First: 6},
	}}
	for f, want := range []Scale{{0, 1}, {2, 3}, {0, 1}, {1, 2}, {3, 4}, {5, 6}, {0, 1}, {0, 1}} {
		if got := e.Scale(int32(f)); got != want {
			t.Errorf("feature %d: %v, want %v", f, got, want)
		}
	}
}
