package scale

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
)

func TestRead(t *testing.T) {
	tests := []struct{ in, want string }{
		{"x\n-1 1\n", "x/-1 1"},
		{"x\n-1 1\n1 0 4\n2 -1.5 1e300\n", "x/-1 1/1 0 4/2 -1.5 1.0000000000000001e+300"},
		{"x\n-1 1\n1 0 4", "x/-1 1/1 0 4"},
		{"y\n0 1\n-3 3\n", "y/0 1/-3 3"},
		{"y\n0 1\n3 3\n", "y/0 1/3 3"},
		{"y\n0 1\n-3 3\nx\n-1 1\n7 0 4\n", "y/0 1/-3 3/x/-1 1/7 0 4"},
		{"y\r\n0 1\r\n-3 3\r\nx\r\n-1 1\r\n7 0 4\r\n", "y/0 1/-3 3/x/-1 1/7 0 4"},
		{"x \n\t-1  1\t\n +07\t0x4 +1e1 \n", "x/-1 1/7 4 10"},
		{"x\n-1 1\n1 0 4 2 0 5\n\n \n3 0 6\n\n", "x/-1 1/1 0 4/2 0 5/3 0 6"},
		{"\nx\n\n-1 1\n", "x/-1 1"},
		{"x\n-1 1\n0 1 2\n2147483647 0 1\n", "x/-1 1/0 1 2/2147483647 0 1"},
		{"x\n-1 1\n1 2 2\n", "x/-1 1/1 2 2"},
		{"x\n0 1\n1 -0 4.9406564584124654e-324\n", "x/0 1/1 -0 4.9406564584124654e-324"},
		{"x\n0 1\n1 -1e-400 1e-400\n2 0 1", "x/0 1/1 -0 0/2 0 1"},
	}
	for _, tt := range tests {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(tt.in),
			"bytes": iotest.OneByteReader(strings.NewReader(tt.in)),
		} {
			got, err := Read(r)
			if err != nil {
				t.Errorf("%q, %s: %v", tt.in, name, err)
			} else if s := text(t, got); s != tt.want {
				t.Errorf("%q, %s:\n got %s\nwant %s", tt.in, name, s, tt.want)
			}
		}
	}
}

