package csvfmt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/textscan"
)

// A Writer writes a line of names and then rows. A Reader without options reads back the same rows,
// except for what the package comment says is lost. It implements format.Writer. Numbers have the
// fewest digits that read back to the same value. Set the exported fields before the first call.
type Writer struct {
	Separator byte // 0: a comma

	// Missing is written for a missing value. If it is neither empty nor ?, a Reader must be told
	// it. In a table of one column an empty one is written as ?, because an empty line is not a
	// record.
	Missing string

	// Features is the number of columns for rows whose header declares none, as in LIBSVM's format:
	// the features 1 to Features, named att1, att2 and so on, and the label, named class, as the
	// last column.
	Features int

	// Text, if not nil, returns what to write in a Numeric column of the present row instead of the
	// fewest digits of its number; an empty text means those digits. It is called only for values
	// that are not missing. A text that is not a number, apart from a comma in it, is not written.
	Text func(column int) []byte

	w       *bufio.Writer
	buf     []byte
	header  *format.Header
	labels  [][]string // of each Nominal column, in quotes where need be
	kinds   [][]kind   // what these labels look like
	written []writtenTexts
	bare    bool      // some name or value stands without quotes
	forced  bool      // numbers with a comma are in quotes because a comma separates, or may do so
	special [256]bool // bytes that make a text take quotes wherever they stand
	declare bool      // the header declares columns
}

// NewWriter returns a writer to w. Call Flush at the end.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriterSize(w, 64<<10)} }

// WriteHeader writes the line of names.
func (w *Writer) WriteHeader(h *format.Header) error {
	if h == nil {
		return errors.New("csvfmt: there is no header")
	}
	if w.header != nil {
		return errors.New("csvfmt: the header is written already")
	}
	if w.Separator == 0 {
		w.Separator = ','
	}
	if !CanSeparate(w.Separator) {
		return fmt.Errorf("csvfmt: %q cannot separate cells", w.Separator)
	}
	for _, c := range []byte(separators + "\"'\r\n" + string(rune(w.Separator))) {
		w.special[c] = true
	}
	w.special[' '] = len(h.Attributes) == 1 // where they might be what separates
	w.forced = w.Separator == ',' || len(h.Attributes) == 1
	if w.Missing != "" && (w.isSpecial(w.Missing) || isValue(w.Missing) || checkText(w.Missing) != nil) {
		return fmt.Errorf("csvfmt: %q cannot stand for a missing value", w.Missing)
	}
	w.declare = len(h.Attributes) > 0
	if !w.declare {
		if w.Features < 1 {
			return errors.New("the header declares no columns, and the number of features is not set")
		}
		h = undeclared(w.Features)
	}
	if len(h.Attributes) > mostColumns {
		return fmt.Errorf("%w: %d", errColumns, len(h.Attributes))
	}
	if len(h.Attributes) == 1 && w.Missing == "" {
		w.Missing = "?"
	}
	quote, err := w.checkHeader(h)
	if err != nil {
		return err
	}
	b := w.buf[:0]
	for k := range h.Attributes {
		if k > 0 {
			b = append(b, w.Separator)
		}
		if name := h.Attributes[k].Name; quote {
			b = appendQuoted(b, name)
		} else {
			b = w.appendText(b, name)
			w.bare = w.bare || !w.needsQuotes(name)
		}
	}
	w.header, w.labels, w.kinds = h, make([][]string, len(h.Attributes)), make([][]kind, len(h.Attributes))
	w.written = make([]writtenTexts, len(h.Attributes))
	for k := range h.Attributes {
		for _, s := range h.Attributes[k].Labels {
			w.labels[k] = append(w.labels[k], string(w.appendText(nil, s)))
			w.kinds[k] = append(w.kinds[k], kindOf([]byte(s)))
		}
	}
	w.buf = append(b, '\n')
	_, err = w.w.Write(w.buf)
	return err
}

// undeclared returns the columns for n features.
func undeclared(n int) *format.Header {
	h := &format.Header{Attributes: make([]format.Attribute, n+1), Class: n}
	for k := range n {
		h.Attributes[k].Name = "att" + strconv.Itoa(k+1)
	}
	h.Attributes[n].Name = "class"
	return h
}

