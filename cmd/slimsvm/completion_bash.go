package main

import (
	"fmt"
	"io"
	"strings"
)

// completeBash writes a completion for bash 3.2 and later, which needs no other
// scripts. Where there is nothing to offer, bash offers files.
func completeBash(w io.Writer, pages []page) {
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
		for _, o := range p.options {
			if !o.takes() {
				continue
			}
			var patterns []string
			for _, name := range o.dashed() {
				patterns = append(patterns, quote(p.command+" "+name))
			}
			if values := valuesOf(p.command, o); values != nil {
				fmt.Fprintf(w, "    %s)\n        words=%s ;;\n", strings.Join(patterns, "|"), quote(strings.Join(values, " ")))
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
	for _, p := range pages {
		other := argumentsOf(p, pages)
		if p.command == "" {
			for _, c := range p.commands {
				other = append(other, c.name)
			}
		}
		fmt.Fprintf(w, "        %s)\n", quote(p.command))
		fmt.Fprintf(w, "            case $cur in\n            -*) words=%s ;;\n", quote(strings.Join(dashedNames(p.options), " ")))
		if other != nil {
			fmt.Fprintf(w, "            *) words=%s ;;\n", quote(strings.Join(other, " ")))
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

// quote returns text as one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
