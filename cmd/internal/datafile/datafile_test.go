package datafile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		text = b.String()
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const weather = "@relation w\n@attribute a numeric\n@attribute b {p,q,r}\n@attribute c {no,yes}\n@data\n1,q,yes\n2,r,no\n3,p,?\n"

// TestChanged: a file that changes while it is read does not end as if it had been so.
func TestChanged(t *testing.T) {
	for _, c := range []struct{ text, next string }{
		{weather, weather[:len(weather)-6]},
		{"1 1:1\n2 1:2\n", "1 1:1\n2 1:2\n3 1:3\n"},
		{"a,b\n1,x\n2,y\n", ""},
		{"a,b\n1,x\n2,y\n", "a,b\n1,x\n2,y,z\n"},
	} {
		path := write(t, "data", c.text)
		f, err := Open(t.Context(), path, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err = f.Header(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.next), 0o666); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = f.Read()
		}
		if err != format.ErrChanged {
			t.Errorf("%q, then %q: %v", c.text, c.next, err)
		}
	}
}

func TestOpen(t *testing.T) {
	wide := strings.Repeat("1.5 0.25 ", 1000) + "2\n" // longer than what is looked at first
	comment := "# " + strings.Repeat("of a text ", 1000) + "\n1 1:1\n"
	for _, c := range []struct {
		name, text string
		o          Options
		format     string
		columns    int
		rows       int
	}{
		{"w.arff", weather, Options{}, "arff", 3, 3},
		{"w.arff.gz", weather, Options{}, "arff", 3, 3},
		{"w", weather, Options{}, "arff", 3, 3},
		{"-", weather, Options{}, "arff", 3, 3},
		{"w.csv", "a,b\n1,x\n2,y\n", Options{}, "csv", 2, 2},
		{"w.csv.gz", "a,b\n1,x\n2,y\n", Options{}, "csv", 2, 2},
		{"-", "a,b\n1,x\n2,y\n", Options{}, "csv", 2, 2},
		{"w.csv", "a;b,c\n1;2,x\n", Options{CSV: CSV{Separator: ';', FirstLine: csvfmt.FirstLineRow}}, "csv", 2, 2},
		{"w.csv", "1 1:1\n", Options{Format: "libsvm"}, "libsvm", 0, 1},
		{"w.txt", "1 qid:2 1:1\n", Options{DropQueries: true}, "svmlight", 0, 1},
		{"w.arff", "@relation w\n@attribute a numeric\n@attribute b {p,q}\n@data\n,p\n", Options{Weka: true}, "arff", 2, 0},
		{"w.data", strings.Repeat(wide, 4), Options{}, "csv", 2001, 4}, {"-", strings.Repeat(wide, 4), Options{}, "csv", 2001, 4},
		{"w", comment, Options{}, "svmlight", 0, 1}, {"-", comment, Options{}, "svmlight", 0, 1},
	} {
		path := c.name
		if path != "-" {
			path = write(t, c.name, c.text)
		}
		f, err := Open(t.Context(), path, strings.NewReader(c.text), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		h, err := f.Header()
		if err != nil || f.Codec.Name != c.format || len(h.Attributes) != c.columns {
			t.Errorf("%s: %s with %d columns, %v; want %s with %d", c.name, f.Codec.Name, len(h.Attributes), err, c.format, c.columns)
		}
		if d, err := format.ReadAll(t.Context(), f); c.rows > 0 && (err != nil || d.Len() != c.rows) {
			t.Errorf("%s: %v, want %d rows", c.name, err, c.rows)
		}
		if err := f.Close(); err != nil {
			t.Errorf("%s: close: %v", c.name, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open(t.Context(), "none.csv", nil, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Open(t.Context(), "-", strings.NewReader("what"), Options{}); !errors.Is(err, ErrUnrecognised) || !strings.HasPrefix(err.Error(), "standard input: ") {
		t.Errorf("unknown content: %v", err)
	}
	_, err := Open(t.Context(), "-", strings.NewReader(""), Options{Format: "xls"})
	if want := `standard input: no format "xls": there are libsvm, svmlight, arff, csv, tsv`; !errors.Is(err, ErrNoFormat) || err.Error() != want {
		t.Errorf("unknown format: %v, want %s", err, want)
	}
}

// Files of other kinds are named, whatever their name and the options say; texts that begin alike are not.
func TestOpenNoText(t *testing.T) {
	tar := append([]byte("a.csv"), make([]byte, 512)...)
	copy(tar[257:], "ustar")
	gzipped := func(text string) string {
		var b strings.Builder
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
		return b.String()
	}
	for text, want := range map[string]string{
		"PK\x03\x04\x14\x00":               "a zip archive or a spreadsheet (.xlsx)",
		gzipped("PK\x03\x04\x14\x00"):      "a zip archive or a spreadsheet (.xlsx)",
		gzipped(gzipped("a,b\n1,2\n")):     "packed twice, first by gzip",
		"\xac\xed\x00\x05sr\x00\x13weka":   "serialised Java objects, as Weka's .bsi and .model are",
		"\x1f\x9d\x90":                     "compress data (.Z)",
		string(tar):                        "a tar archive",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "a spreadsheet (.xls) or a document",
	} {
		for _, o := range []Options{{}, {Format: "csv"}, {Format: "libsvm"}} {
			for _, path := range []string{"data.csv", "data.arff", "data", "-"} {
				_, err := OpenStream(t.Context(), path, strings.NewReader(text), o)
				var file *NoTextError
				if want := "the file is " + want + ", expected a text"; !errors.As(err, &file) || !strings.HasSuffix(err.Error(), ": "+want) {
					t.Errorf("%s, %+v: %v, want %s", path, o, err, want)
				}
			}
		}
	}
	for _, text := range []string{"PK,x\n1,2\n", "PAR1,PAR2\n1,2\n", "]\n1\n", "BZh9,x\n1,2\n", "LZIP\n1\n", strings.Repeat("a,", 128) + "\"ustar\"\n"} {
		f, err := OpenStream(t.Context(), "data.csv", strings.NewReader(text), Options{})
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		f.Close()
	}
}

// A text in UTF-16 of any format is read if it has a mark, and else reported as such.
func TestOpenUTF16(t *testing.T) {
	for _, text := range []string{"1 1:2\n-1 1:3\n", weather, "a,b\n1,2\n", "# rows\n1 1:2\n", "1 1:2 Größe\n"} {
		for _, mark := range []string{"", "\ufeff"} {
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				var b []byte
				for _, unit := range utf16.Encode([]rune(mark + text)) {
					b = order.AppendUint16(b, unit)
				}
				f, err := Open(t.Context(), "-", bytes.NewReader(b), Options{})
				at := (*format.Error)(nil)
				switch {
				case mark != "":
					wantAs(t, f, err, text)
				case !errors.As(err, &at) || at.Error() != "standard input:1:1: the text is UTF-16, expected UTF-8":
					t.Errorf("%.20q: %v", b, err)
				}
			}
		}
	}
	for _, text := range []string{"what", "\x00", "w\x00h", "\x00\x00\x00\x00\x00\x00", "what is \x00", "\xffwhat", "x\n1\n2\n", "y\r\n0.5\r\n", "x"} {
		if _, err := Open(t.Context(), "-", strings.NewReader(text), Options{}); !errors.Is(err, ErrUnrecognised) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Open(t.Context(), "-", strings.NewReader(""), Options{}); !errors.Is(err, errEmpty) {
		t.Errorf("no text: %v", err)
	}
	for _, text := range []string{"svm_type c_svc\nkernel_type linear\n", "slimsvm_model 1\nsvm_type c_svc\n", "\ufeffsvm_type c_svc\r\n"} {
		for _, path := range []string{"-", "a.csv", "a.tsv", "a.arff", "a.libsvm", "a.svmlight"} {
			if _, err := OpenStream(t.Context(), path, strings.NewReader(text), Options{}); !errors.Is(err, errModel) {
				t.Errorf("%s of %q: %v, want a model", path, text, err)
			}
		}
	}
	for _, text := range []string{"svm_type\nc_svc\n", "svm_type error\nc_svc 0.5\n", "svm_type 1\n2 3\n", "svm_type,c_svc\n1,2\n"} {
		if _, err := OpenStream(t.Context(), "a.csv", strings.NewReader(text), Options{}); err != nil {
			t.Errorf("a table that begins with %q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"solver_type L2R_LR\nnr_class 2\n": `found "solver_type", which is how a model of LIBLINEAR's begins, expected data`,
		"x\n-1 1\n1 0 2\n":                 `found "x", which is how a file of svm-scale's ranges begins, expected data`,
		"\ufeffy\r\n-1 1\r\n0 2\r\n":       `found "y", which is how a file of svm-scale's ranges begins, expected data`,
	} {
		if _, err := Open(t.Context(), "-", strings.NewReader(text), Options{}); err == nil || err.Error() != "standard input:1:1: "+want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What the name or an option says of the format does not hide that.
func TestOpenWideNamed(t *testing.T) {
	for name, text := range map[string]string{"w.arff": weather, "t.csv": "a,b\n1,2\n", "t.tsv": "a\tb\n1\t2\n", "s.svmlight": "1 1:2\n"} {
		for _, o := range []Options{{}, {Format: "libsvm"}} {
			path := filepath.Join(t.TempDir(), name)
			var b, wide []byte
			for _, c := range text {
				b = binary.LittleEndian.AppendUint16(b, uint16(c))
				wide = binary.BigEndian.AppendUint32(wide, uint32(c))
			}
			marked := "\xff\xfe\x00\x00" + strings.Join(strings.Split(text, ""), "\x00\x00\x00") + "\x00\x00\x00"
			for text, want := range map[string]error{
				string(b): format.ErrUTF16, string(wide): format.ErrUTF32,
				"\x00\x00\xfe\xff" + string(wide): format.ErrUTF32, marked: format.ErrUTF32,
			} {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if _, err := Open(t.Context(), path, nil, o); !errors.Is(err, want) {
					t.Errorf("%s as %q, %.8q: %v", name, o.Format, text, err)
				}
			}
		}
	}
}

// wantAs checks that an open file is read as a text is.
func wantAs(t *testing.T, f *File, err error, text string) {
	t.Helper()
	if err != nil {
		t.Errorf("%q: %v", text, err)
		return
	}
	want, err := Open(t.Context(), "-", strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := format.ReadAll(t.Context(), f)
	expected, fault := format.ReadAll(t.Context(), want)
	all := func(d *format.Dataset) string {
		if d == nil {
			return ""
		}
		return fmt.Sprint(*d.Header, d.X, d.Y)
	}
	if f.Codec.Name != want.Codec.Name || all(d) != all(expected) || fmt.Sprint(f.At(err)) != fmt.Sprint(want.At(fault)) {
		t.Errorf("%q: %s, %+v, %v, want %s, %+v, %v", text, f.Codec.Name, d, err, want.Codec.Name, expected, fault)
	}
}

// TestEncode: columns become features, rows without a label go; numbers stay.
func TestEncode(t *testing.T) {
	for _, c := range []struct {
		text string
		rows int
		err  error
	}{
		{weather, 2, nil},
		{strings.ReplaceAll(strings.ReplaceAll(weather, "yes\n", "?\n"), "r,no", "r,?"), 0, ErrUnlabelled},
		{"1 1:1\n", 1, nil},
	} {
		f, err := Open(t.Context(), "-", strings.NewReader(c.text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := format.ReadAll(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Encode(t.Context(), rows, encode.Options{})
		if !errors.Is(err, c.err) {
			t.Fatalf("%q: %v, want %v", c.text, err, c.err)
		}
		if err == nil && p.Data.Len() != c.rows {
			t.Errorf("%q: %d rows, want %d", c.text, p.Data.Len(), c.rows)
		}
		if inputs, err := p.Inputs(); err != nil || (inputs != nil) != Declares(f.Codec) {
			t.Errorf("%q: inputs %q, %v", c.text, inputs, err)
		}
	}
}
