// Package plan holds what the writers of models as source files have in common: what such a file
// contains, and for which models it can be written.
package plan

import (
	"errors"
	"fmt"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/format/scale"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/models/kernel"
)

// A Plan says what a source file contains of a model.
type Plan struct {
	Model  *models.Model
	Inputs *encode.Encoding // nil: features are numbers, not made from columns
	First  int32            // number of the first feature in a row
	Width  int64            // number of features that vectors have
	Dense  bool             // vectors are written as rows of a matrix
	Terms  int              // number of nonzero coefficients of all machines

	Ranges   *scale.Ranges // nil: the file does not scale features
	Scaled   int           // number of features that are scaled
	Features int           // number of the last feature that is scaled
}

// New returns the plan of a model. r, unless nil, has the ranges by which the model's rows were
// scaled. It returns an error if the model is not valid or has a kernel that is not from package
// kernel. If the ranges cannot be those of the model's rows, the error is an ErrRanges; language is
// the name of the language for its text.
func New(m *models.Model, r *scale.Ranges, language string) (*Plan, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if _, ok := kernel.FileName(m.Kernel); !ok {
		return nil, fmt.Errorf("source files cannot have the kernel %T, which is not of package kernel", m.Kernel)
	}
	p := &Plan{Model: m, Ranges: r, First: 1}
	if p.Precomputed() {
		for i := range m.Vectors.Len() {
			if _, err := kernel.Serial(m.Vectors.Row(i)); err != nil {
				return nil, fmt.Errorf("vector %d: %w", i+1, err)
			}
		}
	}
	if m.Inputs != nil {
		p.Inputs = new(encode.Encoding)
		if err := p.Inputs.UnmarshalInputs(m.Inputs, max(m.InputsLine, 1)); err != nil {
			return nil, err
		}
	}
	p.measure()
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.checkRanges(language); err != nil {
		return nil, err
	}
	return p, nil
}

// Ensemble reports whether the machines are the hyperplanes of an ensemble.
func (p *Plan) Ensemble() bool { return p.Model.Task.Classifies() && p.Model.Vote == models.Ensemble }

// Precomputed reports whether rows are kernel values.
func (p *Plan) Precomputed() bool {
	return p.Model.Kernel == kernel.Kernel(kernel.Precomputed{})
}

// Labels reports whether the labels are texts, and answers are their indices.
func (p *Plan) Labels() bool {
	return p.Model.Task.Classifies() && p.Inputs != nil && p.Inputs.Nominal()
}

// ClassProbabilities reports whether the model has probabilities of several classes.
func (p *Plan) ClassProbabilities() bool {
	return p.Model.Probability && p.Model.Task.Classifies() && len(p.Model.Labels) > 1
}

// Coupled reports whether the probabilities of pairs of classes are coupled.
func (p *Plan) Coupled() bool {
	return p.ClassProbabilities() && p.Model.Vote == models.OneVsOne && len(p.Model.Labels) > 2
}

// Noise returns the scale of a regression's noise in the units of the data.
func (p *Plan) Noise() float64 {
	if p.Inputs != nil {
		return p.Inputs.Difference(p.Model.Noise)
	}
	return p.Model.Noise
}

// Largest returns the largest number of hyperplanes and of classes that a member of the ensemble
// has.
func (p *Plan) Largest() (planes, classes int) {
	planes, classes = 1, 2
	for i := range p.Model.CountMembers() {
		span, k := p.Model.Member(i)
		planes, classes = max(planes, span.To-span.From), max(classes, k)
	}
	return planes, classes
}

// MemberSizes reports which numbers of classes members of the ensemble have: sizes[5] stands for
// five or more.
func (p *Plan) MemberSizes() (sizes [6]bool) {
	for i := range p.Model.CountMembers() {
		_, k := p.Model.Member(i)
		sizes[min(k, 5)] = true
	}
	return sizes
}

// denseShare is the share of nonzero values from which vectors are written as rows of a matrix, not
// as lists.
const denseShare = 1.0 / 3

func (p *Plan) measure() {
	p.EachTerm(func(int, int, float64) { p.Terms++ })
	if p.Precomputed() {
		return
	}
	x := &p.Model.Vectors
	last := int32(-1) // x.MaxIndex() may be that of the training data
	for i := range x.Len() {
		if r := x.Row(i); len(r.Index) > 0 {
			if r.Index[0] == 0 {
				p.First = 0
			}
			last = max(last, r.Index[len(r.Index)-1])
		}
	}
	p.Width = max(1, int64(last)+1-int64(p.First)) // a table has one column at least
	p.Dense = x.NNZ() == 0 || float64(x.NNZ()) >= denseShare*float64(x.Len())*float64(p.Width)
}

