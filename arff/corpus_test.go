package arff

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/internal/testenv"
)

// A corpusFile is a file of the acceptance corpus: what Weka makes of it.
type corpusFile struct {
	name      string
	verdict   string // valid, invalid, choice
	line      int    // of the fault; 0: none is known
	weka      string // "ok", or the message of Weka 3.8
	text      []byte
	textError error    // from unpacking text
	meaning   *meaning // nil: not recorded
}

// ownCorpus returns the part of the corpus that lies in testdata.
func ownCorpus(t testing.TB) []corpusFile {
	t.Helper()
	f, err := os.Open("testdata/own.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if content[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return corpusFiles(t, func(name string) ([]byte, error) {
		if b, ok := content[name]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	})
}

// sharedFolder returns a part of the reference material beside the project, or
// skips the test.
func sharedFolder(t testing.TB, name string) string {
	t.Helper()
	return testenv.Shared(t, filepath.FromSlash(name))
}

// corpora runs a test on our own part of the corpus and on the whole of it.
func corpora(t *testing.T, test func(t *testing.T, files []corpusFile)) {
	t.Run("own", func(t *testing.T) { test(t, ownCorpus(t)) })
	t.Run("shared", func(t *testing.T) {
		dir := sharedFolder(t, "corpus/arff")
		test(t, corpusFiles(t, func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}))
	})
}

// corpusFiles reads the index and all files that it names.
func corpusFiles(t testing.TB, read func(name string) ([]byte, error)) []corpusFile {
	t.Helper()
	index, err := read("INDEX.tsv")
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(index))
	r.Comma, r.LazyQuotes = '\t', true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) < 100 {
		t.Fatalf("only %d lines in the index of the corpus", len(records))
	}
	column := func(name string) int {
		k := slices.Index(records[0], name)
		if k < 0 {
			t.Fatalf("the index of the corpus has no column %s", name)
		}
		return k
	}
	name, verdict, line, weka := column("file"), column("verdict"), column("error_line"), column("weka38")
	var files []corpusFile
	for _, rec := range records[1:] {
		f := corpusFile{name: rec[name], verdict: rec[verdict], weka: rec[weka]}
		f.line, _ = strconv.Atoi(rec[line])
		if f.text, err = read(f.name); err != nil {
			t.Fatal(err)
		}
		f.text, f.textError = unpack(f.text)
		for _, suffix := range []string{".json", ".json.zst"} {
			text, err := read(strings.TrimSuffix(f.name, ".zst") + suffix)
			if errors.Is(err, fs.ErrNotExist) || path.Ext(strings.TrimSuffix(f.name, ".gz")) == ".xrff" {
				continue
			}
			if err == nil {
				text, err = unpack(text)
			}
			if err == nil {
				f.meaning, err = parseMeaning(text)
			}
			if err != nil {
				t.Fatalf("%s%s: %v", f.name, suffix, err)
			}
		}
		files = append(files, f)
	}
	return files
}

// unpack returns what gzip or zstd packed, and other text as it is.
func unpack(text []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	case bytes.HasPrefix(text, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		return io.ReadAll(z)
	}
	return text, nil
}

// refusedThoughValid are files that Weka 3.6 and 3.8 read differently: sparse
// rows that leave out strings. A strict reader takes no side.
var refusedThoughValid = map[string]string{
	"valid/real_weka_ClassifierTest.arff": "leaves out attribute",
	"valid/real_weka_InstancesTest.arff":  "leaves out attribute",
}

func TestCorpusValid(t *testing.T) {
	corpora(t, func(t *testing.T, files []corpusFile) {
		strict, weka, refused, other := 0, 0, 0, 0
		for _, f := range files {
			if f.verdict != "valid" {
				continue
			}
			if strings.Contains(f.name, ".xrff") {
				t.Logf("%s: skipped, XRFF is another format", f.name)
				other++
				continue
			}
			if f.meaning == nil {
				t.Errorf("%s: no meaning is recorded", f.name)
				continue
			}
			if err := f.reads(true); err != nil {
				t.Errorf("%s: as Weka: %v", f.name, err)
			}
			weka++
			if part, ok := refusedThoughValid[f.name]; ok {
				if err := f.reads(false); !errors.Is(err, ErrStrict) || !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %v, want %q", f.name, err, part)
				}
				refused++
				continue
			}
			if err := f.reads(false); err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
			strict++
		}
		if strict == 0 || weka == 0 {
			t.Fatal("no files")
		}
		t.Logf("%d valid files read strictly, %d as Weka; %d refused strictly, %d skipped", strict, weka, refused, other)
	})
}

// reads returns nil when reading the file gives what is recorded.
func (f *corpusFile) reads(weka bool) error {
	r := NewReader(bytes.NewReader(f.text))
	r.Weka = weka
	got, err := readMeaning(r)
	if err != nil {
		return err
	}
	return sameMeaning(f.meaning, got)
}

