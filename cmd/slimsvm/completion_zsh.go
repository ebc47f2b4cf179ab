package main

import (
	"fmt"
	"io"
	"strings"
)

// completeZsh writes a completion for zsh, to be read behind compinit or found as
// _slimsvm in fpath.
func completeZsh(w io.Writer, pages []page) {
	fmt.Fprint(w, `#compdef slimsvm
# completion of slimsvm for zsh
_slimsvm() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -C \
`)
	for _, spec := range zshOptions(pages[0]) {
		fmt.Fprintf(w, "        %s \\\n", spec)
	}
	fmt.Fprint(w, `        '1: :->command' \
        '*:: :->argument'
    case $state in
    command)
        local -a commands
        commands=(
`)
	for _, c := range pages[0].commands {
		fmt.Fprintf(w, "            %s\n", quote(zshColons.Replace(c.name)+":"+zshColons.Replace(c.meaning)))
	}
	fmt.Fprint(w, `        )
        _describe command commands ;;
    argument)
        case $words[1] in
`)
	for _, p := range pages[1:] {
		fmt.Fprintf(w, "        %s)\n            _arguments \\\n", p.command)
		for _, spec := range zshOptions(p) {
			fmt.Fprintf(w, "                %s \\\n", spec)
		}
		action := "_files"
		if words := argumentsOf(p, pages); words != nil {
			action = "(" + strings.Join(words, " ") + ")"
		}
		fmt.Fprintf(w, "                %s ;;\n", quote("*: :"+action))
	}
	fmt.Fprint(w, `        esac ;;
    esac
}
if [ "$funcstack[1]" = "_slimsvm" ]; then
    _slimsvm "$@"
else
    compdef _slimsvm slimsvm
fi
`)
}

var (
	zshColons   = strings.NewReplacer(`\`, `\\`, ":", `\:`)
	zshBrackets = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "\n", " ")
)

// zshOptions returns specifications of a page's options for _arguments.
func zshOptions(p page) []string {
	var specs []string
	for _, o := range p.options {
		for _, name := range o.dashed() {
			spec := name
			if o.takes() && strings.HasPrefix(name, "--") {
				spec += "="
			}
			spec += "[" + zshBrackets.Replace(o.meaning) + "]"
			if o.takes() {
				action := "_files"
				if values := valuesOf(p.command, o); values != nil {
					action = "(" + strings.Join(values, " ") + ")"
				}
				spec += ": :" + action
			}
			if o.repeats() {
				spec = "*" + spec
			}
			specs = append(specs, quote(spec))
		}
	}
	return specs
}
