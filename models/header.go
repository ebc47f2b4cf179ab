package models

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/slimsvm/slimsvm/format/textscan"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// header is the part of a model file before the vectors.
type header struct {
	task       Task
	kernelName string
	degree     int
	gamma      float64
	coef0      float64
	classes    int
	total      int

	rho, probA, probB, marks []float64
	label, group             []int

	extended   bool // the text is in the extended dialect
	vote       Vote
	ballot     Ballot   // for an ensemble, like the next two
	fallback   int      // the label for rows about which no machine knows anything
	columns    []string // columns of the machines' lines
	provenance Provenance

	has map[string]bool // the keys that occurred
}

// A word is a token of the header and its place.
type word struct {
	text         []byte
	line, column int
}

func (w word) errorf(format string, args ...any) error {
	return &textscan.Error{Line: w.line, Column: w.column, Err: fmt.Errorf(format, args...)}
}

// byteOrderMark may be at the beginning of a text; some editors write it.
var byteOrderMark = []byte("\xef\xbb\xbf")

// words splits a text into tokens. Line ends count as white space. With many classes, lines have
// megabytes, so only a part of a line is kept.
type words struct {
	lines  *textscan.Lines
	line   []byte // the line, or a part of it
	before int    // number of bytes of the line before the part
	more   bool   // the line continues after the part
	at     int    // position in the part
}

// next returns the next token. Its error is that of the lines.
func (s *words) next() (word, error) {
	for {
		for s.at < len(s.line) && textscan.IsSpace(s.line[s.at]) {
			s.at++
		}
		if s.at < len(s.line) {
			break
		}
		if err := s.part(); err != nil {
			return word{}, err
		}
	}
	start := s.at
	for s.at < len(s.line) && !textscan.IsSpace(s.line[s.at]) {
		s.at++
	}
	return word{s.line[start:s.at], s.lines.Number(), s.before + start + 1}, nil
}

