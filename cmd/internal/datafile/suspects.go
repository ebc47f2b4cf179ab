package datafile

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/vec"
)

// A Suspect is a column that can be trained on, but hardly means what it is taken for.
type Suspect struct {
	Column int // its place
	Name   string
	Err    error  // what is suspicious, with the file's name and the place of what is
	Remedy string // what the file should have; "": that is not to say
}

// Resembling returns the columns of CSV whose texts look like numbers with something around them, or like
// dates, and become labels. The file's header was read, as for all that follows.
func (f *File) Resembling() (all []Suspect) {
	texts := f.Texts()
	if texts == nil {
		return nil
	}
	h, err := texts.Header()
	if err != nil {
		return nil
	}
	for _, m := range texts.Resembling() {
		a := &h.Attributes[m.Attribute]
		as := "labels"
		if a.Type == format.String {
			as = "text"
		}
		what, remedy := "numbers", "write numbers alone, without signs, units and marks between thousands"
		switch {
		case m.Quoted:
			what, remedy = "numbers but stand in quotes", "take the quotes away, and marks between thousands"
		case m.Dates:
			what, remedy = "dates or times", "write days as numbers, or declare the column as a date in ARFF"
		}
		says := fmt.Errorf("column %q has %d different texts, %d of which look like %s, such as %q, and is read as %s", a.Name, m.Different, m.Numbers, what, m.Text, as)
		all = append(all, Suspect{m.Attribute, a.Name, &format.Error{Path: f.Name, Line: m.Line, Column: m.Column, Err: says}, remedy})
	}
	return all
}

// SimilarLabels returns the columns of CSV with two labels that are probably meant to be one.
func (f *File) SimilarLabels() (all []Suspect) {
	columns := f.csvColumns()
	for k := range columns {
		a := &columns[k]
		seen := make(map[string]string, len(a.Labels))
		for _, label := range a.Labels {
			key := shown(label)
			if other, again := seen[key]; again {
				says := fmt.Errorf("column %q: the labels %q and %q differ only in capitals, blanks or invisible characters, and count as two", a.Name, other, label)
				all = append(all, Suspect{Column: k, Name: a.Name, Err: f.At(says), Remedy: "write them alike"})
				break
			}
			seen[key] = label
		}
	}
	return all
}

// csvColumns returns the columns of CSV, nil for other formats.
func (f *File) csvColumns() []format.Attribute {
	texts := f.Texts()
	if texts == nil {
		return nil
	}
	h, err := texts.Header()
	if err != nil {
		return nil
	}
	return h.Attributes
}

// shown returns what a label shows, in small letters if it is a word in capitals, or begins with one.
// Capitals inside words, and letters alone, may tell labels apart.
func shown(label string) string {
	seen := strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, label)), " ")
	lower := strings.ToLower(seen)
	if _, size := utf8.DecodeRuneInString(seen); size < len(seen) && (seen == strings.Map(unicode.ToUpper, seen) || seen[size:] == strings.ToLower(seen[size:])) {
		return lower
	}
	return seen
}

// SingleQuotes returns the first column of CSV with a name or a label that single quotes, which are read as part of it,
// stand around; nil: there is none, or it was said what the quotes are.
func (f *File) SingleQuotes() *Suspect {
	texts := f.Texts()
	if texts == nil || texts.Quote != 0 {
		return nil
	}
	columns := f.csvColumns()
	for k := range columns {
		a := &columns[k]
		if inSingleQuotes(a.Name) {
			return &Suspect{Column: k, Name: a.Name, Err: f.At(fmt.Errorf("the name %q of column %d has single quotes around it", a.Name, k+1))}
		}
		for _, label := range a.Labels {
			if inSingleQuotes(label) {
				return &Suspect{Column: k, Name: a.Name, Err: f.At(fmt.Errorf("the label %q of column %q has single quotes around it", label, a.Name))}
			}
		}
	}
	return nil
}

func inSingleQuotes(s string) bool {
	return len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\''
}

// Lossy returns the columns of CSV whose whole numbers have more digits than numbers keep, so that training may not
// tell some apart. Numbers with zeros in front are left out.
func (f *File) Lossy() (all []Suspect) {
	texts := f.Texts()
	if texts == nil {
		return nil
	}
	columns := f.csvColumns()
	for _, l := range texts.Lossy() {
		if strings.HasPrefix(strings.TrimLeft(l.Text, "+-"), "0") {
			continue
		}
		name := columns[l.Attribute].Name
		says := fmt.Errorf("column %q has whole numbers with more digits than a number can hold, such as %s: different ones may become the same", name, l.Text)
		all = append(all, Suspect{Column: l.Attribute, Name: name, Err: &format.Error{Path: f.Name, Line: l.Line, Column: l.Column, Err: says}})
	}
	return all
}

// A column that numbers the rows, as pandas writes one without a name unless it is told not to, says
// nothing of other data; but where rows stand in the order of their labels it tells these, and
// a machine learns nothing else.

