package main

import (
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/manual"
)

func completionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a shell script that completes commands and options",
		ArgsUsage: strings.Join(manual.Shells, "|"),
		Description: "Prints a script for bash, zsh or fish. To load it whenever the shell starts:\n\n" +
			"  bash: eval \"$(slimsvm completion bash)\", in ~/.bashrc\n" +
			"  zsh:  source <(slimsvm completion zsh), in ~/.zshrc after compinit\n" +
			"  fish: slimsvm completion fish > ~/.config/fish/completions/slimsvm.fish",
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "the name of a shell ("+strings.Join(manual.Shells, ", ")+")")
			if err != nil {
				return err
			}
			if write := manual.Completion(args[0]); write != nil {
				var b strings.Builder
				write(&b, book.Pages(c.App))
				_, err := io.WriteString(e.stdout, b.String())
				return err
			}
			return suggesting(usagef("no completion for %q: there are %s", args[0], strings.Join(manual.Shells, ", ")), args[0], manual.Shells)
		},
	}
}

// valuesOf are the words that may follow an option of a command. Where there are none, files are completed.
func valuesOf(command, option string) []string {
	words, _ := choices(command, option)
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
func argumentsOf(command string, commands []string) []string {
	switch command {
	case "completion":
		return manual.Shells
	case "generate":
		return setNames()
	case "man":
		for _, u := range commandsOfLIBSVM {
			commands = append(commands[:len(commands):len(commands)], u.Name)
		}
		return commands
	}
	return nil
}
