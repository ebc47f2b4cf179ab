package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// referenceTop is the largest index the reference goes up to.
const referenceTop = 500

// A reference scales as LIBSVM does, written down from its behaviour without
// regard to cost: it reads rows with LIBSVM's carelessness, and goes through all
// indices for every row.
type reference struct {
	rows   []referenceRow
	top    int
	pairs  int
	min    []float64
	max    []float64
	labels [2]float64
}

type referenceRow struct {
	label float64
	pairs []referencePair
}

type referencePair struct {
	index int
	value float64
}

// read reads the data; ok is false where LIBSVM fails, and where an index is
// out of reach.
func (r *reference) read(data string) (ok bool) {
	if data == "" {
		return true
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(data, "\n"), "\n") {
		rest := []byte(line)
		label, n, _ := textscan.Float(rest)
		if n == 0 {
			return false
		}
		row := referenceRow{label: label}
		rest = behindWord(rest)
		for {
			index, n, _ := textscan.Int(rest)
			if n == 0 || n == len(rest) || rest[n] != ':' {
				break
			}
			rest = rest[n+1:]
			value, n, _ := textscan.Float(rest)
			if n == 0 {
				break
			}
			if index < 0 || index > referenceTop {
				return false
			}
			r.pairs++
			r.top = max(r.top, int(index))
			row.pairs = append(row.pairs, referencePair{int(index), value})
			rest = behindWord(rest)
		}
		r.rows = append(r.rows, row)
	}
	return true
}

// behindWord returns what follows the first word of b.
func behindWord(b []byte) []byte {
	b = bytes.TrimLeft(b, " \t\n\v\f\r")
	if i := bytes.IndexAny(b, " \t\n\v\f\r"); i >= 0 {
		return b[i:]
	}
	return nil
}

// values calls f for all that counts in a row: what is listed, and 0 for every
// index from 1 that is not.
func (r *reference) values(row referenceRow, f func(index int, value float64)) {
	next := 1
	for _, p := range row.pairs {
		for ; next < p.index; next++ {
			f(next, 0)
		}
		f(p.index, p.value)
		next = p.index + 1
	}
	for ; next <= r.top; next++ {
		f(next, 0)
	}
}

func widen(lo, hi *float64, v float64) {
	if !(*hi > v) {
		*hi = v
	}
	if !(*lo < v) {
		*lo = v
	}
}

func (r *reference) measure() {
	r.min, r.max = make([]float64, r.top+1), make([]float64, r.top+1)
	for i := range r.min {
		r.min[i], r.max[i] = math.MaxFloat64, -math.MaxFloat64
	}
	r.labels = [2]float64{math.MaxFloat64, -math.MaxFloat64}
	for _, row := range r.rows {
		widen(&r.labels[0], &r.labels[1], row.label)
		r.values(row, func(i int, v float64) { widen(&r.min[i], &r.max[i], v) })
	}
}

func linear(v, min, max, lower, upper float64) float64 {
	switch v {
	case min:
		return lower
	case max:
		return upper
	}
	return lower + (upper-lower)*(v-min)/(max-min)
}

// run returns what LIBSVM prints and saves.
func (r *reference) run(o *options) result {
	r.measure()
	var out, saved strings.Builder
	if o.y != nil && len(r.rows) > 0 {
		fmt.Fprintf(&saved, "y\n%s %s\n%s %s\n", g17(o.y.Lower), g17(o.y.Upper), g17(r.labels[0]), g17(r.labels[1]))
	}
	fmt.Fprintf(&saved, "x\n%s %s\n", g17(o.x.Lower), g17(o.x.Upper))
	for i := 1; i <= r.top; i++ {
		if r.min[i] < r.max[i] {
			fmt.Fprintf(&saved, "%d %s %s\n", i, g17(r.min[i]), g17(r.max[i]))
		}
	}
	written, zero := 0, false
	for _, row := range r.rows {
		label := row.label
		if o.y != nil {
			label = linear(label, r.labels[0], r.labels[1], o.y.Lower, o.y.Upper)
		}
		out.WriteString(g17(label) + " ")
		r.values(row, func(i int, v float64) {
			zero = zero || i == 0
			if r.min[i] == r.max[i] {
				return
			}
			if v = linear(v, r.min[i], r.max[i], o.x.Lower, o.x.Upper); v != 0 {
				fmt.Fprintf(&out, "%d:%s ", i, textscan.AppendG(nil, v, 6))
				written++
			}
		})
		out.WriteString("\n")
	}
	var messages string
	if zero {
		messages = warnZero + "\n"
	}
	if written > r.pairs {
		messages += warnMore(fmt.Sprint(r.pairs), fmt.Sprint(written)) + "\n"
	}
	return result{0, out.String(), messages, saved.String()}
}

