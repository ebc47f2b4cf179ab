package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// symbols are the letters that the options have in the methods' sources.
var symbols = map[string]string{
	"cost": "C", "nu": "ν", "epsilon": "ε", "weight": "w_i", "probability": "A, B",
	"gamma": "γ", "coef0": "r", "degree": "d", "kernel": "K", "tolerance": "stopping ε",
}

// ofKernels are the parameters of kernels. A method of linear machines has none.
var ofKernels = []string{"gamma", "coef0", "degree"}

// commonOptions returns the options of a method, beside those for data, that methods have in
// common.
func commonOptions(m catalog.Method) []string {
	if m.Linear {
		return []string{"seed"}
	}
	return slices.Concat([]string{"kernel"}, ofKernels, []string{"seed"})
}

// trainingCommands are the commands that train by a method.
var trainingCommands = []string{"train", "cv", "grid"}

// methodHelp returns the method whose options are asked for, by --method M and
// --help in any order, or false.
func methodHelp(args []string) (name string, ok bool) {
	if len(args) == 0 || !slices.Contains(trainingCommands, args[0]) {
		return "", false
	}
	help := false
	for i := 1; i < len(args) && args[i] != "--"; i++ {
		word := strings.TrimPrefix(args[i], "-")
		switch {
		case word == args[i]:
		case slices.Contains([]string{"-help", "help", "h"}, word):
			help = true
		case (word == "-method" || word == "method") && i+1 < len(args):
			name = args[i+1]
			i++
		default:
			if value, is := strings.CutPrefix(strings.TrimPrefix(word, "-"), "method="); is {
				name = value
			}
		}
	}
	return name, help && name != ""
}

// printMethod prints the options of a method with their defaults and symbols.
func printMethod(w io.Writer, command *cli.Command, name string) error {
	m, err := findMethod(name)
	if err != nil {
		return err
	}
	var b strings.Builder
	all := manual.Options(append(trainFlags(), streamFlag()))
	common := commonOptions(m)
	seed := len(common) - 1
	names := slices.Concat(common[:seed], m.OptionNames(), common[seed:])
	if m.Streams && command.Name == "train" {
		names = append(names, "stream")
	}
	for _, name := range names {
		for _, o := range all {
			if o.Name != name {
				continue
			}
			meaning := usageIn(m, o.Flag)
			if value := defaultIn(m, o.Flag); value != "" {
				meaning += " (default: " + value + ")"
			}
			if symbol := symbolIn(m, name); symbol != "" {
				meaning += " (symbol: " + symbol + ")"
			}
			fmt.Fprintf(&b, "   %s\n%s", o.Names, manual.Wrapped(meaning, 10))
		}
	}
	_, err = fmt.Fprintf(w, "%s\nUSAGE:\n   slimsvm %s --method %s [options] %s\n\nOPTIONS OF THE METHOD:\n%s\n"+
		"slimsvm %s --help lists the options for data and output, which all methods have.\n",
		manual.Wrapped(m.Name+" - "+m.Doc, 0), command.Name, m.Name, command.ArgsUsage, b.String(), command.Name)
	return err
}

// symbolIn returns the letter of an option in a method, "" for none.
func symbolIn(m catalog.Method, name string) string {
	if name == "cost" && m.CostSymbol != "" {
		return m.CostSymbol
	}
	for _, o := range catalog.Options() {
		if o.Name == name {
			return o.Symbol
		}
	}
	return symbols[name]
}

// defaultIn returns a flag's default in a method.
func defaultIn(m catalog.Method, f cli.Flag) string {
	if f.Names()[0] == "cost" {
		text := "1"
		if m.Cost != 0 {
			text = fmt.Sprint(m.Cost)
		}
		if m.Costs != "" {
			text += "; " + m.Costs
		}
		return text
	}
	return defaultOf(f)
}

// defaultOf returns a flag's default as text.
func defaultOf(f cli.Flag) string {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	if list, ok := f.(flags.List); ok {
		f = list.StringFlag
	}
	switch f := f.(type) {
	case *cli.BoolFlag:
		return ""
	case *cli.StringFlag:
		if f.DefaultText == "" {
			return f.Value
		}
	}
	if text := d.GetDefaultText(); text != "" {
		return text
	}
	return d.GetValue()
}

// usageIn returns what an option does in a method.
func usageIn(m catalog.Method, f cli.Flag) string {
	if f.Names()[0] == "kernel" && m.Kernels != nil {
		return "kernel: " + phrase.Choice(m.Kernels)
	}
	if meaning := meaningOf(f.Names()[0]); meaning != "" {
		return strings.ReplaceAll(meaning, "`", "")
	}
	if d, ok := f.(cli.DocGenerationFlag); ok {
		return strings.ReplaceAll(d.GetUsage(), "`", "")
	}
	return ""
}
