package manual

import (
	"fmt"
	"io"
	"strings"
)

// completeFish writes a completion for fish 3 and later.
func completeFish(w io.Writer, pages []Page) {
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
	for _, c := range pages[0].Commands {
		fmt.Fprintf(w, "complete -c slimsvm -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, fishQuote(c.Meaning))
	}
	for _, p := range completed(pages) {
		when := "__fish_use_subcommand"
		if p.Command != "" {
			when = fishQuote("__slimsvm_command " + p.Command)
		}
		for _, o := range p.Options {
			fmt.Fprintf(w, "complete -c slimsvm -n %s", when)
			for _, name := range o.Dashed() {
				if long, ok := strings.CutPrefix(name, "--"); ok {
					fmt.Fprintf(w, " -l %s", long)
				} else {
					fmt.Fprintf(w, " -s %s", name[1:])
				}
			}
			if o.Values != nil {
				fmt.Fprintf(w, " -x -a %s", fishQuote(strings.Join(o.Values, " ")))
			} else if o.takes() {
				fmt.Fprint(w, " -r")
			}
			fmt.Fprintf(w, " -d %s\n", fishQuote(o.Meaning))
		}
		if p.Words != nil {
			fmt.Fprintf(w, "complete -c slimsvm -n %s -f -a %s\n", when, fishQuote(strings.Join(p.Words, " ")))
		}
	}
}

// fishQuote returns text as one word of fish.
func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(text) + "'"
}