func g17(v float64) string { return string(textscan.AppendG(nil, v, 17)) }

// refused is what stands on stderr when data are refused.
var refused = regexp.MustCompile(`^(ERROR: failed to read labels: )?data:[1-9][0-9]*:[1-9][0-9]*: [^\n]+\n$`)

// FuzzScale: no data panic; data are refused with their position and nothing
// else happens; data that are accepted come out as LIBSVM writes them.
func FuzzScale(f *testing.F) {
	for i, s := range []string{
		"", "1 1:1\n2 1:2\n", "+1 1:0.5 3:-0\r\n-1 2:1e3 # a comment\r\n-1", "1 0:1 1:1\n2 0:2\n3 7:4",
		" 1\t1:1  3:\t5\v\n2 +1:2 03:-5 ", "1 1:1e300 2:1e300\n-1 1:-1e300 2:1\n", "0x10 1:0x1p-3\n-0 1:1e-310\n.5 1:5.",
		"1 1:1 # third: 3:1\n2", "1:1 2:2\n", "1 2:1 1:1\n", "1 1:1 5\n", "1 1:nan\n", "1 -5:1\n", "1\x001:1\n", "1 1:1,5\n",
		"\xef\xbb\xbf1 1:1\n", "1 2147483647:1\n2 2147483646:1\n", "1 1:1\n\n", "1,2 1:1\n", "1 1:2\n1 1:-0\n1\n", "1 1:# 2:3\n",
	} {
		f.Add([]byte(s), byte(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, choice byte) {
		o, err := parseOptions(append(liveOptions[int(choice)%len(liveOptions)], "data"))
		if err != nil {
			t.Fatal(err)
		}
		var stdout, stderr, saved bytes.Buffer
		s := &scaling{options: o, stdout: &stdout, stderr: &stderr, in: sourceOf(bytes.NewReader(data))}
		err = s.scale(context.Background(), nil, nil)
		if err != nil {
			if text := err.Error() + "\n"; !refused.MatchString(text) || stdout.Len()+stderr.Len() > 0 {
				t.Fatalf("%q: %v, stdout %q, stderr %q", data, err, &stdout, &stderr)
			}
			return
		}
		m, err := new(scaling).measure(context.Background(), newTextRows(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := scale.Write(&saved, stored(m.Ranges(o.x, o.y))); err != nil {
			t.Fatal(err)
		}
		got := result{0, stdout.String(), stderr.String(), saved.String()}
		ref := new(reference)
		if bytes.HasPrefix(data, byteOrderMark) || !ref.read(string(data)) || overflows(ref) {
			return // LIBSVM refuses it or makes inf of it, or its indices are too large here
		}
		want := ref.run(o)
		if got != want {
			t.Fatalf("%q with %+v:\n got %v\nwant %v", data, o, got, want)
		}
	})
}

// overflows reports whether LIBSVM's calculation may overflow.
func overflows(r *reference) bool {
	const safe = math.MaxFloat64 / 1e6
	for _, row := range r.rows {
		if math.Abs(row.label) > safe {
			return true
		}
		for _, p := range row.pairs {
			if math.Abs(p.value) > safe {
				return true
			}
		}
	}
	return false
}