// EachTerm calls its argument for the nonzero coefficients of all machines, with their vectors, in
// the order of the sums.
func (p *Plan) EachTerm(f func(machine, vector int, coef float64)) {
	start := p.Model.GroupStart()
	for i := range p.Model.Machines {
		c := &p.Model.Machines[i]
		if c.Index != nil {
			for k, v := range c.Index {
				if c.Coef[k] != 0 {
					f(i, int(v), c.Coef[k])
				}
			}
			continue
		}
		coef := c.Coef
		for _, span := range c.Spans(start) {
			for k := span.From; k < span.To; k++ {
				if a := coef[k-span.From]; a != 0 {
					f(i, k, a)
				}
			}
			coef = coef[span.To-span.From:]
		}
	}
}

// EachColumn calls its argument for each column from which features are made, with the column's
// place in a row.
func (p *Plan) EachColumn(f func(place int, c *encode.Column)) {
	place := 0
	for i := range p.Inputs.Columns {
		if i != p.Inputs.Class {
			f(place, &p.Inputs.Columns[i])
			place++
		}
	}
}

// shownLabels is the largest number of labels of a column that a comment lists.
const shownLabels = 12

// ListLabels returns a list of a column's labels for a comment, with a blank before each. quote is
// applied to each label.
func ListLabels(labels []string, quote func(text string) string) (list string) {
	for i, label := range labels {
		if i == shownLabels {
			return fmt.Sprintf("%s and %d more", list, len(labels)-shownLabels)
		}
		list += " " + quote(label)
	}
	return list
}

// DescribeColumns calls its argument with a description of each column for a comment: its place,
// its name, and what it contains. quote is applied to texts from the data.
func (p *Plan) DescribeColumns(quote func(text string) string, f func(place int, name, what string)) {
	p.EachColumn(func(place int, c *encode.Column) {
		what := "a number"
		switch c.Type {
		case format.Date:
			what = "milliseconds since 1970"
		case format.Nominal:
			what = "one of its labels:" + ListLabels(c.Labels, quote)
		}
		f(place, quote(c.Name), what)
	})
}

// Nominal reports whether some column from which features are made has labels.
func (p *Plan) Nominal() (has bool) {
	p.EachColumn(func(_ int, c *encode.Column) { has = has || c.Type == format.Nominal && len(c.Labels) > 0 })
	return has
}

// Scales returns the scales of all features that are made from columns, and the number of these
// columns. A feature that is not scaled has the width 1.
func (p *Plan) Scales() (scales []encode.Scale, columns int) {
	scales = make([]encode.Scale, p.Inputs.Features())
	for f := range scales {
		scales[f].Width = 1
	}
	p.EachColumn(func(_ int, c *encode.Column) {
		columns++
		copy(scales[c.First-1:], c.Scales)
	})
	return scales, columns
}

// check returns an error unless the model's features and labels fit its inputs, if it has inputs.
func (p *Plan) check() error {
	if p.Inputs == nil {
		return nil
	}
	if p.Precomputed() {
		return errors.New("the model's columns are not the values of a precomputed kernel")
	}
	if p.First == 0 {
		return errors.New("a vector has feature 0, and the features of the model's columns are numbered from 1")
	}
	if p.Labels() {
		n := len(p.Inputs.ClassColumn().Labels)
		for _, label := range p.Model.Labels {
			if label < 0 || label >= n {
				return fmt.Errorf("label %d is no place among the %d labels of column %q", label, n, p.Inputs.ClassColumn().Name)
			}
		}
	}
	return nil
}

// ErrRanges reports that ranges cannot be those of a model's rows.
var ErrRanges = errors.New("the ranges are not those of the model's rows")

// checkRanges returns an error unless the ranges scale every feature that vectors have.
func (p *Plan) checkRanges(language string) error {
	switch {
	case p.Ranges == nil:
		return nil
	case p.Inputs != nil:
		return fmt.Errorf("%w: its features are made of columns", ErrRanges)
	case p.Precomputed():
		return fmt.Errorf("%w: these are values of a precomputed kernel", ErrRanges)
	case p.Ranges.X == nil:
		return fmt.Errorf("%w: they are of labels only", ErrRanges)
	}
	scaled := map[int32]bool{}
	for _, f := range p.Ranges.X.Ranges {
		if f.Constant() {
			continue
		}
		if f.Index == 0 {
			return fmt.Errorf("%w: they have feature 0, and in %s features are numbered from 1 where they are scaled", ErrRanges, language)
		}
		scaled[f.Index] = true
		p.Scaled++
		p.Features = int(f.Index)
	}
	x := &p.Model.Vectors
	for i := range x.Len() {
		row := x.Row(i)
		for k, j := range row.Index {
			if row.Value[k] != 0 && !scaled[j] {
				return fmt.Errorf("%w: vector %d has feature %d, which by them is 0 in all rows", ErrRanges, i+1, j)
			}
		}
	}
	if p.First == 0 { // its value is 0 in all vectors
		return fmt.Errorf("%w: vectors have feature 0, and in %s features are numbered from 1 where they are scaled", ErrRanges, language)
	}
	return nil
}

// Count returns a number with the name of what is counted.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
