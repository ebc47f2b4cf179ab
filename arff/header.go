package arff

import (
	"bytes"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
)

// Keywords, in any case.
const (
	keywordRelation  = "@relation"
	keywordAttribute = "@attribute"
	keywordData      = "@data"
	keywordEnd       = "@end"
)

// typeName returns the word by which a type is declared.
func typeName(t format.Type) string {
	return [...]string{"numeric", "nominal", "string", "date", "relational"}[t]
}

// A scope is a list of attributes being declared: the file's or a relation's.
type scope struct {
	name       string // of the relation's attribute
	line       int
	weight     float64
	attributes []format.Attribute
	columns    []column
	lines      map[string]int // where each name was declared
}

// A recovery is what becomes of a faulty header line when reading goes on.
type recovery int

const (
	passOver  recovery = iota // or nothing is left to do
	anyValue                  // it declares an attribute, of an unknown type
	closeIt                   // it ends a relation
	beginData                 // it is @data, misspelt or in a relation without end
	beginRow                  // reread: it is a row if no keyword follows, and @data is missing
	giveUp                    // there is no going on
)

// declarations reads a header line by line.
type declarations struct {
	lex      lexer
	century  int
	relation string
	begun    bool    // a line was read, which has to be @relation
	named    bool    // @relation was read
	scopes   []scope // the last is the one being declared
	lost     bool    // after a fault: lines without a keyword are passed over

	recovery recovery // after a fault
	name     string   // of the faulty attribute
}

func newDeclarations(lex lexer, century int) *declarations {
	return &declarations{lex: lex, century: century, scopes: []scope{{lines: map[string]int{}}}}
}

func (d *declarations) scope() *scope { return &d.scopes[len(d.scopes)-1] }

// line reads the lexer's line, which is not empty. done is true at @data, where
// the lexer stands behind the keyword.
func (d *declarations) line() (done bool, f *fault) {
	l := &d.lex
	d.recovery = passOver
	first := !d.begun
	d.begun = true
	if f := l.next(); f != nil {
		d.lost = d.lost || first
		return false, f
	}
	switch {
	case l.is(keywordRelation) && d.awaitsRelation():
		d.named, d.lost = true, false
		return false, d.relationName()
	case first:
		return false, d.unnamed()
	case l.is(keywordAttribute):
		d.lost = false
		d.recovery, d.name = anyValue, ""
		return false, d.attribute()
	case len(d.scopes) > 1 && l.is(keywordEnd):
		d.recovery = closeIt
		if f := d.end(); f != nil {
			return false, f
		}
		d.closeScope()
		return false, nil
	case len(d.scopes) == 1 && l.is(keywordData):
		if len(d.scope().columns) == 0 {
			d.recovery = giveUp
			return false, l.expected(keywordAttribute + " before " + keywordData)
		}
		if l.weka {
			return true, nil
		}
		return true, d.endOfData()
	}
	return false, d.unknown()
}

// awaitsRelation reports whether @relation may stand in the line: in the first, or
// behind faulty ones that declare nothing.
func (d *declarations) awaitsRelation() bool {
	return !d.named && len(d.scopes) == 1 && len(d.scope().columns) == 0
}

// unnamed returns the fault of a line that begins the header without @relation.
func (d *declarations) unnamed() *fault {
	l := &d.lex
	f := l.expected(keywordRelation)
	switch {
	case l.is(keywordData):
		d.recovery = giveUp
	case l.is(keywordAttribute):
		if d.name = ""; d.attribute() != nil {
			d.recovery = anyValue
		}
	case l.line[l.tok.at] == '@':
		d.misspelt()
	default:
		d.lost = true
	}
	return f
}

// unknown returns the fault of a line that begins with no keyword that may stand
// there.
func (d *declarations) unknown() *fault {
	l := &d.lex
	f := l.expected(keywordAttribute + " or " + keywordData)
	if len(d.scopes) > 1 {
		f = l.expected(fmt.Sprintf("%s or %s %s", keywordAttribute, keywordEnd, clip(d.scope().name)))
	}
	switch {
	case l.line[l.tok.at] == '@':
		d.misspelt()
	case d.lost:
		return nil
	case len(d.scope().columns) > 0:
		d.recovery = beginRow
	default:
		d.lost = true
	}
	return f
}

// misspelt finds out what a line is that begins with a @word which may not stand
// there, and sets the recovery. A keyword out of its place declares nothing; what else
// can be read as a declaration, or begins almost as one, is an attribute.
func (d *declarations) misspelt() {
	l := &d.lex
	rest := trim(l.line[l.at:])
	like := hasFold(l.line[l.tok.at:], keywordAttribute[:attributeLike])
	switch {
	case l.is(keywordRelation):
	case l.is(keywordEnd):
	case len(d.scopes) > 1 && l.is(keywordData):
		d.recovery = beginData
	case len(d.scopes) > 1 && bytes.EqualFold(rest, []byte(d.scope().name)):
		d.recovery = closeIt
	case len(d.scopes) == 1 && len(d.scope().columns) > 0 && len(rest) == 0:
		d.recovery = beginData
	default:
		d.misspeltAttribute(like)
	}
}