func TestCorpusInvalid(t *testing.T) {
	corpora(t, func(t *testing.T, files []corpusFile) {
		faulty, quiet := 0, 0
		for _, f := range files {
			if f.verdict != "invalid" {
				continue
			}
			if f.textError != nil {
				if f.line != 0 {
					t.Errorf("%s: %v", f.name, f.textError)
				}
				continue // a reader never sees it
			}
			_, err := readMeaning(NewReader(bytes.NewReader(f.text)))
			e := (*format.Error)(nil)
			if !errors.As(err, &e) {
				t.Errorf("%s: error %v, want one in line %d", f.name, err, f.line)
				continue
			}
			if e.Line != f.line && (e.Line != f.line+1 || !strings.Contains(err.Error(), "found the end of the")) {
				t.Errorf("%s: error %q, want one in line %d", f.name, err, f.line)
			}
			if e.Column == 0 {
				t.Errorf("%s: error %q has no column", f.name, err)
			}
			r := NewReader(bytes.NewReader(f.text))
			r.Weka = true
			_, wekaErr := readMeaning(r)
			if (wekaErr == nil) != (f.weka == "ok") {
				t.Errorf("%s: as Weka: %v, but Weka says %s", f.name, wekaErr, f.weka)
			}
			if f.weka == "ok" && !errors.Is(err, ErrStrict) {
				t.Errorf("%s: %v is no ErrStrict, but Weka reads the file", f.name, err)
			}
			faulty++
			if f.weka == "ok" {
				quiet++
			}
		}
		if faulty == 0 || quiet == 0 {
			t.Fatal("no files")
		}
		t.Logf("%d invalid files refused at the right line, %d of them read as Weka", faulty, quiet)
	})
}

// choices is what strict reading makes of files about which readers disagree: ""
// where it gives the recorded meaning, or the fault.
var choices = map[string]string{
	"choice/attr_after_data.arff":                       `7:1: expected a row, found "@attribute": attributes stand before @data`,
	"choice/bom.arff":                                   "", // Weka refuses it; so common that it must be read
	"choice/date_trailing_text.arff":                    `4:1: expected a date like "yyyy-MM-dd" for attribute "d", found "junk" behind it`,
	"choice/gzip_named_arff.arff":                       "", // format.Open unpacks by content
	"choice/latin1.arff":                                `2:18: text is not UTF-8: "\xe9"`,
	"choice/liac_bad_escapes_c5b5.arff":                 "", // an unknown escape is the character
	"choice/liac_bad_quotes_375c.arff":                  `7:3: expected a closing quote in this line behind "'A ": a quote is written \' or \" inside quotes`,
	"choice/liac_bad_quotes_5c21.arff":                  `7:2: expected a closing quote in this line behind "'A\\' "`,
	"choice/liac_bad_quotes_89dd.arff":                  `7:3: expected a closing quote in this line behind "\" ": a quote is written \' or \" inside quotes`,
	"choice/liac_bad_quotes_b036.arff":                  `7:2: expected a closing quote in this line behind "'A "`,
	"choice/liac_bad_quotes_e2da.arff":                  `7:2: expected a closing quote in this line behind "\"A\\\" "`,
	"choice/liac_decode_dense_gen_data_error_8e2c.arff": `31:1: expected a label of attribute "outlook" ("sunny", "overcast", "rainy"), found "JU"`,
	"choice/liac_escapes_c658.arff":                     "", // there are no Unicode escapes
	"choice/liac_format_correct_41cb.arff":              `7:7: expected the end of the line after @data, found "10"`,
	"choice/liac_integer_4f2a.arff":                     "", // integer is numeric
	"choice/liac_internal_brace_e55d.arff":              `7:3: expected the end of the row after 1 value, found "}"`,
	"choice/liac_multiple_values_95df.arff":             `7:6: expected the end of the row after 1 value, found "'6'"`,
	"choice/liac_multiple_values_9e43.arff":             `7:4: expected the end of the row after 1 value, found "6"`,
	"choice/liac_null_value_437a.arff":                  "8:1: expected a value, found a comma; a missing value is a ?",
	"choice/sep_leading_comma.arff":                     "5:1: expected a value, found a comma; a missing value is a ?",
}

func TestCorpusChoice(t *testing.T) {
	corpora(t, func(t *testing.T, files []corpusFile) {
		read, refused := 0, 0
		for _, f := range files {
			if f.verdict != "choice" {
				continue
			}
			want, ok := choices[f.name]
			if !ok {
				t.Errorf("%s: no decision", f.name)
			}
			err := f.choiceReads(false)
			switch {
			case want == "" && err != nil:
				t.Errorf("%s: %v", f.name, err)
			case want != "" && (err == nil || err.Error() != want):
				t.Errorf("%s:\n%v, want\n%s", f.name, err, want)
			case err == nil:
				read++
			default:
				refused++
			}
			wekaErr := f.choiceReads(true)
			switch {
			case f.meaning != nil && wekaErr != nil:
				t.Errorf("%s: as Weka: %v", f.name, wekaErr)
			case f.meaning == nil && wekaErr == nil:
				t.Errorf("%s: read as Weka, but Weka says %s", f.name, f.weka)
			}
		}
		if read == 0 || refused == 0 {
			t.Fatal("no files")
		}
		t.Logf("%d files of choice read, %d refused", read, refused)
	})
}

// choiceReads is reads; the file in Latin-1 is read as that by Weka.
func (f *corpusFile) choiceReads(weka bool) error {
	if f.meaning == nil {
		r := NewReader(bytes.NewReader(f.text))
		r.Weka = weka
		_, err := readMeaning(r)
		return err
	}
	if strings.Contains(f.name, "latin1") && weka {
		r := NewReader(bytes.NewReader(f.text))
		r.Weka, r.Latin1 = true, true
		got, err := readMeaning(r)
		if err != nil {
			return err
		}
		return sameMeaning(f.meaning, got)
	}
	return f.reads(weka)
}