// checkHeader checks that a table can hold what h declares, and returns whether all names take
// quotes. They do if they might be taken for a row: one looks like a value, or may occur again in
// its column. A reader sees the difference only if some column never needs quotes. If labels look
// like numbers, some column or name must not need quotes either, since quotes mean nothing if
// everything is in quotes.
func (w *Writer) checkHeader(h *format.Header) (quote bool, err error) {
	seen := make(map[string]bool, len(h.Attributes))
	doubt, number, free, bare := -1, -1, false, false
	for k := range h.Attributes {
		a := &h.Attributes[k]
		if err := w.checkColumn(a); err != nil {
			return false, fmt.Errorf("column %d, %s: %w", k+1, textscan.Quote([]byte(a.Name)), err)
		}
		if seen[a.Name] {
			return false, fmt.Errorf("column %d: another one has the name %s already", k+1, textscan.Quote([]byte(a.Name)))
		}
		seen[a.Name] = true
		if doubt < 0 && (isValue(a.Name) || a.Name == "" || a.Name == "?" || a.Name == w.Missing || mayHold(a, a.Name)) {
			doubt = k
		}
		if number < 0 && a.Type == format.Nominal && slices.ContainsFunc(a.Labels, isValue) {
			number = k
		}
		if w.forced && a.Type == format.Nominal && len(a.Labels) > 0 && !slices.ContainsFunc(a.Labels, hasNoComma) {
			return false, fmt.Errorf("column %d, %s: %w", k+1, textscan.Quote([]byte(a.Name)), errAllCommas)
		}
		bare = bare || !w.needsQuotes(a.Name)
		free = free || a.Type == format.Numeric || a.Type == format.Date && !w.isSpecial(dateLayout) ||
			a.Type == format.Nominal && !slices.ContainsFunc(a.Labels, w.needsQuotes)
	}
	if doubt >= 0 && !free {
		return false, fmt.Errorf("column %d: a reader could not tell the name %s from a value, since no column goes without quotes",
			doubt+1, textscan.Quote([]byte(h.Attributes[doubt].Name)))
	}
	if number >= 0 && !free && !bare {
		return false, fmt.Errorf("column %d, %s: %w", number+1, textscan.Quote([]byte(h.Attributes[number].Name)), errAllQuoted)
	}
	return doubt >= 0, nil
}

// mayHold reports whether a cell of a column may have the given text.
func mayHold(a *format.Attribute, s string) bool {
	switch a.Type {
	case format.Nominal:
		return slices.Contains(a.Labels, s)
	case format.Date:
		_, ok := ParseDate([]byte(s))
		return ok
	}
	return a.Type == format.String
}

// checkColumn checks that a table can hold a column.
func (w *Writer) checkColumn(a *format.Attribute) error {
	switch {
	case a.Type == format.Relational:
		return errors.New("a table cannot hold tables")
	case a.Type < format.Numeric || a.Type > format.Relational:
		return fmt.Errorf("unknown type %d", a.Type)
	case a.Weight != 0 && a.Weight != 1:
		return fmt.Errorf("a table cannot hold the column's weight %v", a.Weight)
	}
	for _, s := range append([]string{a.Name}, a.Labels...) {
		if err := checkText(s); err != nil {
			return fmt.Errorf("%s: %w", textscan.Quote([]byte(s)), err)
		}
	}
	return nil
}

// checkText returns an error for a text that no reader takes.
func checkText(s string) error {
	if strings.IndexByte(s, 0) >= 0 {
		return errNUL
	}
	if !utf8.ValidString(s) {
		return errUTF8
	}
	return nil
}

// needsQuotes reports whether a text without quotes would be read as something
// else, by ours or another reader.
func (w *Writer) needsQuotes(s string) bool {
	return s == "" || s == "?" || s == w.Missing || isValue(s) || w.isSpecial(s) ||
		strings.HasPrefix(s, separatorMark) || w.Separator == '\t' && areNumbers([]byte(s))
}

// isValue reports whether a text looks like a number.
func isValue(s string) bool { return kindOf([]byte(s)) != text }

// hasNoComma reports whether a text is no number with a comma.
func hasNoComma(s string) bool { return kindOf([]byte(s)) != comma }

// isSpecial reports whether a text has characters that mean something.
func (w *Writer) isSpecial(s string) bool {
	for i := range len(s) {
		if w.special[s[i]] {
			return true
		}
	}
	return strings.TrimSpace(s) != s || strings.HasPrefix(s, string(byteOrderMark))
}

// appendText appends a text, in quotes if need be.
func (w *Writer) appendText(b []byte, s string) []byte {
	if w.needsQuotes(s) {
		return appendQuoted(b, s)
	}
	return append(b, s...)
}

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for {
		n := strings.IndexByte(s, '"') + 1
		if n == 0 {
			return append(append(b, s...), '"')
		}
		b = append(append(b, s[:n]...), '"')
		s = s[n:]
	}
}

// Write writes one row. It returns an error, and writes nothing, for a row that a table with this
// header cannot hold.
func (w *Writer) Write(in format.Instance) error {
	b, err := w.appendRow(w.buf[:0], in)
	if err != nil {
		return err
	}
	w.buf = b
	_, err = w.w.Write(b)
	return err
}

