package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/format/encode"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// ofFormats are options for data that not all formats heed, and those that do.
var ofFormats = []struct {
	option  string
	formats []string
}{
	{"class", []string{arff.Codec.Name, csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"separator", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"quote", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"decimal", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"header", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"missing", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"weka", []string{arff.Codec.Name}},
	{"drop-queries", []string{libsvmfmt.Codec.Name, libsvmfmt.SVMLight.Name}},
}

// unheeded returns the options given that a format does not heed.
func unheeded(c *cli.Context, codec format.Codec) (options []string) {
	declares := datafile.Declares(codec)
	for _, o := range ofFormats {
		if isSet(c, o.option) && !slices.Contains(o.formats, codec.Name) {
			options = append(options, "--"+o.option)
		}
	}
	if c.String("as") == wekaLibSVM && !declares { // the other preset chooses a kernel as well
		options = append(options, "--as "+wekaLibSVM)
	}
	return options
}

// warnFormat tells of options that data have no use for, in their format. columnsFromNames says
// that their names tell their columns, one of which --class may choose.
func (w *warner) warnFormat(in *input, columnsFromNames bool) {
	options := slices.DeleteFunc(slices.Clone(in.unheeded), func(o string) bool { return columnsFromNames && o == "--class" })
	if len(options) > 0 {
		w.warn("%s: the data are %s, where %s", in.path, in.Codec.Name, noEffect(options))
	}
}

// passClass looks for the column that --class names, where nothing depends on which that is,
// and warns of it; why says why. What a column of CSV holds may depend on it.
func (w *warner) passClass(c *cli.Context, in *input, why string) error {
	class := c.String("class")
	if class == "" || !in.declared() {
		return nil
	}
	if _, err := encode.FindClass(in.header, class); err != nil {
		return in.at(err)
	}
	if in.Texts() == nil {
		w.warn("%s: %s: --class has no effect", in.path, why)
	}
	return nil
}

// warnModel tells of options for data that are given with a model.
func (w *warner) warnModel(c *cli.Context, name string) {
	var options []string
	for _, f := range columnFlags() {
		options = append(options, f.Names()[0])
	}
	w.warnGiven(c, name+" is a model, where", options...)
}

// noEffect says so of some options.
func noEffect(options []string) string {
	if len(options) == 1 {
		return options[0] + " has no effect"
	}
	last := len(options) - 1
	return fmt.Sprintf("%s and %s have no effect", strings.Join(options[:last], ", "), options[last])
}

// warnInput tells what is odd about an open data file.
func (w *warner) warnInput(in *input) {
	w.warnMixed(in, w.warnResembling(in))
	w.warnSimilarLabels(in)
	w.warnQuotes(in)
	w.warnFormat(in, false)
}

// warnTraining is warnInput of data to train on.
func (w *warner) warnTraining(in *input) {
	w.warnInput(in)
	w.warnLossyColumns(in)
}