// misspeltAttribute declares an attribute that takes any value if the rest of the line
// declares one, or if the line is like a declaration. A relation is begun. The name
// stays free, since nobody knows what was meant.
func (d *declarations) misspeltAttribute(like bool) {
	s, n := d.scope(), len(d.scope().columns)
	d.name = ""
	f := d.attribute()
	switch {
	case f != nil && !like:
		return
	case f == nil && len(s.columns) == n:
		return // but a relation
	case f == nil:
		s.columns, s.attributes = s.columns[:n], s.attributes[:n]
		delete(s.lines, d.name)
	}
	d.add(format.Attribute{Name: d.name, Type: format.String}, column{any: true})
}

// attributeLike is how many letters of @attribute make a word a misspelt one.
const attributeLike = len("@at")

func restIsEmpty(b []byte) bool { return len(trim(b)) == 0 }

// recover does what a faulty line's recovery says. reread asks for the same line
// again, and done says that the header is at its end.
func (d *declarations) recover() (reread, done bool) {
	switch d.recovery {
	case anyValue:
		d.declare(format.Attribute{Name: d.name, Type: format.String}, column{any: true})
	case closeIt:
		d.closeScope()
	case beginData:
		done = true
	case beginRow:
		d.lex.line = d.lex.src.ahead()
		reread = !d.lex.src.follows(isKeyword)
		done = reread
	}
	for done && len(d.scopes) > 1 {
		d.closeScope()
	}
	return reread, done
}

// isKeyword reports whether a line is of a header and no row.
func isKeyword(line []byte) bool {
	for len(line) > 0 && classOf[line[0]] == blank {
		line = line[1:]
	}
	first := line[:wordLength(line)]
	for _, word := range []string{keywordAttribute, keywordData, keywordEnd} {
		if bytes.EqualFold(first, []byte(word)) {
			return true
		}
	}
	return false
}

// needText reads a word or quoted text, which may follow text without a blank.
func (d *declarations) needText(what string) (string, *fault) {
	l := &d.lex
	if f := l.next(); f != nil {
		return "", f
	}
	if l.tok.kind != word && l.tok.kind != quoted {
		return "", l.expected(what)
	}
	b, f := l.text()
	return string(b), f
}

func (d *declarations) relationName() (f *fault) {
	if d.relation, f = d.needText("the name of the relation"); f != nil {
		return f
	}
	return d.needEnd("the end of the line: a name with blanks is quoted")
}

// needEnd reads the end of the line.
func (d *declarations) needEnd(what string) *fault {
	f := d.lex.next()
	if f == nil && d.lex.tok.kind != endOfLine {
		f = d.lex.expected(what)
	}
	return f
}

// endOfData reads what follows @data, strictly nothing.
func (d *declarations) endOfData() *fault {
	f := d.needEnd("the end of the line after " + keywordData)
	if f != nil {
		f.Err = strictError{f.Err}
		d.recovery = beginData
	}
	return f
}

// end reads the rest of an @end.
func (d *declarations) end() *fault {
	name := d.scope().name
	got, f := d.needText("the name " + clip(name))
	if f != nil {
		return f
	}
	if !bytes.EqualFold([]byte(got), []byte(name)) {
		return d.lex.expected(fmt.Sprintf("%s %s, which line %d begins", keywordEnd, clip(name), d.scope().line))
	}
	return d.needEnd("the end of the line")
}

// closeScope makes an attribute of the relation that was declared last.
func (d *declarations) closeScope() {
	s := *d.scope()
	d.scopes = d.scopes[:len(d.scopes)-1]
	lex := d.lex
	lex.src, lex.line, lex.buf, lex.latin1 = nil, nil, nil, false
	d.add(format.Attribute{Name: s.name, Type: format.Relational, Attributes: s.attributes, Weight: s.weight},
		column{inner: newRows(s.columns, lex, d.century)})
}

// declare adds an attribute and notes in which line its name is declared.
func (d *declarations) declare(a format.Attribute, c column) {
	d.scope().lines[a.Name] = d.lex.src.number
	d.add(a, c)
}

func (d *declarations) add(a format.Attribute, c column) {
	s := d.scope()
	c.name, c.kind = a.Name, a.Type
	s.attributes = append(s.attributes, a)
	s.columns = append(s.columns, c)
}
