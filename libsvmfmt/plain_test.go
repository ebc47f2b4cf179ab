package libsvmfmt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/format/vec"
	"github.com/slimsvm/slimsvm/format/vec/simd"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// A reading is the rows of a text and the error behind them.
type reading struct {
	rows []string
	err  string // none at the end of the text
}

func (r *reading) add(y float64, x vec.Vector) {
	b := textscan.AppendInt(nil, int64(math.Float64bits(y)))
	for k, i := range x.Index {
		b = append(textscan.AppendInt(append(b, ' '), int64(i)), ':')
		b = textscan.AppendInt(b, int64(math.Float64bits(x.Value[k])))
	}
	r.rows = append(r.rows, string(b))
}

// byLines reads line by line, without vector instructions.
func byLines(data []byte, end error) (r reading) {
	defer simd.Use(simd.Use(simd.Portable))
	for n, line := range bytes.SplitAfter(data, []byte{'\n'}) {
		whole := bytes.HasSuffix(line, []byte{'\n'})
		if len(line) == 0 || !whole && end != io.EOF {
			break
		}
		at := 0
		if n == 0 && bytes.HasPrefix(line, []byte("\ufeff")) {
			at = 3
		}
		y, index, value, f := libsvmfmt.ParseLine(bytes.TrimSuffix(line, []byte{'\n'}), at, nil, nil)
		if f != nil {
			r.err = f.Locate(n + 1).Error()
			return r
		}
		r.add(y, vec.Vector{Index: index, Value: value})
	}
	if end != io.EOF {
		r.err = end.Error()
	}
	return r
}

// byReader reads with a Reader, whose lines are numbered like the rows.
func byReader(t *testing.T, text io.Reader) (r reading) {
	t.Helper()
	for in := libsvmfmt.NewReader(text); ; {
		row, err := in.Read()
		if err != nil {
			if err != io.EOF {
				r.err = err.Error()
			}
			if _, again := in.Read(); again != err {
				t.Fatalf("error %v, then %v", err, again)
			}
			return r
		}
		r.add(row.Y, row.X)
		if row.Weight != 1 || in.Line() != len(r.rows) {
			t.Fatalf("row %d has weight %v and stands in line %d", len(r.rows), row.Weight, in.Line())
		}
	}
}

// byParts reads blocks of a text with one Rows.
func byParts(text io.Reader, size int) (r reading) {
	var rows libsvmfmt.Rows
	blocks := textscan.NewBlocks(text)
	for first := true; ; first = false {
		block, err := blocks.Next(nil, size)
		if err != nil {
			if err != io.EOF {
				r.err = err.Error()
			}
			return r
		}
		fault := rows.Read(block, first)
		for i := range rows.Len() {
			r.add(rows.Row(i))
		}
		if fault != nil {
			r.err = fault.Locate(len(r.rows) + 1).Error()
			return r
		}
	}
}

// whole is what of a reading is seen of a data set: nothing of one with an error.
func whole(d *format.Dataset, err error) (r reading) {
	if err != nil {
		return reading{err: err.Error()}
	}
	for i, y := range d.Y {
		r.add(y, d.X.Row(i))
	}
	return r
}

// check fails unless got is want.
func (want reading) check(t *testing.T, got reading, how string, data []byte) {
	t.Helper()
	for i := range max(len(want.rows), len(got.rows)) {
		if i >= len(want.rows) || i >= len(got.rows) || want.rows[i] != got.rows[i] {
			t.Fatalf("%s: %d rows, want %d; other from row %d on\n%.3000q", how, len(got.rows), len(want.rows), i+1, data)
		}
	}
	if got.err != want.err {
		t.Fatalf("%s: error %q, want %q\n%.3000q", how, got.err, want.err, data)
	}
}

