package main

import (
	"fmt"
	"io"
	"strings"
)

// completeFish writes a completion for fish 3 and later.
func completeFish(w io.Writer, pages []page) {
	fmt.Fprint(w, `# completion of slimsvm for fish
# the first word that is no option is the command, later ones may be files of such names
function __slimsvm_command
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch $word
            case '-*'
            case '*'
                test $word = $argv[1]
                return
        end
    end
    return 1
end
`)
	for _, c := range pages[0].commands {
		fmt.Fprintf(w, "complete -c slimsvm -n __fish_use_subcommand -f -a %s -d %s\n", c.name, fishQuote(c.meaning))
	}
	for _, p := range pages {
		when := "__fish_use_subcommand"
		if p.command != "" {
			when = fishQuote("__slimsvm_command " + p.command)
		}
		for _, o := range p.options {
			fmt.Fprintf(w, "complete -c slimsvm -n %s", when)
			for _, name := range o.dashed() {
				if long, ok := strings.CutPrefix(name, "--"); ok {
					fmt.Fprintf(w, " -l %s", long)
				} else {
					fmt.Fprintf(w, " -s %s", name[1:])
				}
			}
			if values := valuesOf(p.command, o); values != nil {
				fmt.Fprintf(w, " -x -a %s", fishQuote(strings.Join(values, " ")))
			} else if o.takes() {
				fmt.Fprint(w, " -r")
			}
			fmt.Fprintf(w, " -d %s\n", fishQuote(o.meaning))
		}
		if words := argumentsOf(p, pages); words != nil {
			fmt.Fprintf(w, "complete -c slimsvm -n %s -f -a %s\n", when, fishQuote(strings.Join(words, " ")))
		}
	}
}

// fishQuote returns text as one word of fish.
func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(text) + "'"
}