// fewestNumbered is the number of rows from which a column that numbers them is reported.
const fewestNumbered = 5

// What the first and the second column are called where their names are left out.
const unnamed, unnamedNext = "att1", "att2"

// A Numbering finds out, row by row, which columns of a file number its rows.
type Numbering struct {
	file    *File
	columns []numbered // that may yet do so
	rows    int
	most    int // of the rows whose numbers are kept to compare them; 0: all
}

// A numbered column is 0, 1, 2 and so on, or begins with 1, in the order of rows; or, in any order, has a whole
// number of its own from 0 on for each row.
type numbered struct {
	name     string
	column   int
	anyOrder bool
	rises    bool // so far
	last     float64
	seen     map[float64]bool
}

// Numbering returns what finds out which columns number the rows; of a regression one with a name may be the
// time. Numbers in any order are kept; with most, not more than so many.
func (f *File) Numbering(h *format.Header, regression bool, most int) *Numbering {
	n := &Numbering{file: f, most: most}
	if h == nil || len(h.Attributes) < 3 {
		return n
	}
	for k := range h.Attributes {
		a := &h.Attributes[k]
		nameless := k == 0 && a.Name == unnamed && h.Attributes[1].Name != unnamedNext // else none has a name
		if a.Type == format.Numeric && (nameless || !regression) {
			n.columns = append(n.columns, numbered{name: a.Name, column: k, anyOrder: nameless, rises: true, last: -1, seen: map[float64]bool{}})
		}
	}
	return n
}

// Add takes the next row.
func (n *Numbering) Add(x vec.Vector) {
	left := n.columns[:0]
	for _, c := range n.columns {
		if v := x.At(int32(c.column)); c.takes(v, n.rows, n.most == 0 || n.rows < n.most) {
			c.last = v
			left = append(left, c)
		}
	}
	n.columns = left
	n.rows++
}

// takes reports whether a column with the number v in the next row may yet number the rows. Without keeping
// numbers, only those that rise are known to be different.
func (c *numbered) takes(v float64, row int, keep bool) bool {
	if !c.anyOrder {
		return v == c.last+1 || row == 0 && v == 1
	}
	if !(v >= 0) || v != math.Trunc(v) || c.seen[v] {
		return false
	}
	c.rises = c.rises && v > c.last
	if keep {
		c.seen[v] = true
	}
	return keep || c.rises
}

// Suspects returns the columns that number the rows, the label's apart, unless there is no other to learn from.
func (n *Numbering) Suspects(class int) (all []Suspect) {
	if n.rows < fewestNumbered {
		return nil
	}
	for i := range n.columns {
		c := &n.columns[i]
		if c.column != class {
			says := fmt.Errorf("column %q only numbers the rows, which says nothing about new rows", c.name)
			all = append(all, Suspect{Column: c.column, Name: c.name, Err: n.file.At(says)})
		}
	}
	return all
}

// Numbered is Numbering of rows that are all there.
func (f *File) Numbered(rows *format.Dataset, regression bool) *Numbering {
	n := f.Numbering(rows.Header, regression, 0)
	for i := range rows.Len() {
		n.Add(rows.X.Row(i))
	}
	return n
}

// WarnColumns tells of all these columns of a file but those that number its rows, and of those that
// would be numeric but for what looks like a word for a missing value. The file's header was read.
func (f *File) WarnColumns(stderr io.Writer) {
	resembling := f.Resembling()
	for _, s := range resembling {
		warn(stderr, s.Err, s.Remedy+", or "+s.leave())
	}
	f.warnMixed(stderr, func(k int) bool {
		return slices.ContainsFunc(resembling, func(s Suspect) bool { return s.Column == k })
	})
	for _, s := range f.SimilarLabels() {
		warn(stderr, s.Err, s.Remedy)
	}
	if s := f.SingleQuotes(); s != nil {
		warn(stderr, s.Err, `if cells stand in single quotes, as in Weka's CSV, tell slimsvm with --quote "'"`)
	}
	warnToLeave(stderr, f.Lossy())
}

// WarnRowNumbers tells of the columns that number the rows.
func (f *File) WarnRowNumbers(stderr io.Writer, rows *format.Dataset, class int, regression bool) {
	warnToLeave(stderr, f.Numbered(rows, regression).Suspects(class))
}

// warnToLeave tells of columns that should be left out.
func warnToLeave(stderr io.Writer, columns []Suspect) {
	for _, s := range columns {
		warn(stderr, s.Err, s.leave())
	}
}

// warn tells of something suspicious, and what may be done.
func warn(stderr io.Writer, err error, advice string) {
	fmt.Fprintf(stderr, "WARNING: %v; %s\n", err, advice)
}

// leave says how a drop-in command may do without the column.
func (s *Suspect) leave() string {
	return fmt.Sprintf("leave the column out, as slimsvm does with --drop %q", s.Name)
}