// oddText is runs of rows as most are written, between lines of other forms. faulty texts also have
// lines that are errors.
func oddText(r *rand.Rand, size int, faulty bool) []byte {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	number := func() string {
		switch r.IntN(12) {
		case 0:
			return pick("0x1p-3", "-0x1.8p4", "1e2", "-2.5E-3", "1e-300", "+.5", "5.", "-0", "00012", "12345678901234567890", "0.12345678901234567890", "-1.7976931348623157e+308")
		case 1, 2, 3:
			return fmt.Sprintf("%.6g", r.NormFloat64())
		case 4:
			return fmt.Sprintf("%.17g", r.NormFloat64())
		case 5:
			return fmt.Sprint(r.IntN(2000))
		}
		return "1"
	}
	numbers := []func() string{func() string { return "1" }, number, func() string { return fmt.Sprintf("%.6g", r.NormFloat64()) }}
	var b bytes.Buffer
	if r.IntN(8) == 0 {
		b.WriteString("\ufeff")
	}
	for b.Len() < size {
		value, most, step := numbers[r.IntN(len(numbers))], 1+r.IntN(20), 1+r.Int32N(3)
		if r.IntN(30) == 0 {
			most = 3000
		}
		for range r.IntN(90) { // of one kind, as most are
			b.WriteString(pick("1", "-1", "+1", "0", "2.5", "26"))
			index := r.Int32N(3)
			for range r.IntN(most) {
				fmt.Fprintf(&b, " %d:%s", index, value())
				index += 1 + r.Int32N(step)
			}
			b.WriteString(pick("\n", "\n", "\n", " \n"))
		}
		for range r.IntN(4) {
			b.WriteString(pick("1\t1:2\t3:4\n", "  1  1:2   3:4 \n", "1 1:2 3:4\r\n", "1 # a comment\n", "-1 3:4 # one more\n", "1 7:1 2147483647:1\n",
				"0x10 1:1\n", "1e1 1: 2\n", "1 +1:1 002:2\n", "1\r\n", "3 1:"+number()+" 5:"+number()+"\n", "1 12345678:1\n", "1 1:1"+strings.Repeat(" ", r.IntN(9000))+"\n"))
		}
		if faulty && r.IntN(10) == 0 {
			b.WriteString(pick("\n", " \n", "x\n", "1 2:1 2:1\n", "1 3:1 2:1\n", "1 1:nan\n", "1 1:-inf\n", "nan 1:1\n", "1 2147483648:1\n", "1 -1:1\n", "1 1:1e-310\n",
				"1 1:1e999\n", "1 1:2:3\n", "1 1\n", "1 1:1 5\n", "1:1\n", "1 1:1,5\n", "1 1:2\r3:4\n", "1 0:\n", "1\x00 1:1\n", "1 1:1 :2\n", "1 1 :1\n"))
		}
	}
	data := b.Bytes()
	switch r.IntN(3) {
	case 0:
		data = bytes.TrimRight(data, "\n") // without a last line end
	case 1:
		data = data[:r.IntN(len(data)+1)] // cut anywhere
	}
	return data
}

// Texts of any form are to the Reader, to ReadAll and to Parse, in blocks of any size and with any
// instructions, what they are line by line.
func TestOddTexts(t *testing.T) {
	defer simd.Use(simd.Best())
	r := rand.New(rand.NewPCG(7, 8))
	broken := errors.New("broken")
	ctx := context.Background()
	faults, rows := 0, 0
	for round := range 100 {
		size := r.IntN(5000)
		if round%10 == 0 {
			size = r.IntN(200_000) // more than a reader has in memory
		}
		data, end := oddText(r, size, round%3 == 0), io.EOF
		if round%7 == 0 {
			end = broken
		}
		source := func() io.Reader {
			if end == io.EOF {
				return bytes.NewReader(data)
			}
			return io.MultiReader(bytes.NewReader(data), iotest.ErrReader(end))
		}
		want := byLines(data, end)
		all := want
		if want.err != "" {
			all.rows = nil
			faults++
		}
		rows += len(all.rows)
		for level := simd.Portable; level <= simd.Best(); level++ {
			simd.Use(level)
			how := level.String()
			want.check(t, byReader(t, source()), how+" Reader", data)
			want.check(t, byReader(t, iotest.HalfReader(source())), how+" Reader of halves", data)
			want.check(t, byReader(t, &pieces{source(), r}), how+" Reader of pieces", data)
			all.check(t, whole(format.ReadAll(ctx, libsvmfmt.NewReader(source()))), how+" ReadAll", data)
			for _, workers := range []int{1, 3} {
				for _, size := range []int{1 + len(data)/100, 1 + r.IntN(20_000), 64 << 10} {
					want.check(t, byParts(source(), size), fmt.Sprintf("%s Rows of blocks of %d", how, size), data)
					all.check(t, whole(libsvmfmt.ParseBlocks(ctx, source(), workers, size)), fmt.Sprintf("%s Parse by %d in blocks of %d", how, workers, size), data)
				}
			}
		}
	}
	if faults < 20 || rows < 5_000 {
		t.Errorf("only %d texts with faults, %d rows without", faults, rows)
	}
}

// pieces are some bytes at a time, as they come from a pipe.
type pieces struct {
	io.Reader
	r *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.Reader.Read(b[:min(len(b), 1+p.r.IntN(3000))])
}

// A row is there as soon as its line is, though many are read at once.
func TestReaderWaitsForNothing(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	r := libsvmfmt.NewReader(in)
	for i := range 300 {
		n := 1 + i%3
		go out.Write([]byte(strings.Repeat("1 1:2 3:4\n", n) + "1 1:"))
		for range n {
			if row, err := r.Read(); err != nil || text(row) != "1 1:2 3:4" {
				t.Fatalf("%s, %v", text(row), err)
			}
		}
		go out.Write([]byte("7\n"))
		if row, err := r.Read(); err != nil || text(row) != "1 1:7" {
			t.Fatalf("%s, %v", text(row), err)
		}
	}
}
