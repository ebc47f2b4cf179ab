package formattest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// Each of these codecs is the sound one with one defect. The check named must
// find it, for the reason given.
var broken = []struct {
	defect string
	codec  format.Codec
	check  string
	reason string
}{
	{"no name", with(func(c *format.Codec) { c.Name = "" }), "fields", "no Name"},
	{"extension without a dot", with(func(c *format.Codec) { c.Extensions = []string{"toy"} }), "fields", `"toy"`},
	{"extension in upper case", with(func(c *format.Codec) { c.Extensions = []string{".TOY"} }), "fields", `".TOY"`},
	{"no Parse", with(func(c *format.Codec) { c.Parse = nil }), "fields", "nil"},
	{"does not know itself", with(func(c *format.Codec) { c.Sniff = func(h []byte) bool { return h[0] == '%' } }), "round trip", "Sniff"},
	{"sniffing nothing panics", with(func(c *format.Codec) { c.Sniff = func(h []byte) bool { return h[0] != '%' } }), "empty file", "panics"},

	{"values of float32", withRow(func(in *format.Instance) {
		for k, v := range in.X.Value {
			in.X.Value[k] = float64(float32(v))
		}
	}), "round trip", "values of 17 digits"},
	{"one bit of the largest number", withRow(func(in *format.Instance) {
		for k, v := range in.X.Value {
			if v == math.MaxFloat64 {
				in.X.Value[k] = math.Nextafter(v, 0)
			}
		}
	}), "round trip", "extreme values"},
	{"labels are integers", withRow(func(in *format.Instance) { in.Y = math.Trunc(in.Y) }), "round trip", "labels"},
	{"label -0 becomes 0", withRow(func(in *format.Instance) { in.Y += 0 }), "round trip", "label 0, want -0"},
	{"zeros are dropped", rowWriter(func(in *format.Instance) {
		dropped := *in
		in.X = (&suite{limits: Limits{DropsZeros: true}}).normal(dropped).X
	}), "round trip", "zeros"},
	{"index 0 is dropped", withRow(func(in *format.Instance) {
		if len(in.X.Index) > 0 && in.X.Index[0] == 0 {
			in.X.Index, in.X.Value = in.X.Index[1:], in.X.Value[1:]
		}
	}), "round trip", "index 0"},
	{"indices of 24 bits", withRow(func(in *format.Instance) {
		for k := range in.X.Index {
			in.X.Index[k] &= 1<<24 - 1
		}
	}), "round trip", "largest index"},
	{"label-only rows are dropped", altered(func(l *textscan.Lines, s *source) {
		s.next = func() ([]byte, error) {
			for {
				line, err := l.Next()
				if err != nil || bytes.IndexByte(line, ' ') >= 0 {
					return line, err
				}
			}
		}
	}), "round trip", "labels only"},
	{"infinities become large", withRow(func(in *format.Instance) {
		in.Y = min(in.Y, math.MaxFloat64)
	}), "round trip", "infinities and NaN"},
	{"weight 0 for 1", withRow(func(in *format.Instance) { in.Weight = 0 }), "round trip", "weight 0, want 1"},
	{"weights are dropped", rowWriter(func(in *format.Instance) { in.Weight = 1 }), "refusals", "weight 1, want 2"},
	{"subnormal numbers become 0", rowWriter(func(in *format.Instance) {
		for k, v := range in.X.Value {
			if math.Abs(v) < smallestNormal {
				in.X.Value[k] = 0 * v
			}
		}
	}), "refusals", "Write changes row"},
	{"subnormal numbers are rounded", rowWriter(func(in *format.Instance) {
		*in = in.Clone()
		for k, v := range in.X.Value {
			if math.Abs(v) < smallestNormal {
				in.X.Value[k] = 0 * v
			}
		}
	}), "refusals", "subnormal numbers: neither refused nor kept"},
	{"values without an index are dropped", rowWriter(func(in *format.Instance) {
		in.X.Value = in.X.Value[:min(len(in.X.Index), len(in.X.Value))]
	}), "no vectors", "indices [1] and values [1 2]: the row is written without an error"},
	{"an index without a value panics", rowWriter(func(in *format.Instance) {
		in.X.Value = in.X.Value[:len(in.X.Index):len(in.X.Index)]
	}), "no vectors", "indices [1 2] and values [1]: writing panics"},
	{"half a row is written", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{dst, func(in format.Instance) error {
			err := dst.Write(in)
			if err != nil {
				dst.Write(Row(in.Y))
			}
			return err
		}, dst.Flush}
	}), "no vectors", "indices [1 1] and values [1 2]: the text is"},

	{"unfinished header", with(func(c *format.Codec) {
		c.NewReader = func(r io.Reader) format.Reader { return nilHeader{toy.NewReader(r)} }
	}), "round trip", "Header returns nil"},
	{"a class without columns", with(func(c *format.Codec) {
		c.NewReader = func(r io.Reader) format.Reader { return classReader{toy.NewReader(r)} }
	}), "round trip", "class 0 of 0 columns"},
	{"no class by another number", with(func(c *format.Codec) {
		c.Parse = func(ctx context.Context, r io.Reader) (*format.Dataset, error) {
			d, err := toy.Parse(ctx, r)
			if err == nil {
				d.Header.Class = -2
			}
			return d, err
		}
	}), "round trip", "class -2 of 0 columns"},

	{"rows are kept until Flush", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		var kept []format.Instance
		return writer{dst, func(in format.Instance) error { kept = append(kept, in); return nil }, func() error {
			for _, in := range kept {
				dst.Write(in)
			}
			kept = nil
			return dst.Flush()
		}}
	}), "round trip", "flushing after every row gives other bytes"},
	{"write errors are lost", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{dst, dst.Write, func() error { dst.Flush(); return nil }}
	}), "write errors", "first error is <nil>"},
	{"write errors are renamed", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{dst, dst.Write, func() error {
			if err := dst.Flush(); err != nil {
				return errors.New("cannot write")
			}
			return nil
		}}
	}), "write errors", "first error is cannot write"},
	{"the last Flush forgets", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{dst, func(in format.Instance) error {
			if err := dst.Write(in); err != nil {
				return err
			}
			return dst.Flush()
		}, func() error { return nil }}
	}), "write errors", "the last Flush reports success"},
	{"write errors come with the last Flush alone", withWriter(func(w io.Writer) format.Writer {
		dst := toy.NewWriter(w)
		return writer{dst, func(in format.Instance) error { dst.Write(in); return nil }, dst.Flush}
	}), "write errors", "no Write of more than 1048576 bytes reports that the writer fails"},
	{"short writes are taken for whole", withWriter(func(w io.Writer) format.Writer {
		var b bytes.Buffer
		dst := toy.NewWriter(&b)
		return writer{dst, dst.Write, func() error {
			dst.Flush()
			_, err := w.Write(b.Bytes())
			b.Reset()
			return err
		}}
	}), "write errors", "takes only"},

	{"lines above 64 KiB end the file", toyWith(hooks{lines: func(r io.Reader) lineSource {
		s, n := bufio.NewScanner(r), 0
		return source{func() ([]byte, error) {
			if !s.Scan() {
				return nil, io.EOF
			}
			n++
			return s.Bytes(), nil
		}, func() int { return n }}
	}}), "long lines", "rows, want 3"},
	{"what one Read returns is taken for lines", toyWith(hooks{lines: func(r io.Reader) lineSource {
		var lines [][]byte
		n, buf := 0, make([]byte, 1<<20)
		return source{func() ([]byte, error) {
			for len(lines) == 0 {
				k, err := r.Read(buf)
				if err != nil {
					return nil, err
				}
				lines = bytes.Split(bytes.TrimSuffix(buf[:k], []byte("\n")), []byte("\n"))
			}
			line := lines[0]
			lines = lines[1:]
			n++
			return line, nil
		}, func() int { return n }}
	}}), "pieces", "one byte at a time"},
	{"the end with the last bytes loses them", toyWith(hooks{lines: func(r io.Reader) lineSource {
		return textscan.NewLines(dropLast{r})
	}}), "pieces", "the end with the last bytes"},
	{"an error that wraps io.EOF is the end", altered(func(l *textscan.Lines, s *source) {
		s.next = func() ([]byte, error) {
			line, err := l.Next()
			if errors.Is(err, io.EOF) {
				err = io.EOF
			}
			return line, err
		}
	}), "read errors", "no error"},
	{"read errors are renamed", altered(func(l *textscan.Lines, s *source) {
		s.next = func() ([]byte, error) {
			line, err := l.Next()
			if err != nil && err != io.EOF {
				err = errors.New("cannot read")
			}
			return line, err
		}
	}), "read errors", "cannot read"},
	{"the line a read error cut is a row", toyWith(hooks{lines: func(r io.Reader) lineSource {
		all, err := io.ReadAll(r)
		l := textscan.NewLines(bytes.NewReader(all))
		return source{func() ([]byte, error) {
			line, end := l.Next()
			if end == io.EOF && err != nil {
				end = err
			}
			return line, end
		}, l.Number}
	}}), "read errors", "1 rows, want 0"},
	{"a read error comes before the rows", toyWith(hooks{lines: func(r io.Reader) lineSource {
		all, err := io.ReadAll(r)
		l := textscan.NewLines(bytes.NewReader(all))
		return source{func() ([]byte, error) {
			if err != nil {
				return nil, err
			}
			return l.Next()
		}, l.Number}
	}}), "read errors", "0 rows, want 1"},
	{"a last line without end is dropped", toyWith(hooks{lines: func(r io.Reader) lineSource {
		all, err := io.ReadAll(r)
		l := textscan.NewLines(io.MultiReader(bytes.NewReader(all[:bytes.LastIndexByte(all, '\n')+1]), failing{err}))
		return source{l.Next, l.Number}
	}}), "line ends", "no end of the last line"},
	{"a bad last line is passed over", altered(func(l *textscan.Lines, s *source) {
		s.next = func() ([]byte, error) {
			line, err := l.Next()
			if err == nil && len(line) > 0 && strings.ContainsRune("-:. ", rune(line[len(line)-1])) {
				err = io.EOF
			}
			return line, err
		}
	}), "truncation", "passed over in silence"},
	{"a cut row is filled up", withRow(func(in *format.Instance) {
		for i := int32(1); len(in.X.Index) < 3; i++ {
			in.X.Index = append(in.X.Index, i)
			in.X.Value = append(in.X.Value, 0)
		}
	}), "truncation", "in the whole row"},
	{"CR is not known", toyWith(hooks{before: func(line []byte) []byte {
		return append(bytes.Clone(line), '\r') // the toy takes one away
	}}), "line ends", "CR LF"},
	{"there is no end", altered(func(l *textscan.Lines, s *source) {
		s.next = func() ([]byte, error) {
			line, err := l.Next()
			if err == io.EOF {
				return []byte("1"), nil
			}
			return line, err
		}
	}), "empty file", "there is no end"},
	{"a row after the end", with(func(c *format.Codec) {
		c.NewReader = func(r io.Reader) format.Reader { return &zombie{Reader: toy.NewReader(r)} }
	}), "round trip", "Read returns a row after"},
	{"reading goes on after a fault", toyWith(hooks{goesOn: true}), "samples", "Read returns a row after"},

	{"columns from 0", withFault(func(_ []byte, e *format.Error) error { e.Column--; return e }), "samples", "column 4, want 2, 5"},
	{"lines from 0", withFault(func(_ []byte, e *format.Error) error { e.Line--; return e }), "samples", "line 1, column 1, want 2, 1"},
	{"columns behind the line", withFault(func(l []byte, e *format.Error) error { e.Column = len(l) + 3; return e }), "damage", "in column"},
	{"faults without position", withFault(func(_ []byte, e *format.Error) error { return e.Err }), "samples", "not a *format.Error"},
	{"faults with a path", withFault(func(_ []byte, e *format.Error) error { e.Path = "stdin"; return e }), "samples", "has a path"},
	{"raw bytes in a message", withFault(func(l []byte, e *format.Error) error {
		e.Err = fmt.Errorf("bad line %s", l[:min(len(l), 40)])
		return e
	}), "damage", "unprintable"},
	{"whole lines in a message", withFault(func(l []byte, e *format.Error) error {
		e.Err = fmt.Errorf("bad line %q", l)
		return e
	}), "long lines", "message of"},
	{"no message", withFault(func(_ []byte, e *format.Error) error { e.Err = errors.New("syntax error"); return e }), "samples", `want "label" in it`},
	{"a NUL byte panics", toyWith(hooks{before: func(line []byte) []byte {
		if bytes.IndexByte(line, 0) >= 0 {
			panic("NUL")
		}
		return line
	}}), "damage", "reading panics: NUL"},
	{"a lone sign panics", toyWith(hooks{before: func(line []byte) []byte {
		if string(line) == "-" {
			panic("sign")
		}
		return line
	}}), "truncation", "reading panics: sign"},
	{"order is not checked", withFault(func(_ []byte, e *format.Error) error {
		if strings.Contains(e.Err.Error(), "index above") {
			return nil
		}
		return e
	}), "samples", "no error and"},
	{"indices decrease", withRow(func(in *format.Instance) {
		if n := len(in.X.Index); n > 1 {
			in.X.Index[n-1] = 0
		}
	}), "round trip", "index 0 after"},
	{"a file of blanks is a row", toyWith(hooks{after: func(line []byte, in format.Instance, err error) (format.Instance, error) {
		if len(bytes.TrimSpace(line)) == 0 {
			return Row(0), nil
		}
		return in, err
	}}), "empty file", "1 rows"},

	{"line numbers of large files", altered(func(l *textscan.Lines, s *source) {
		s.number = func() int { return l.Number() & (1<<12 - 1) }
	}), "late faults", "is at line"},
	{"Parse loses the last row", withParse(func(ctx context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		d, err := sound(ctx, r)
		if err == nil && d.Len() > 8000 {
			last := d.Len() - 1
			less := dataset(rows(d)[:last]...)
			return less, nil
		}
		return d, err
	}), "bulk", "Parse:"},
	{"Parse counts lines from where it is", withParse(func(ctx context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		d, err := sound(ctx, r)
		var e *format.Error
		if errors.As(err, &e) && e.Line > 100 {
			e.Line -= 100
		}
		return d, err
	}), "late faults", "Parse:"},
	{"Parse reports the last fault", with(func(c *format.Codec) { c.Parse = lastFault }), "late faults", "Parse:"},
	{"Parse panics", withParse(func(context.Context, io.Reader, func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		panic("unfinished")
	}), "round trip", "Parse panics: unfinished"},
	{"Parse returns nothing", withParse(func(context.Context, io.Reader, func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		return nil, nil
	}), "round trip", "no data set"},
	{"Parse takes a failure for the end", withParse(func(ctx context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		all, _ := io.ReadAll(r)
		return sound(ctx, bytes.NewReader(all))
	}), "read errors", "Parse returns"},
	{"Parse cannot be cancelled", withParse(func(_ context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		return sound(context.Background(), r)
	}), "cancelling", "Parse returns no error"},
	{"Parse looks at the context once", withParse(func(ctx context.Context, r io.Reader, sound func(context.Context, io.Reader) (*format.Dataset, error)) (*format.Dataset, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return sound(context.Background(), r)
	}), "cancelling", "while it reads"},
}

func TestBrokenCodecsAreCaught(t *testing.T) {
	byName := map[string]check{}
	for _, c := range checks {
		byName[c.name] = c
	}
	caughtBy := map[string]bool{}
	for _, tt := range broken {
		c, ok := byName[tt.check]
		if !ok {
			t.Errorf("%s: no check %q", tt.defect, tt.check)
			continue
		}
		caughtBy[tt.check] = true
		err := runCheck(c, newSuite(tt.codec, toyLimits, toySamples))
		if err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s: %s finds %v, want %q", tt.defect, tt.check, err, tt.reason)
		}
	}
	for _, c := range checks {
		if !caughtBy[c.name] {
			t.Errorf("nothing shows that the check %q finds anything", c.name)
		}
	}
}
