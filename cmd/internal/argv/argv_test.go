package argv

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// arity is that of a small command: -q takes nothing, -c and -w one value,
// -y two; a lone "-" is nothing it knows.
func arity(letter byte) int {
	switch letter {
	case 'q':
		return 0
	case 'c', 'w':
		return 1
	case 'y':
		return 2
	}
	return -1
}

// parse writes what Parse does with the words of line as one line:
// [option values...]... | rest... ! error. "_" stands for an empty word.
func parse(line string, set func(Option) error) string {
	args := strings.Fields(line)
	for i := range args {
		if args[i] == "_" {
			args[i] = ""
		}
	}
	var out []string
	rest, err := Parse(args, arity, func(o Option) error {
		out = append(out, fmt.Sprintf("[%c %s]", o.Letter, strings.Join(append([]string{o.Word}, o.Values...), " ")))
		return set(o)
	})
	out = append(out, "|")
	for _, w := range rest {
		if w == "" {
			w = "_"
		}
		out = append(out, w)
	}
	if err != nil {
		out = append(out, "!", err.Error())
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	tests := []struct{ line, want string }{
		{"", "|"},
		{"file", "| file"},
		{"-q file", "[q -q] | file"},
		{"-c 5 file model", "[c -c 5] | file model"},
		{"-cost 5 file", "[c -cost 5] | file"},
		{"-w-1 2 -w1 3 file", "[w -w-1 2] [w -w1 3] | file"},
		{"-c -q file", "[c -c -q] | file"},
		{"-y -1 1 -c - file", "[y -y -1 1] [c -c -] | file"},
		{"file -q", "| file -q"},
		{"-c 1", "[c -c 1] |"},
		{"-q _ -q", "[q -q] | _ -q"},
		{"-c _ file", "[c -c ] | file"},
		{"-q -c", `[q -q] | ! option "-c": a value is missing`},
		{"-y 1", `| ! option "-y": a value is missing`},
		{"-q -x 1 file", `[q -q] | ! unknown option "-x"`},
		{"--help", `| ! unknown option "--help"`},
		{"- file", `| ! unknown option "-"`},
		{"-x -c", `| ! unknown option "-x"`},
	}
	for _, tt := range tests {
		if got := parse(tt.line, func(Option) error { return nil }); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.line, got, tt.want)
		}
	}
}

func TestParseSetError(t *testing.T) {
	stop := errors.New("stop")
	set := func(o Option) error {
		if o.Letter == 'c' {
			return stop
		}
		return nil
	}
	if got, want := parse("-q -c 1 -x", set), "[q -q] [c -c 1] | ! stop"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := Parse([]string{"-c", "1", "-x"}, arity, set); err != stop {
		t.Errorf("got %v, want the error of set itself", err)
	}
}

func TestErrorFields(t *testing.T) {
	tests := []struct {
		line string
		want UnknownError
	}{
		{"-", UnknownError{Word: "-", Last: true}},
		{"- file", UnknownError{Word: "-"}},
		{"-q --help", UnknownError{Word: "--help", Letter: '-', Last: true}},
		{"-xyz 1", UnknownError{Word: "-xyz", Letter: 'x'}},
	}
	for _, tt := range tests {
		_, err := Parse(strings.Fields(tt.line), arity, func(Option) error { return nil })
		var got *UnknownError
		if !errors.As(err, &got) || *got != tt.want {
			t.Errorf("%q: got %#v, want %#v", tt.line, err, tt.want)
		}
	}
	_, err := Parse([]string{"-y", "1"}, arity, func(Option) error { return nil })
	var got *MissingError
	if !errors.As(err, &got) || got.Word != "-y" {
		t.Errorf("got %#v, want a MissingError of -y", err)
	}
}

// A set that keeps and extends Values must not write into the words behind them.
func TestValuesAreCapped(t *testing.T) {
	args := []string{"-c", "1", "file"}
	rest, err := Parse(args, arity, func(o Option) error {
		_ = append(o.Values, "overwritten")
		return nil
	})
	if err != nil || !slices.Equal(rest, []string{"file"}) {
		t.Errorf("got %q, %v", rest, err)
	}
}

// FuzzParse: no input panics, and the options and the rest put together are the
// arguments: all of them, or when there is an error those before the fault.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"-c\n1\nfile", "-q", "-", "--help", "-y\n1\n2\n-q\n\nfile\n-q", "-w-1\n-c\n-y\n1", "\n", "-\x00\n-c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		var seen []string
		rest, err := Parse(args, arity, func(o Option) error {
			if len(o.Values) != arity(o.Letter) {
				t.Errorf("%q has the values %q", o.Word, o.Values)
			}
			if len(o.Word) > 1 && o.Letter != o.Word[1] || len(o.Word) == 1 && o.Letter != 0 {
				t.Errorf("%q has the letter %q", o.Word, o.Letter)
			}
			seen = append(append(seen, o.Word), o.Values...)
			return nil
		})
		if err == nil {
			if seen = append(seen, rest...); !slices.Equal(seen, args) {
				t.Errorf("%q came out as %q", args, seen)
			}
			if len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				t.Errorf("%q begins the rest", rest[0])
			}
			return
		}
		if !slices.Equal(seen, args[:len(seen)]) {
			t.Errorf("%q came out as %q before %v", args, seen, err)
		}
		word := args[len(seen)]
		behind := len(args) - len(seen) - 1
		var unknown *UnknownError
		var missing *MissingError
		switch {
		case errors.As(err, &unknown):
			if unknown.Word != word || arity(unknown.Letter) >= 0 || unknown.Last != (behind == 0) {
				t.Errorf("%q: %#v at %q", args, unknown, word)
			}
		case errors.As(err, &missing):
			if missing.Word != word || arity(word[1]) <= behind {
				t.Errorf("%q: %#v at %q", args, missing, word)
			}
		default:
			t.Errorf("%q: %v", args, err)
		}
	})
}
