package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/models"
	"github.com/slimsvm/slimsvm/train/joint"
	"github.com/slimsvm/slimsvm/train/mkc"
)

// idle are options that methods have and yet do not heed, given what another option says, be it
// said or the default.
var idle = []struct {
	options []string
	other   string
	idles   func(other int) bool
}{
	{[]string{"share", "max-vectors"}, "vectors", func(n int) bool { return n > 0 }},
	{[]string{"hard-negatives", "unpruned"}, "iterations", isNone},
	{[]string{"mu", "alpha"}, "programmes", func(n int) bool { return n == 1 }}, // the first is that of lp1
	{[]string{"first-share", "next-share"}, "sampling", isNone},
	{[]string{"next-share"}, "sampling", func(rounds int) bool { return rounds == 1 }},
	{[]string{"looks", "pull", "fixed-gamma"}, "evaluations", isNone},
}

func isNone(n int) bool { return n == 0 }

// warnIdle tells of options of a method that have no effect beside others.
func (w *warner) warnIdle(c *cli.Context, m catalog.Method) {
	for _, i := range idle {
		if m.Has(i.other) && i.idles(c.Int(i.other)) {
			w.warnGiven(c, fmt.Sprintf("with --%s %d", i.other, c.Int(i.other)), i.options...)
		}
	}
	if !m.Linear { // else they are wrong usage
		w.warnKernel(c)
	}
	if m.Name == "cs" && c.String("kernel") == "linear" { // a machine is one point, that of its weights
		w.warnGiven(c, "with --kernel linear", "box", "points", "alternate", "descents")
	}
	if m.Has("mu") && isSet(c, "mu") && c.Float64("mu") == 0 {
		w.warnGiven(c, "with --mu 0", "alpha")
	}
	if m.Has("epsilon") && m.Has("loss") && c.String("loss") == string(joint.Squared) {
		w.warnGiven(c, "with --loss "+string(joint.Squared), "epsilon", "log2p")
	}
	if m.Has("looks") && isSet(c, "held-out") && c.Float64("held-out") == 0 {
		w.warnGiven(c, "with --held-out 0", "looks")
	}
}

// warnKernel tells of parameters of kernels that the chosen one has not.
func (w *warner) warnKernel(c *cli.Context) {
	name := c.String("kernel")
	if c.String("as") == wekaSMO && !isSet(c, "kernel") {
		name = "linear"
	}
	has := map[string][]string{"poly": ofKernels, "rbf": {"gamma"}, "sigmoid": {"gamma", "coef0"}}[name]
	w.warnGiven(c, fmt.Sprintf("with the kernel %s", name), slices.DeleteFunc(slices.Clone(ofKernels), func(option string) bool {
		return slices.Contains(has, option)
	})...)
}

// warnGiven tells where options have no effect, if some of them are given.
func (w *warner) warnGiven(c *cli.Context, where string, names ...string) {
	var options []string
	for _, name := range names {
		if isSet(c, name) {
			options = append(options, "--"+name)
		}
	}
	if len(options) > 0 {
		w.warn("%s %s", where, noEffect(options))
	}
}

// warnScaling tells that how columns would be scaled does not matter.
func (w *warner) warnScaling(c *cli.Context, o encode.Options) {
	if o.ColumnsFirst && o.Scaling == encode.None {
		w.warnGiven(c, "with --scale none", "scale-first")
	}
}

// warnSample tells that which rows may become vectors is not asked, since all may.
func (w *warner) warnSample(c *cli.Context, p *problem) {
	if !p.method.Has("sample") {
		return
	}
	rows, most := p.rows.Len(), c.Int("columns")
	if most == 0 {
		most = mkc.ColumnsOf(rows)
	}
	if rows <= most {
		w.warnGiven(c, fmt.Sprintf("%s: all of %s may become vectors, so that", p.in.path, phrase.Count(rows, "row")), "sample")
	}
}

// checkBeside returns wrong usage if an option has a value that no method takes, or contradicts another.
func checkBeside(c *cli.Context) error {
	if n, most := c.Int("vectors"), c.Int("max-vectors"); isSet(c, "max-vectors") && n > most {
		return usagef("--vectors %d are more than --max-vectors %d", n, most)
	}
	if c.Bool("probability") && isLean(c) {
		return usagef("--lean leaves out the probabilities that --probability asks for, except with --vote %v", models.ByProbability)
	}
	return nil
}

// isLean reports whether an ensemble has no probabilities, since its votes do not need them.
func isLean(c *cli.Context) bool {
	return c.Bool("lean") && c.String("vote") != models.ByProbability.String()
}

// warnLabels tells that numbers stay as they are, or, where nobody asked for places, that labels which are
// numbers do not.
func (w *warner) warnLabels(f *flat, labels labelling, asked bool) {
	a := &f.header.Attributes[f.class]
	if labels == byIndex && !asked {
		w.warnPlaces(f.path, a, "--labels number writes labels as the numbers that they are")
	}
	if labels != byIndex && f.labels == nil {
		w.warn("%s: the label's column %q is %s, where %s", f.path, a.Name, phrase.Type(a.Type), noEffect([]string{"--labels"}))
	}
}

// warnOwnNumbers tells that words of a file that does not declare its labels are numbered as they occur there,
// so that training and test data that are converted one by one may have them the other way round.
func (w *warner) warnOwnNumbers(f *flat, labels labelling) {
	a := &f.header.Attributes[f.class]
	if _, err := byNumber.values(a); err == nil || labels == byNumber || len(a.Labels) < 2 {
		return
	}
	first := 0
	if labels == bySign {
		first = 1
	}
	w.warn("%s: the labels of column %q are numbered in the order of this file, %d is %s: a file that is converted apart may have them otherwise; "+
		"train on the file as it is, or write both files with slimsvm encode --like MODEL", f.path, a.Name, first, phrase.Word(a.Labels[0]))
}

// warnPlaces tells that labels which are numbers are written as others, their places, and what may be done.
func (w *warner) warnPlaces(path string, a *format.Attribute, hint string) {
	values, err := byNumber.values(a)
	if err != nil {
		return
	}
	for i, v := range values {
		if v != float64(i) {
			w.warn("%s: label %q of the column %q is written as %d, its place: %s", path, a.Labels[i], a.Name, i, hint)
			return
		}
	}
}
