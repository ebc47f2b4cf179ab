package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/phrase"
)

// completeZsh writes a completion for zsh, to be read behind compinit or found as
// _slimsvm in fpath.
func completeZsh(w io.Writer, pages []Page) {
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
	for _, c := range pages[0].Commands {
		fmt.Fprintf(w, "            %s\n", phrase.Shell(zshColons.Replace(c.Name)+":"+zshColons.Replace(c.Meaning)))
	}
	fmt.Fprint(w, `        )
        _describe command commands ;;
    argument)
        case $words[1] in
`)
	for _, p := range completed(pages)[1:] {
		fmt.Fprintf(w, "        %s)\n            _arguments \\\n", p.Command)
		for _, spec := range zshOptions(p) {
			fmt.Fprintf(w, "                %s \\\n", spec)
		}
		action := "_files"
		if p.Words != nil {
			action = "(" + strings.Join(p.Words, " ") + ")"
		}
		fmt.Fprintf(w, "                %s ;;\n", phrase.Shell("*: :"+action))
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
func zshOptions(p Page) []string {
	var specs []string
	for _, o := range p.Options {
		for _, name := range o.Dashed() {
			spec := name
			if o.takes() && strings.HasPrefix(name, "--") {
				spec += "="
			}
			spec += "[" + zshBrackets.Replace(o.Meaning) + "]"
			if o.takes() {
				action := "_files"
				if o.Values != nil {
					action = "(" + strings.Join(o.Values, " ") + ")"
				}
				spec += ": :" + action
			}
			if o.repeats() {
				spec = "*" + spec
			}
			specs = append(specs, phrase.Shell(spec))
		}
	}
	return specs
}
