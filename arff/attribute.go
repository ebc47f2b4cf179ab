package arff

import (
	"fmt"
	"math"
	"strings"

	"github.com/slimsvm/slimsvm/format"
)

// attribute reads the rest of an @attribute line.
func (d *declarations) attribute() *fault {
	l := &d.lex
	name, f := d.needText("the name of an attribute")
	if f != nil {
		return f
	}
	named := l.tok
	d.name = name
	if line, again := d.scope().lines[name]; again {
		return &fault{At: named.at, Err: fmt.Errorf("attribute %s is declared in line %d already", clip(name), line)}
	}
	if f := l.next(); f != nil {
		return f
	}
	if l.tok.kind == opening {
		return d.nominal(name)
	}
	const types = "a type: numeric, real, integer, string, date, relational or labels in braces"
	if l.isMissing() || l.tok.kind != word && l.tok.kind != quoted {
		return l.expected(types)
	}
	if l.tok.glued && !(named.kind == quoted && l.tok.kind == word) && !l.weka {
		return l.gluedFault()
	}
	switch {
	case l.is("numeric"), l.is("real"), l.is("integer"):
		return d.plainType(format.Attribute{Name: name, Type: format.Numeric})
	case l.is("string"):
		return d.plainType(format.Attribute{Name: name, Type: format.String})
	case l.is("date"):
		return d.dateType(name)
	case l.is("relational"):
		return d.relational(name)
	}
	f = l.expected(types)
	if !restIsEmpty(l.line[l.at:]) {
		f.Err = fmt.Errorf("%w: a name with blanks is quoted", f.Err)
	}
	return f
}

// plainType reads what follows a numeric or string type: perhaps a weight, or any text.
func (d *declarations) plainType(a format.Attribute) *fault {
	l := &d.lex
	at := l.at
	for at < len(l.line) && classOf[l.line[at]] == blank {
		at++
	}
	if at < len(l.line) && l.line[at] != '{' && !l.weka {
		d.declare(a, column{})
		return nil
	}
	if f := l.next(); f != nil {
		return f
	}
	return d.weightAndEnd(a, column{})
}

// nominal reads labels, up to the closing brace and what follows.
func (d *declarations) nominal(name string) *fault {
	l := &d.lex
	c := column{}
	for {
		if f := l.next(); f != nil {
			return f
		}
		switch l.tok.kind {
		case closing:
			if f := l.next(); f != nil {
				return f
			}
			return d.weightAndEnd(format.Attribute{Name: name, Type: format.Nominal, Labels: append([]string{}, c.labels.Texts()...)}, c)
		case endOfLine:
			return l.expected("a label or a closing brace")
		case opening:
			return l.expected("a label or a closing brace; a brace in a label is quoted")
		}
		if l.tok.glued && !l.weka {
			return l.gluedFault()
		}
		b, f := l.text()
		if f != nil {
			return f
		}
		if _, added := c.labels.Add(b); !added {
			return &fault{At: l.tok.at, Err: fmt.Errorf("attribute %s has the label %s already", clip(name), clip(b))}
		}
	}
}

// dateType reads the rest of a date's declaration.
func (d *declarations) dateType(name string) *fault {
	l := &d.lex
	a := format.Attribute{Name: name, Type: format.Date, Pattern: defaultPattern}
	if f := l.next(); f != nil {
		return f
	}
	at := l.tok.at
	if l.tok.kind == word || l.tok.kind == quoted {
		b, f := l.text()
		if f != nil {
			return f
		}
		a.Pattern = string(b)
		if f := l.next(); f != nil {
			return f
		}
		if l.tok.glued && !l.weka {
			return l.gluedFault()
		}
	}
	p, err := compileDate(a.Pattern)
	if err != nil {
		return &fault{At: at, Err: fmt.Errorf("date pattern %s: %w", clip(a.Pattern), err)}
	}
	if l.tok.kind == word && !l.weka {
		return &fault{At: l.tok.at, Err: strictly("expected the end of the line after the date pattern %s, found %s: a pattern with blanks is quoted", clip(a.Pattern), l.found())}
	}
	return d.weightAndEnd(a, column{date: p})
}

// relational begins a relation.
func (d *declarations) relational(name string) *fault {
	l := &d.lex
	if len(d.scopes) > maxDepth {
		return &fault{At: l.tok.at, Err: fmt.Errorf("relations nest more than %d deep", maxDepth)}
	}
	a := format.Attribute{Name: name}
	if f := l.next(); f != nil {
		return f
	}
	if f := d.attributeWeight(&a); f != nil {
		return f
	}
	d.scope().lines[name] = l.src.number
	d.scopes = append(d.scopes, scope{name: strings.Clone(name), line: l.src.number, weight: a.Weight, lines: map[string]int{}})
	return nil
}

// weightAndEnd reads what follows a type, from tok on, and declares the attribute.
func (d *declarations) weightAndEnd(a format.Attribute, c column) *fault {
	if f := d.attributeWeight(&a); f != nil {
		return f
	}
	d.declare(a, c)
	return nil
}

// attributeWeight reads a weight, where there is one, and strictly the end of
// the line. Weka passes over what follows.
func (d *declarations) attributeWeight(a *format.Attribute) *fault {
	l := &d.lex
	if l.tok.kind == opening {
		at := l.at
		w, ok, f := l.weight()
		switch {
		case f != nil:
			return f
		case !ok || math.IsNaN(w):
			return l.expected("a number as weight")
		case w == 0:
			return &fault{At: at, Err: fmt.Errorf("the weight of attribute %s is 0", clip(a.Name))}
		}
		if w != 1 {
			a.Weight = w
		}
		if f := l.next(); f != nil {
			return f
		}
	}
	if l.weka {
		for l.tok.kind != endOfLine {
			if f := l.next(); f != nil {
				return f
			}
		}
	}
	if l.tok.kind != endOfLine {
		f := l.expected("the end of the line after the type of attribute " + clip(a.Name))
		f.Err = strictError{f.Err}
		return f
	}
	return nil
}