func TestReadFaults(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", `1: no ranges: the file is empty, expected "x" or "y"`},
		{" \n\n", `1: no ranges: the file is empty, expected "x" or "y"`},
		{"junk\n", `1:1: expected "x" or "y", found "junk"`},
		{"1 1:2\n", `1:1: expected "x" or "y", found "1"`},
		{"X\n-1 1\n", `1:1: expected "x" or "y", found "X"`},
		{"x -1 1\n1 0 4\n", `1:1: expected "x" or "y", found "x"`},
		{"\xef\xbb\xbfx\n-1 1\n", `1:1: expected "x" or "y", found "\ufeffx"`},
		{"x", "1: expected a line with the lower and upper limit of the features, found the end of the file"},
		{"x\n\n", "2: expected a line with the lower and upper limit of the features, found the end of the file"},
		{"x\n-1\n1 0 4\n", "2:3: expected two finite numbers, the lower and upper limit of the features, found the end of the line"},
		{"x\n-1 one\n", `2:4: expected two finite numbers, the lower and upper limit of the features, found "one"`},
		{"x\n-1 1x\n", `2:4: expected two finite numbers, the lower and upper limit of the features, found "1x"`},
		{"x\n-1 nan\n", `2:4: expected two finite numbers, the lower and upper limit of the features, found "nan"`},
		{"x\n-inf 1\n", `2:1: expected two finite numbers, the lower and upper limit of the features, found "-inf"`},
		{"x\n-1 1e999\n", `2:4: expected two finite numbers, the lower and upper limit of the features, found "1e999"`},
		{"x\n-1 1 5\n", `2:6: expected the end of the line after the lower and upper limit of the features, found "5"`},
		{"x\n1 1\n", "2:1: the lower limit is not below the upper limit: 1 and 1"},
		{"x\n 1 -1\n", "2:1: the lower limit is not below the upper limit: 1 and -1"},
		{"x\n-1 1\none 0 4\n", `3:1: expected a feature index, found "one"`},
		{"x\n-1 1\n1.5 0 4\n", `3:1: expected a feature index, found "1.5"`},
		{"x\n-1 1\n1:0 4\n", `3:1: expected a feature index, found "1:0"`},
		{"x\n-1 1\n-1 0 4\n", `3:1: feature index "-1" is not in 0..2147483647`},
		{"x\n-1 1\n2147483648 0 4\n", `3:1: feature index "2147483648" is not in 0..2147483647`},
		{"x\n-1 1\n99999999999999999999 0 4\n", `3:1: feature index "99999999999999999999" is not in 0..2147483647`},
		{"x\n-1 1\n2 0 4\n1 0 4\n", "4:1: feature index 1 does not follow 2: indices must increase"},
		{"x\n-1 1\n2 0 4\n2 0 4\n", "4:1: feature index 2 does not follow 2: indices must increase"},
		{"x\n-1 1\n1 0\n2 0 4\n", "3:4: feature 1: expected two finite numbers, the minimum and maximum, found the end of the line"},
		{"x\n-1 1\n1\n0 4\n", "3:2: feature 1: expected two finite numbers, the minimum and maximum, found the end of the line"},
		{"x\n-1 1\n1 0 4 2 0\n", "3:10: feature 2: expected two finite numbers, the minimum and maximum, found the end of the line"},
		{"x\n-1 1\n1 0 4 2\n", "3:8: feature 2: expected two finite numbers, the minimum and maximum, found the end of the line"},
		{"x\n-1 1\n1 0 nan\n", `3:5: feature 1: expected two finite numbers, the minimum and maximum, found "nan"`},
		{"x\n-1 1\n1 0 4\x00\n", `3:5: feature 1: expected two finite numbers, the minimum and maximum, found "4\x00"`},
		{"x\n-1 1\n1 5 4\n", "3:1: feature 1: the minimum 5 is above the maximum 4"},
		{"x\n-1 1\n1 0 4\njunk\n", `4:1: expected a feature index, found "junk"`},
		{"x\n-1 1\n1 0 4\ny\n0 1\n0 1\n", `4:1: expected a feature index, found "y"`},
		{"y\n0 1\n", "2: expected a line with the minimum and maximum of the labels, found the end of the file"},
		{"y\n1 0\n0 1\n", "2:1: the lower limit is not below the upper limit: 1 and 0"},
		{"y\n0 1\n2 1\n", "3:1: the minimum 2 is above the maximum 1"},
		{"y\n0 1\n1.7976931348623157e+308 -1.7976931348623157e+308\nx\n-1 1\n", "3:1: the minimum 1.7976931348623157e+308 is above the maximum -1.7976931348623157e+308"},
		{"y\n0 1\n0 1\n1 0 4\n", `4:1: expected "x", found "1"`},
		{"y\n0 1\n0 1\ny\n", `4:1: expected "x", found "y"`},
	}
	for _, tt := range tests {
		_, err := Read(strings.NewReader(tt.in))
		var e *format.Error
		if !errors.As(err, &e) || err.Error() != tt.want {
			t.Errorf("%q:\n got %v\nwant %s", tt.in, err, tt.want)
		}
	}
	if _, err := Read(strings.NewReader("")); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty file gives %v", err)
	}
	if _, err := Read(strings.NewReader("x\n1 1\n")); !errors.Is(err, ErrLimits) {
		t.Errorf("equal limits give %v", err)
	}
}

// An error of the underlying reader comes out as it is, wherever it strikes.
func TestReadPassesErrors(t *testing.T) {
	const in = "y\n0 1\n-3 3\nx\n-1 1\n7 0 4\n"
	fault := errors.New("fault")
	for n := range len(in) + 1 {
		_, err := Read(io.MultiReader(strings.NewReader(in[:n]), iotest.ErrReader(fault)))
		if err != fault {
			t.Errorf("after %q: %v", in[:n], err)
		}
	}
}

// A file cut short is refused or holds the ranges that stand before the cut.
func TestReadTruncated(t *testing.T) {
	const in = "y\n0 1\n-3 3\nx\n-1 1\n7 0 4\n9 0 5\n"
	whole := "y/0 1/-3 3/x/-1 1/7 0 4/9 0 5"
	accepted := 0
	for n := range len(in) + 1 {
		r, err := Read(strings.NewReader(in[:n]))
		if err != nil {
			continue
		}
		accepted++
		if got := text(t, r); !strings.HasPrefix(whole, got) {
			t.Errorf("%q was read as %s", in[:n], got)
		}
	}
	if accepted < 5 {
		t.Errorf("%d prefixes accepted", accepted)
	}
}

