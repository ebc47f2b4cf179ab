package main

import (
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
)

// forNumbers is the method that is taken where labels are declared to be numbers, and none is named.
const forNumbers = "epsilon-svr"

// chooseMethod takes the method of that name, or the one that fits the label.
func (p *problem) chooseMethod(c *cli.Context, name string) (err error) {
	label, err := p.label()
	if err != nil {
		return err
	}
	numeric := label != nil && label.Type != format.Nominal
	if p.chosen = name == ""; p.chosen {
		name = catalog.Methods[0].Name
		if numeric {
			name = forNumbers
		}
	}
	if p.method, err = findMethod(name); err != nil {
		return err
	}
	if err := checkUses(c, p.method); err != nil {
		return err
	}
	switch {
	case label == nil:
	case !numeric && p.method.Task.Regresses():
		return p.notNumbers(label)
	case numeric && p.method.Task.Classifies():
		return p.numbersAsClasses(label)
	case numeric && p.method.Task.Regresses():
		p.encode.ScaleLabel = scalesLabel(c, label)
	}
	return nil
}

// label returns the declaration of the label's column; nil: the data declare none.
func (p *problem) label() (*format.Attribute, error) {
	if !p.in.declared() {
		return nil, nil
	}
	class, err := encode.FindClass(p.in.header, p.encode.Class)
	if err != nil {
		return nil, p.in.at(err)
	}
	return &p.in.header.Attributes[class], nil
}

// notNumbers is the error of a regression that finds labels. A single word may have made
// a column of CSV one of labels.
func (p *problem) notNumbers(label *format.Attribute) error {
	for _, m := range p.in.Mixed() {
		if m.Name == label.Name && m.Numbers > 0 {
			return hinted{fmt.Errorf("%w, where method %s needs numbers", m.Error(p.in.path), p.method.Name), sayMixed(&m)}
		}
	}
	return hinted{p.in.at(fmt.Errorf("method %s needs numbers, but the label's column %q holds labels", p.method.Name, label.Name)),
		"choose another column with --class, or a method that classifies, such as --method " + catalog.Methods[0].Name}
}

// numbersAsClasses says whether the numbers of the label's column may be names of classes.
// CSV does not say what its columns are, so that there the method does; ARFF does say.
func (p *problem) numbersAsClasses(label *format.Attribute) error {
	switch {
	case p.in.Texts() == nil || label.Type != format.Numeric:
		return hinted{p.in.at(fmt.Errorf("method %s needs classes, but the label's column is numeric", p.method.Name)),
			"declare its values, such as {0,1}, in place of numeric, choose another column with --class, or a regression with --method " + forNumbers}
	case p.encode.ColumnsFirst && p.encode.Scaling != encode.None:
		return usagef("--scale-first scales numeric labels, which method %s takes for classes", p.method.Name)
	}
	return nil
}

// classNumbers reports whether the rows' labels are numbers that stand for classes.
func (p *problem) classNumbers() bool {
	label, err := p.label()
	return err == nil && label != nil && label.Type != format.Nominal && p.method.Task.Classifies()
}

// A column of CSV looks like classes if it holds so few different whole numbers, each of
// them so often on average.
const (
	fewNumbers    = 10
	rowsPerNumber = 2
)

// warnChosen tells of a regression that nobody asked for, on what may be classes.
func (p *problem) warnChosen(w *warner) {
	label, err := p.label()
	if err != nil || label == nil || !p.chosen || !p.method.Task.Regresses() || p.in.Texts() == nil {
		return
	}
	class, _ := encode.FindClass(p.in.header, p.encode.Class)
	seen, labelled := map[float64]bool{}, 0
	for i := range p.rows.Len() {
		switch v := p.rows.X.Row(i).At(int32(class)); {
		case math.IsNaN(v):
			continue
		case !isClass(v):
			return
		default:
			seen[v] = true
		}
		if labelled++; len(seen) > fewNumbers {
			return
		}
	}
	if labelled >= rowsPerNumber*len(seen) && len(seen) > 1 {
		w.warn("%s: column %q has %d different numbers, which method %s takes for targets; if they are classes, say --method %s",
			p.in.path, label.Name, len(seen), p.method.Name, catalog.Methods[0].Name)
	}
}

// warnUnlabelled tells of a one-class method that takes for the label, since nobody said which column that is,
// one that is hardly a label.
func (p *problem) warnUnlabelled(w *warner) {
	label, err := p.label()
	if err != nil || label == nil || p.encode.Class != "" || p.method.Task.Classifies() || p.method.Task.Regresses() {
		return
	}
	class, _ := encode.FindClass(p.in.header, "")
	if number, text, ok := datafile.NoSides(label, class, p.rows); ok {
		odd := p.in.NumberText(number)
		if text != nil {
			odd = phrase.Word(*text)
		}
		w.warn("%s: column %q is taken for the label, which method %s ignores, but holds %s, neither 1 nor -1: name the label's column with --class, or add a column of 1 if there is none",
			p.in.path, label.Name, p.method.Name, odd)
	}
}

// warnLeftOut tells of rows without a label.
func (p *problem) warnLeftOut(w *warner) {
	if !p.in.declared() {
		return
	}
	class, err := encode.FindClass(p.in.header, p.encode.Class)
	if err != nil {
		return // which is told where the label is wanted
	}
	switch p.in.header.Attributes[class].Type {
	case format.String, format.Relational: // which are no labels, as encoding tells
		return
	}
	without := 0
	for i := range p.rows.Len() {
		if math.IsNaN(p.rows.X.Row(i).At(int32(class))) {
			without++
		}
	}
	if without < p.rows.Len() { // to have no label at all is an error
		w.warnWithout(p.in.path, without)
	}
}

// byChoice says which method was taken, and why, where that was not asked for and is not
// the usual one; else it is empty.
func (p *problem) byChoice() string {
	if p.chosen && p.method.Name == forNumbers {
		return forNumbers + ", since labels are numbers; "
	}
	return ""
}