func (w *Writer) appendRow(b []byte, in format.Instance) ([]byte, error) {
	if w.header == nil {
		return nil, errors.New("csvfmt: Write before WriteHeader")
	}
	if in.Weight != 1 {
		return nil, fmt.Errorf("a table cannot hold the weight %v, expected 1", in.Weight)
	}
	if err := in.X.CheckIndices(); err != nil {
		return nil, fmt.Errorf("a row that a table cannot hold: %w", err)
	}
	n := len(w.header.Attributes)
	index, values := in.X.Index, in.X.Value
	first := int32(0)
	if !w.declare {
		first, n = 1, n-1
	}
	for k := range n {
		v := 0.0
		if len(index) > 0 && index[0] == first+int32(k) {
			v = values[0]
			index, values = index[1:], values[1:]
		}
		if k > 0 {
			b = append(b, w.Separator)
		}
		var err error
		if b, err = w.appendValue(b, k, v, in.Strings); err != nil {
			return nil, fmt.Errorf("column %d, %s: %w", k+1, textscan.Quote([]byte(w.header.Attributes[k].Name)), err)
		}
	}
	if len(index) > 0 {
		return nil, fmt.Errorf("a value with index %d, expected %d to %d", index[0], first, int(first)+n-1)
	}
	if !w.declare {
		b = append(b, w.Separator)
		b, _ = w.appendValue(b, n, in.Y, nil)
	}
	return append(b, '\n'), nil
}

// appendValue appends a value of column k.
func (w *Writer) appendValue(b []byte, k int, v float64, texts []string) ([]byte, error) {
	a := &w.header.Attributes[k]
	if math.IsNaN(v) {
		return append(b, w.Missing...), nil
	}
	switch a.Type {
	case format.Nominal:
		if i, ok := position(v, len(a.Labels)); ok {
			label := w.labels[k][i]
			if label != `""` {
				w.written[k].add(w.kinds[k][i])
			}
			w.bare = w.bare || label[0] != '"'
			return append(b, label...), nil
		}
		return nil, fmt.Errorf("there is no label %v of %d", v, len(a.Labels))
	case format.String:
		i, ok := position(v, len(texts))
		if !ok {
			return nil, fmt.Errorf("there is no text %v of %d", v, len(texts))
		}
		if err := checkText(texts[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", textscan.Quote([]byte(texts[i])), err)
		}
		if texts[i] != "" && !w.written[k].words {
			w.written[k].add(kindOf([]byte(texts[i])))
		}
		w.bare = w.bare || !w.needsQuotes(texts[i])
		return w.appendText(b, texts[i]), nil
	case format.Date:
		s, err := date(v)
		w.bare = w.bare || !w.needsQuotes(s)
		return w.appendText(b, s), err
	}
	if w.Text != nil {
		switch text := w.Text(k); {
		case len(text) == 0:
		case kindOf(text) == number:
			w.bare = true
			return append(b, text...), nil
		case kindOf(text) == comma:
			return appendQuoted(b, string(text)), nil
		}
	}
	w.bare = true
	return textscan.AppendPlain(b, v), nil
}

// position returns v as one of n positions.
func position(v float64, n int) (i int, ok bool) {
	if v < 0 || v >= float64(n) || v != math.Trunc(v) {
		return 0, false
	}
	return int(v), true
}

// The years that ISO 8601 writes with four digits.
var (
	firstDate = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	lastDate  = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() - 1
)

// dateLayout is ISO 8601 to the millisecond, in UTC.
const dateLayout = "2006-01-02T15:04:05.000Z"

// date returns a time in milliseconds as text.
func date(v float64) (string, error) {
	if v != math.Trunc(v) || v < float64(firstDate) || v > float64(lastDate) {
		return "", fmt.Errorf("%v is no date from year 0 to 9999 in whole milliseconds", v)
	}
	return time.UnixMilli(int64(v)).UTC().Format(dateLayout), nil
}

// ParseDate returns a date, written as the Writer writes it, as milliseconds since 1970-01-01T00:00
// UTC. ok is false for any other text.
func ParseDate(text []byte) (ms float64, ok bool) {
	if len(text) != len(dateLayout) {
		return 0, false
	}
	t, err := time.Parse(dateLayout, string(text))
	if err != nil || t.Format(dateLayout) != string(text) { // it may have had a comma for the point
		return 0, false
	}
	return float64(t.UnixMilli()), true
}

// Flush writes what is buffered. It returns an error if a Reader would take the texts of a column
// for numbers, which only all the rows show.
func (w *Writer) Flush() error {
	if err := w.checkWritten(); err != nil {
		return err
	}
	return w.w.Flush()
}