func TestWriteErrors(t *testing.T) {
	r := &Ranges{X: &Features{Limits: Limits{-1, 1}}}
	for i := range int32(5000) {
		r.X.Ranges = append(r.X.Ranges, Feature{i, Range{0, float64(i) + 0.1}})
	}
	var whole bytes.Buffer
	if err := Write(&whole, r); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 10, writeAtOnce, whole.Len() - 1} {
		if err := Write(&limited{room: room}, r); err != errFull {
			t.Errorf("room for %d of %d bytes: %v", room, whole.Len(), err)
		}
		if err := Write(&limited{room: room, silent: true}, r); err != io.ErrShortWrite {
			t.Errorf("room for %d of %d bytes, in silence: %v", room, whole.Len(), err)
		}
	}
	if back, err := Read(&whole); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("written and read again: %v", err)
	}
}

var errFull = errors.New("full")

// limited takes room bytes. If it is silent it takes no more without an error.
type limited struct {
	room   int
	silent bool
}

func (l *limited) Write(p []byte) (int, error) {
	if l.room -= len(p); l.room < 0 && l.silent {
		return max(len(p)+l.room, 0), nil
	} else if l.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// randomRanges makes valid ranges from the whole of float64.
func randomRanges(rng *rand.Rand) *Ranges {
	finite := func() float64 {
		for {
			if v := math.Float64frombits(rng.Uint64()); !math.IsNaN(v) && !math.IsInf(v, 0) {
				return v
			}
		}
	}
	pair := func() (a, b float64) {
		a, b = finite(), finite()
		return min(a, b), max(a, b)
	}
	r := new(Ranges)
	if kind := rng.IntN(3); kind > 0 {
		r.Y = new(Labels)
		r.Y.Lower, r.Y.Upper = pair()
		r.Y.Min, r.Y.Max = pair()
		if kind == 2 {
			return r
		}
	}
	r.X = new(Features)
	r.X.Lower, r.X.Upper = pair()
	index := int32(-1)
	for range rng.IntN(20) {
		index += 1 + rng.Int32N(1<<rng.IntN(20)+1)
		f := Feature{Index: index}
		f.Min, f.Max = pair()
		r.X.Ranges = append(r.X.Ranges, f)
	}
	return r
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		r := randomRanges(rng)
		var b bytes.Buffer
		if err := Write(&b, r); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, r) {
			t.Fatalf("%+v came back as %+v", r, back)
		}
	}
}

// FuzzRanges: no text panics; what is accepted is valid, and the same after it
// is written and read again; what is refused is so with a position.
func FuzzRanges(f *testing.F) {
	for _, s := range []string{
		"", "x\n-1 1\n", "x\n-1 1\n1 0 4\n2 -1.5 1e300\n", "y\n0 1\n-3 3\n",
		"y\r\n0 1\r\n-3 3\r\nx\r\n-1 1\r\n7 0 4\r\n", "x\n-1 1\n1 0 4 2 0 5\n\n3 0 6",
		"x\n0 1\n0 -0 4.9406564584124654e-324\n2147483647 0x1p-3 inf\n", "junk", "x\n1 1\n",
		"x\n-1 1\n2 0 4\n1 0 4\n", "y\n0 1\n2 1\n", "x\n-1 nan\n", "\nx \n\t-1 1 5\n", "x\n-1 1\n1 0 4\x00\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := Read(bytes.NewReader(in))
		if err != nil {
			var e *format.Error
			if !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("%q: %v has no position", in, err)
			}
			return
		}
		if err := r.Validate(); err != nil {
			t.Fatalf("%q: accepted, but %v", in, err)
		}
		if r.X == nil && r.Y == nil {
			t.Fatalf("%q: accepted without ranges", in)
		}
		var b bytes.Buffer
		if err := Write(&b, r); err != nil {
			t.Fatal(err)
		}
		first := b.String()
		back, err := Read(&b)
		if err != nil {
			t.Fatalf("%q was written as %q: %v", in, first, err)
		}
		if !reflect.DeepEqual(back, r) || text(t, back) != text(t, r) {
			t.Fatalf("%q was written as %q, which is read as %+v, not %+v", in, first, back, r)
		}
		NewScaler(r)
	})
}
