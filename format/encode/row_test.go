package encode

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// from is the get of a row given as name=text words.
func from(words string) func(string) (string, bool) {
	row := map[string]string{}
	for _, word := range strings.Fields(words) {
		name, text, _ := strings.Cut(word, "=")
		row[name] = text
	}
	return func(column string) (string, bool) {
		text, ok := row[column]
		return text, ok
	}
}

// TestRow: values are found by name, labels by text.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		o                 Options
		row, want, wanted string // the features, the error
		unknown           bool   // the error is only that of labels
	}{
		{Options{}, "x=5 colour=green size=l", "1:5 3:1 5:1", "", false},
		{Options{}, "size=s colour=red x=0 more=7", "2:1", "", false},
		{Options{}, "", "1:2 2:1", "", false}, // missing ones have the mean and the most frequent label
		{Options{}, "x=nan colour=blue", "1:2 4:1", "", false},
		{Options{}, "x=-1.5e2 y=maybe", "1:-150 2:1", "", false}, // the label's column is not asked for
		{Options{Scaling: Normalize}, "x=5 size=l", "1:2 2:1 5:1", "", false},
		{Options{}, "x=5 colour=pink size=xl", "1:5", `column "colour": expected a label of the training rows ("red", "green", "blue"), found "pink"`, true},
		{Options{}, "x=5 size=1", "1:5 2:1", `column "size": expected a label of the training rows ("s", "l"), found "1"`, true},
		{Options{}, "size=xl x=1,5", "", `column "x": expected a number, found "1,5"`, false},
		{Options{}, "x=", "", `column "x": expected a number, found ""`, false},
		{Options{}, "x=0x10", "", `column "x": expected a number, found "0x10"`, false},
		{Options{}, "x=-inf", "", `column "x": expected a finite number, found "-inf"`, false},
		{Options{}, "x=" + strings.Repeat("9", 400), "", `column "x": number out of range, found "` + strings.Repeat("9", 40) + `"...`, false},
	} {
		e, _ := fit(t, trained, c.o)
		var x vec.Vector
		err := e.Row(&x, from(c.row))
		if c.wanted == "" && err != nil || c.wanted != "" && (err == nil || err.Error() != c.wanted) {
			t.Errorf("%s: %v, want %s", c.row, err, c.wanted)
		}
		var of *ValueError
		if err != nil && (!errors.As(err, &of) || errors.Is(err, ErrUnknownLabel) != c.unknown) {
			t.Errorf("%s: %#v", c.row, err)
		}
		if got := strings.TrimPrefix(show(0, x), "0 "); (err == nil || c.unknown) && got != c.want {
			t.Errorf("%s: %s, want %s", c.row, got, c.want)
		}
	}
}

// TestRowLabels: a message lists few labels, says of a column that it had none, and of a date what
// it is. What is no number is told before a label that is not known, wherever it stands.
func TestRowLabels(t *testing.T) {
	var labels []string
	for i := range 1000 {
		labels = append(labels, "label"+strconv.Itoa(i))
	}
	e, _ := fit(t, "many{"+strings.Join(labels, ",")+"} none{} d@date y\nlabel3 ? 0 1\nlabel4 ? 0 2", Options{})
	for row, want := range map[string]string{
		"many=label1000":              `column "many": expected a label of the training rows ("label0", "label1", "label2", "label3", "label4", "label5", "label6", "label7", "label8", "label9", "label10" or 989 others), found "label1000"`,
		"none=a":                      `column "none": the column had no labels in training, found "a"`,
		"many=label1000 d=2020-01-01": `column "d": expected a number of milliseconds, found "2020-01-01"`,
		"d=2020-01-01":                `column "d": expected a number of milliseconds, found "2020-01-01"`,
	} {
		if err := e.Row(new(vec.Vector), from(row)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", row, err, want)
		}
	}
}

// TestRowIsMapper: a row by names is the row that a mapper makes of the same values, labels that are
// not known included.
func TestRowIsMapper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawData(t)
		e, err := Fit(context.Background(), d, drawOptions(t, d))
		if err != nil {
			return
		}
		other := shuffle(t, d)
		for i := range other.Header.Attributes { // labels that are not known; the first stays at its place
			if a := &other.Header.Attributes[i]; a.Type == format.Nominal && rapid.Bool().Draw(t, "renamed") {
				for k := range a.Labels {
					a.Labels[k] += " too"
				}
			}
		}
		m, err := e.Mapper(other.Header)
		if err != nil {
			t.Fatal(err)
		}
		var want, got vec.Vector
		for r := range other.Len() {
			x := other.X.Row(r)
			m.Row(&want, x)
			err := e.Row(&got, func(column string) (string, bool) {
				for i, a := range other.Header.Attributes {
					if v := x.At(int32(i)); a.Name == column && !math.IsNaN(v) {
						if a.Type == format.Nominal {
							return a.Labels[int(v)], true
						}
						return strconv.FormatFloat(v, 'g', -1, 64), true
					}
				}
				return "", false
			})
			if err != nil && !errors.Is(err, ErrUnknownLabel) {
				t.Fatal(err)
			}
			if a, b := show(0, got), show(0, want); a != b {
				t.Fatalf("row %d: %s, by a mapper %s", r, a, b)
			}
		}
	})
}

