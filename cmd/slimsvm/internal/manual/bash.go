package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// completeBash writes a completion for bash 3.2 and later, which needs no other
// scripts. Where there is nothing to offer, bash offers files.
func completeBash(w io.Writer, pages []Page) {
	fmt.Fprint(w, `# completion of slimsvm for bash
_slimsvm() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= i
    # bash takes --option=value apart
    if [ "$cur" = "=" ]; then
        cur=
    elif [ "$prev" = "=" ]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -*) ;;
        *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    COMPREPLY=()
    case "$command $prev" in
`)
	for _, p := range pages {
		var files []string
		for _, o := range p.Options {
			if !o.takes() {
				continue
			}
			var patterns []string
			for _, name := range o.Dashed() {
				patterns = append(patterns, phrase.Shell(p.Command+" "+name))
			}
			if o.Values != nil {
				fmt.Fprintf(w, "    %s)\n        words=%s ;;\n", strings.Join(patterns, "|"), phrase.Shell(strings.Join(o.Values, " ")))
			} else {
				files = append(files, patterns...)
			}
		}
		if files != nil {
			fmt.Fprintf(w, "    %s)\n        return ;;\n", strings.Join(files, "|"))
		}
	}
	fmt.Fprint(w, `    *)
        case "$command" in
`)
	for _, p := range completed(pages) {
		other := p.Words
		if p.Command == "" {
			for _, c := range p.Commands {
				other = append(other, c.Name)
			}
		}
		fmt.Fprintf(w, "        %s)\n", phrase.Shell(p.Command))
		fmt.Fprintf(w, "            case $cur in\n            -*) words=%s ;;\n", phrase.Shell(strings.Join(dashedNames(p.Options), " ")))
		if other != nil {
			fmt.Fprintf(w, "            *) words=%s ;;\n", phrase.Shell(strings.Join(other, " ")))
		}
		fmt.Fprint(w, "            esac ;;\n")
	}
	fmt.Fprint(w, `        esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _slimsvm slimsvm
`)
}
