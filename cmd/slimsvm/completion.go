package main

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
)

// shells are those for which there are completions.
var shells = []string{"bash", "zsh", "fish"}

// completion returns what writes the completion for a shell, or nil.
func completion(shell string) func(w io.Writer, pages []page) {
	switch shell {
	case "bash":
		return completeBash
	case "zsh":
		return completeZsh
	case "fish":
		return completeFish
	}
	return nil
}

func completionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a shell script that completes commands and options",
		ArgsUsage: strings.Join(shells, "|"),
		Description: "Prints a script for bash, zsh or fish. To load it whenever the shell starts:\n\n" +
			"  bash: source <(slimsvm completion bash), in ~/.bashrc\n" +
			"  zsh:  source <(slimsvm completion zsh), in ~/.zshrc after compinit\n" +
			"  fish: slimsvm completion fish > ~/.config/fish/completions/slimsvm.fish",
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "the name of a shell ("+strings.Join(shells, ", ")+")")
			if err != nil {
				return err
			}
			if write := completion(args[0]); write != nil {
				var b strings.Builder
				write(&b, manual(c.App))
				_, err := io.WriteString(e.stdout, b.String())
				return err
			}
			return suggesting(usagef("no completion for %q: there are %s", args[0], strings.Join(shells, ", ")), args[0], shells)
		},
	}
}

// valuesOf are the words that may follow an option of a command. Where there are none, files are completed.
func valuesOf(command string, o option) []string {
	words, _ := choices(command, o.name)
	return words
}

// choices are the words that may follow an option of a command, and whether nothing else may.
func choices(command, option string) (words []string, only bool) {
	switch option {
	case "gamma":
		return []string{flags.GammaScale, flags.GammaAuto}, false
	case "weight":
		if command == "reduce" {
			return nil, false
		}
		return []string{balanced}, false
	case "decimal":
		return []string{","}, false // a point, some shells take for the directory
	case "start":
		return catalog.JointStarts, false // or several
	case "loss":
		return lossNames, false // a method has some of them
	}
	words = wordsOf(command, option)
	return words, words != nil
}

// lossNames are the words of --loss.
var lossNames = slices.Concat(catalog.JointLosses, catalog.JointSVRLosses)

// wordsOf are the words of which an option of a command is one, nil where it may be another text.
func wordsOf(command, option string) []string {
	switch option {
	case "method":
		if command == "reduce" {
			return reduceMethods()
		}
		return methodNames()
	case "kernel":
		return kernelNames
	case "as":
		return presets
	case "scale":
		return scalings
	case "from":
		return formatNames()
	case "to":
		return outFormatNames()
	case "format":
		if command == "grid" {
			return pointFormats
		}
		return answerFormats
	case "header":
		return headerWords
	case "score":
		return measureNames(anyMeasure)
	case "multiclass":
		return multiclassWords
	case "labels":
		return labellings
	case "search":
		return searchWords
	case "next":
		return nextWords
	}
	for _, o := range catalog.Options() {
		if o.Name == option {
			return o.Words
		}
	}
	return nil
}

// argumentsOf are the words that may be arguments of a command, nil where they are
// files.
func argumentsOf(p page, pages []page) []string {
	switch p.command {
	case "completion":
		return shells
	case "generate":
		return setNames()
	case "man":
		var names []string
		for _, other := range pages[1:] {
			names = append(names, other.command)
		}
		return names
	}
	return nil
}

// takes reports whether an option has a value.
func (o option) takes() bool {
	f, ok := o.flag.(cli.DocGenerationFlag)
	return ok && f.TakesValue()
}

// repeats reports whether an option may be given several times.
func (o option) repeats() bool {
	f, ok := o.flag.(cli.DocGenerationSliceFlag)
	return ok && f.IsSliceFlag()
}

// dashed returns the option's names with their dashes.
func (o option) dashed() []string {
	var names []string
	for _, name := range o.flag.Names() {
		names = append(names, dashed(name))
	}
	return names
}

// dashedNames returns all names of some options, sorted.
func dashedNames(options []option) []string {
	var names []string
	for _, o := range options {
		names = append(names, o.dashed()...)
	}
	slices.Sort(names)
	return names
}
