// Package argv reads command lines by LIBSVM's grammar.
//
//	command line = {option} {file name}
//	option       = word that begins with "-", then its values, one word each
//
// Options come before file names. Only the second character of an option word
// counts ("-cost" is "-c"), values are the next words whatever they begin with,
// and the first word that does not begin with "-" where an option may stand
// ends the options, also when later words look like some.
package argv

import "fmt"

// An Option is one option of a command line.
type Option struct {
	Word   string   // as given: "-w1"
	Letter byte     // its second character, 0 when Word is a lone "-"
	Values []string // the words that belong to it; shares memory with the arguments
}

// Parse hands each option of args to set in order of appearance and returns the
// words from the first one that is no option. arity gives an option's number of
// values by its letter, -1 for a letter that is no option.
//
// Faults come in order of appearance, after set has seen the options before
// them: an *UnknownError, a *MissingError, or what set returned, unchanged. Then
// rest is nil.
func Parse(args []string, arity func(letter byte) int, set func(o Option) error) (rest []string, err error) {
	for len(args) > 0 && len(args[0]) > 0 && args[0][0] == '-' {
		o := Option{Word: args[0]}
		if len(o.Word) > 1 {
			o.Letter = o.Word[1]
		}
		args = args[1:]
		n := arity(o.Letter)
		switch {
		case n < 0:
			return nil, &UnknownError{Word: o.Word, Letter: o.Letter, Last: len(args) == 0}
		case n > len(args):
			return nil, &MissingError{Word: o.Word}
		}
		o.Values, args = args[:n:n], args[n:]
		if err := set(o); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// An UnknownError reports a word that begins with "-" and is no option.
type UnknownError struct {
	Word   string
	Letter byte // as in Option
	Last   bool // no word follows it
}

// Error names the option.
func (e *UnknownError) Error() string { return fmt.Sprintf("unknown option %q", e.Word) }

// A MissingError reports an option with fewer words after it than it takes.
type MissingError struct {
	Word string
}

// Error names the option.
func (e *MissingError) Error() string { return fmt.Sprintf("option %q: a value is missing", e.Word) }
