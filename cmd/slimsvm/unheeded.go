package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/arff"
	"github.com/slimsvm/slimsvm/format/csvfmt"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

// ofFormats are options for data that not all formats heed, and those that do.
var ofFormats = []struct {
	option  string
	formats []string
}{
	{"class", []string{arff.Codec.Name, csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"separator", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"header", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"missing", []string{csvfmt.Codec.Name, csvfmt.TSV.Name}},
	{"weka", []string{arff.Codec.Name}},
	{"drop-queries", []string{libsvmfmt.Codec.Name, libsvmfmt.SVMLight.Name}},
}

// unheeded returns the options given that a format does not heed.
func unheeded(c *cli.Context, format string) (options []string) {
	for _, o := range ofFormats {
		if c.IsSet(o.option) && !slices.Contains(o.formats, format) {
			options = append(options, "--"+o.option)
		}
	}
	return options
}

// warnFormat tells of options that data have no use for, in their format. raised says
// that their names tell their columns, one of which --class may choose.
func (w *warner) warnFormat(in *input, raised bool) {
	options := slices.DeleteFunc(slices.Clone(in.unheeded), func(o string) bool { return raised && o == "--class" })
	if len(options) > 0 {
		w.warn("%s: the data are %s, where %s", in.path, in.Codec.Name, noEffect(options))
	}
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
	w.warnMixed(in)
	w.warnFormat(in, false)
}