// part reads the next line, or a part of it.
func (s *words) part() (err error) {
	if s.before += len(s.line); !s.more {
		s.before = 0
	}
	s.line, s.more, err = s.lines.Part()
	if s.at = 0; s.before == 0 && s.lines.Number() == 1 && bytes.HasPrefix(s.line, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	return err
}

// skip skips the rest of the line. An error that ends the line is seen when reading continues.
func (s *words) skip() {
	for s.more && s.part() == nil {
	}
}

// value returns the next token, which must be a value of key.
func (s *words) value(key string) (word, error) {
	w, err := s.next()
	if err != nil {
		return w, s.ended(err, "a value of "+key)
	}
	return w, nil
}

// ended turns the end of the text into an error that says what was expected.
func (s *words) ended(err error, expected string) error {
	return endOf(err, s.lines.Number(), expected)
}

func (s *words) int(key string, low, high int) (int, error) {
	w, err := s.value(key)
	if err != nil {
		return 0, err
	}
	v, n, err := textscan.Int(w.text)
	if n != len(w.text) {
		return 0, w.errorf("expected an integer as value of %s, found %s", key, textscan.QuoteWord(w.text))
	}
	if err != nil || v < int64(low) || v > int64(high) {
		return 0, w.errorf("%s is %s, expected %d to %d", key, textscan.QuoteWord(w.text), low, high)
	}
	return int(v), nil
}

func (s *words) real(key string) (float64, error) {
	w, err := s.value(key)
	if err != nil {
		return 0, err
	}
	v, n, _ := textscan.Float(w.text)
	if n != len(w.text) {
		return 0, w.errorf("expected a number as value of %s, found %s", key, textscan.QuoteWord(w.text))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) && key != "rho" {
		return 0, w.errorf("%s is %s, which is not finite", key, textscan.QuoteWord(w.text))
	}
	return v, nil
}

// reals reads n numbers.
func (s *words) reals(key string, n int) ([]float64, error) {
	return list(n, func() (float64, error) {
		if v, ok := s.plainReal(); ok {
			return v, nil
		}
		return s.real(key)
	})
}

// plainReal reads the next token if it is a finite number between two blanks, as nearly all of the
// hundreds of thousands are that a model of many classes has.
func (s *words) plainReal() (v float64, ok bool) {
	rest := s.line[s.at:]
	if len(rest) == 0 || rest[0] != ' ' {
		return 0, false
	}
	v, n, _ := textscan.Float(rest[1:])
	if end := 1 + n; n == 0 || end >= len(rest) || rest[end] != ' ' || !finite(v) {
		return 0, false
	}
	s.at += 1 + n
	return v, true
}

// ints reads n integers.
func (s *words) ints(key string, n, low, high int) ([]int, error) {
	return list(n, func() (int, error) { return s.int(key, low, high) })
}

// list reads n values. n is a claim of the file, so memory grows only with the values that are
// really there.
func list[T any](n int, read func() (T, error)) ([]T, error) {
	values := []T{}
	for i := range n {
		v, err := read()
		if err != nil {
			return nil, ofList(err, i, n)
		}
		if i == cap(values) {
			values = slices.Grow(values, believed(i, n))
		}
		values = append(values, v)
	}
	return values, nil
}

// ofList adds to a fault which of n values it concerns.
func ofList(err error, i, n int) error {
	if e, ok := err.(*textscan.Error); ok {
		e.Err = fmt.Errorf("%w (value %d of %d)", e.Err, i+1, n)
	}
	return err
}

// header reads up to the word SV but not the end of its line. Keys may be in any order and on any
// lines, but nr_class must come before the lists whose length it gives. If a key occurs twice, the
// last value counts.
func (s *words) header() (*header, error) {
	h := &header{has: map[string]bool{}}
	for first := true; ; first = false {
		w, err := s.next()
		if err != nil {
			return nil, s.ended(err, `a key or "SV"`)
		}
		key := string(w.text)
		if key == "SV" {
			return h, nil
		}
		if what := foreign(w.text, s.line); first && what != "" {
			return nil, w.errorf("found %s, which is %s, expected a model of LIBSVM's", textscan.QuoteWord(w.text), what)
		}
		if err := h.read(s, w, key); err != nil {
			return nil, err
		}
		h.has[key] = true
	}
}

// foreign says what kind of file this is if it is not a model, judged by its first word and line.
// It returns "" if the kind is unknown.
func foreign(word, line []byte) string {
	switch {
	case string(word) == "svm_type" || string(word) == extendedMark:
		return ""
	case textscan.FileKind(line) != "":
		return textscan.FileKind(line)
	case bytes.HasPrefix(word, []byte("\x1f\x8b")):
		return "how a file begins that is packed by gzip"
	case bytes.HasPrefix(word, []byte("\x28\xb5\x2f\xfd")):
		return "how a file begins that is packed by zstd"
	case bytes.HasPrefix(word, []byte("\xfd7zXZ\x00")):
		return "how a file begins that is packed by xz"
	case bytes.HasPrefix(word, []byte("BZh")):
		return "how a file begins that is packed by bzip2"
	case bytes.EqualFold(word, []byte("@relation")):
		return "how an ARFF file begins"
	case bytes.HasPrefix(word, []byte("%")):
		return "how a comment in an ARFF file begins"
	case bytes.ContainsAny(word, ",;"):
		return "how a line of CSV begins"
	case isRow(word, line):
		return "the label of a row of data"
	}
	return ""
}

// table says what kind of table begins with this line. It returns "" if the line does not look like
// a table.
func table(line []byte) string {
	switch {
	case bytes.ContainsAny(line, ",;"):
		return "how a line of CSV begins"
	case bytes.Contains(bytes.TrimSpace(line), []byte("\t")):
		return "how a line of a table with tabs begins"
	}
	return ""
}

// isRow reports whether a line with this first word looks like a row in LIBSVM's data format.
func isRow(word, line []byte) bool {
	if _, n, _ := textscan.Float(word); n != len(word) {
		return false
	}
	_, rest, _ := bytes.Cut(line, word)
	rest = bytes.TrimLeft(rest, " \t")
	_, n, _ := textscan.Int(rest)
	return n > 0 && n < len(rest) && rest[n] == ':'
}

func (h *header) read(s *words, w word, key string) (err error) {
	switch key {
	case "rho", "probA", "probB", "label", "nr_sv":
		if !h.has["nr_class"] {
			return w.errorf("%s stands before nr_class, which gives its length", key)
		}
		if h.extended && h.has["svm_type"] && h.task.Classifies() && !h.has["multiclass"] && key != "label" {
			return w.errorf("%s stands before multiclass, which gives its length", key)
		}
		if h.isEnsemble() && key != "label" {
			return w.errorf("%s is no key of an ensemble, whose lines have it", key)
		}
	}
	if h.extended || key == extendedMark {
		known, err := h.readExtended(s, w, key)
		if known || err != nil {
			return err
		}
	}
	machines := h.machines()
	switch key {
	case "svm_type":
		h.task, err = s.task()
	case "kernel_type":
		h.kernelName, err = s.kernelName()
	case "degree":
		h.degree, err = s.int(key, 0, math.MaxInt32)
	case "gamma":
		h.gamma, err = s.real(key)
	case "coef0":
		h.coef0, err = s.real(key)
	case "nr_class":
		h.classes, err = s.int(key, 1, math.MaxInt32)
	case "total_sv":
		h.total, err = s.int(key, 0, math.MaxInt32)
	case "rho":
		h.rho, err = s.reals(key, machines)
	case "probA":
		h.probA, err = s.reals(key, machines)
	case "probB":
		h.probB, err = s.reals(key, machines)
	case "prob_density_marks":
		h.marks, err = s.reals(key, Marks)
	case "label":
		h.label, err = s.ints(key, h.classes, math.MinInt32, math.MaxInt32)
	case "nr_sv":
		h.group, err = s.ints(key, h.classes, 0, math.MaxInt32)
	default:
		if what := table(s.line); len(h.has) == 0 && what != "" {
			return w.errorf("found %s, which is %s, expected a model of LIBSVM's", textscan.QuoteWord(w.text), what)
		}
		return w.errorf("unknown key %s", textscan.QuoteWord(w.text))
	}
	return err
}

func (s *words) task() (Task, error) {
	w, err := s.value("svm_type")
	if err != nil {
		return 0, err
	}
	for t, name := range taskNames {
		if string(w.text) == name {
			return Task(t), nil
		}
	}
	return 0, w.errorf("unknown svm_type %s", textscan.QuoteWord(w.text))
}

var kernelNames = [...]string{"linear", "polynomial", "rbf", "sigmoid", "precomputed"}

func (s *words) kernelName() (string, error) {
	w, err := s.value("kernel_type")
	if err != nil {
		return "", err
	}
	for _, name := range kernelNames {
		if string(w.text) == name {
			return name, nil
		}
	}
	return "", w.errorf("unknown kernel_type %s", textscan.QuoteWord(w.text))
}

// kernel builds the kernel from its name and parameters.
func (h *header) kernel() (kernel.Kernel, error) {
	var need []string
	var k kernel.Kernel
	switch h.kernelName {
	case "linear":
		k = kernel.Linear{}
	case "polynomial":
		k, need = kernel.Poly{Degree: h.degree, Gamma: h.gamma, Coef0: h.coef0}, []string{"degree", "gamma", "coef0"}
	case "rbf":
		k, need = kernel.RBF{Gamma: h.gamma}, []string{"gamma"}
	case "sigmoid":
		k, need = kernel.Sigmoid{Gamma: h.gamma, Coef0: h.coef0}, []string{"gamma", "coef0"}
	case "precomputed":
		k = kernel.Precomputed{}
	}
	for _, key := range need {
		if !h.has[key] {
			return nil, fmt.Errorf("kernel_type %s needs %s, which is missing", h.kernelName, key)
		}
	}
	return k, nil
}