// TestRowManyLabels: each of many labels has its own feature, in an encoding that was learned, read from
// a model, or made by a program, and in copies with other columns; others are not known.
func TestRowManyLabels(t *testing.T) {
	var labels []string
	for i := range 3 * fewLabels {
		labels = append(labels, "l"+strconv.Itoa(i))
	}
	learned, _ := fit(t, "x many{"+strings.Join(labels, ",")+"} y\n1 l3 1\n2 l4 2", Options{})
	text, err := learned.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	read := new(Encoding)
	if err := read.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	made := &Encoding{Columns: learned.Columns, Class: learned.Class}
	features := func(e *Encoding, label string) string {
		var x vec.Vector
		err := e.Row(&x, from("x=0 many="+label))
		if err != nil && !errors.Is(err, ErrUnknownLabel) {
			t.Fatal(err)
		}
		return show(0, x)
	}
	for name, e := range map[string]*Encoding{"learned": learned, "read": read, "made": made} {
		for i, label := range labels {
			if got, want := features(e, label), "0 "+strconv.Itoa(i+2)+":1"; got != want {
				t.Errorf("%s, %s: %s, want %s", name, label, got, want)
			}
		}
		if x := e.index(); (x != nil) != (e != made) || x != nil && len(x.places(1)) != len(labels) {
			t.Errorf("%s: index %v", name, x)
		}
		if got := features(e, "l"); got != "0" {
			t.Errorf("%s: %s", name, got)
		}
	}
	other := *learned
	other.Columns = slices.Clone(learned.Columns)
	other.Columns[1].Labels = slices.Clone(labels)
	slices.Reverse(other.Columns[1].Labels)
	if got, want := features(&other, "l0"), "0 "+strconv.Itoa(len(labels)+1)+":1"; got != want {
		t.Errorf("a copy: %s, want %s", got, want)
	}
	learned.Columns[1].Labels = other.Columns[1].Labels[:20] // l47 to l28
	for label, want := range map[string]string{"l47": "0 2:1", "l40": "0 9:1", "l0": "0"} {
		if got := features(learned, label); got != want {
			t.Errorf("%s after a change: %s, want %s", label, got, want)
		}
	}
}

// TestRowChangesNothing: an encoding that had rows equals the one that is read from its text, which had
// none, and one that had other rows.
func TestRowChangesNothing(t *testing.T) {
	e, _ := fit(t, trained, Options{Scaling: Standardize})
	text, err := e.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var read Encoding
	if err := read.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	var x vec.Vector
	if err := e.Row(&x, from("x=5 colour=green size=l")); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(e, &read) {
		t.Errorf("%+v\nwas read as\n%+v", e, &read)
	}
}

// TestRowOtherScales: scales that take the place of those in training are obeyed in later rows.
func TestRowOtherScales(t *testing.T) {
	const row = "x=5 colour=green size=l"
	for _, colour := range [][]Scale{nil, {{1, 2}, {0, 1}, {3, 1}}, {{0, 1}, {0, 1}, {-1, 1}}} {
		e, _ := fit(t, trained, Options{Scaling: Normalize})
		var x, want vec.Vector
		if err := e.Row(&x, from(row)); err != nil {
			t.Fatal(err)
		}
		e.Columns[1].Scales = colour
		made := &Encoding{Columns: e.Columns, Class: e.Class}
		if err := errors.Join(e.Row(&x, from(row)), made.Row(&want, from(row))); err != nil {
			t.Fatal(err)
		}
		if got, want := show(0, x), show(0, want); got != want {
			t.Errorf("%v: %s, want %s", colour, got, want)
		}
	}
}

// TestRowAllocates: a row takes no more memory where features are scaled than where they are not.
func TestRowAllocates(t *testing.T) {
	for _, o := range []Options{{}, {Scaling: Standardize}, {Scaling: Normalize}} {
		e, _ := fit(t, trained, o)
		get := from("x=5 colour=green size=l")
		var x vec.Vector
		if got := testing.AllocsPerRun(50, func() {
			if err := e.Row(&x, get); err != nil {
				t.Fatal(err)
			}
		}); got > 1 {
			t.Errorf("%q: %v pieces of memory", o.Scaling, got)
		}
	}
}

// TestRowAtOnce: goroutines share an encoding.
func TestRowAtOnce(t *testing.T) {
	e, _ := fit(t, trained, Options{Scaling: Standardize})
	get := from("x=5 colour=green size=l")
	var want vec.Vector
	if err := e.Row(&want, get); err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	for range 4 {
		go func() {
			var x vec.Vector
			for range 100 {
				if err := e.Row(&x, get); err != nil {
					done <- err.Error()
					return
				}
			}
			done <- show(0, x)
		}()
	}
	for range 4 {
		if got := <-done; got != show(0, want) {
			t.Error(got)
		}
	}
}

// TestRowNone: what a caller left out is named.
func TestRowNone(t *testing.T) {
	e, _ := fit(t, trained, Options{})
	for _, call := range []func(){
		func() { e.Row(nil, from("")) },
		func() { e.Row(new(vec.Vector), nil) },
	} {
		func() {
			defer func() {
				if v, ok := recover().(string); !ok || !strings.HasPrefix(v, "encode: ") {
					t.Error(v)
				}
			}()
			call()
		}()
	}
}
