package catalog

import (
	"fmt"
	"slices"
	"sync"
)

// An Option is an option that methods bring with them, beside those that
// Parameters has fields for. Methods that share an option share the Option.
type Option struct {
	Name    string   // as after the two dashes of a command line
	Symbol  string   // its letter in the method's source; "": none
	Usage   string   // what it does; a word in backquotes is what its value is called
	Default any      // what it is when not given: an int, float64, bool or string
	Text    string   // says the default where the value does not; "": the value does
	Range   *Range   // the numbers that it may be, or that it may list; nil: any
	Words   []string // the words that it may be; nil: any text
	List    bool     // a text lists several, separated by commas
}

// vectors is the size of models whose methods are given it.
var vectors = Option{Name: "vectors", Symbol: "M", Usage: "number of vectors: for rsvm and rsvr the number to draw; for joint and joint-svr the maximum, shared by all machines",
	Default: 0, Text: "rsvm, rsvr: see --share; joint, joint-svr: 50", Range: FromOne}

// Values are the options that were given, by name, each of its Option's type.
type Values map[string]any

// Options returns the options of all methods, each once. They are not to be changed.
func Options() []Option { return options() }

// options is what every start of a command asks for, for each of its flags.
var options = sync.OnceValue(func() []Option {
	var all []Option
	seen := map[string]bool{}
	for _, m := range Methods {
		for _, o := range m.Options {
			if !seen[o.Name] {
				seen[o.Name] = true
				all = append(all, o)
			}
		}
	}
	return all
})

// Has reports whether the method has an option of that name.
func (m *Method) Has(name string) bool {
	return slices.Contains(m.Uses, name) || slices.ContainsFunc(m.Options, func(o Option) bool { return o.Name == name })
}

// OptionNames returns the names of the options that the method has beside those
// for kernel, seed and threads, which all have.
func (m *Method) OptionNames() []string {
	names := append([]string(nil), m.Uses...)
	for _, o := range m.Options {
		names = append(names, o.Name)
	}
	return names
}

// valueOf returns what p says of an option, or the default.
func valueOf[T any](p *Parameters, o Option) T {
	v, ok := p.Values[o.Name]
	if !ok {
		v = o.Default
	}
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("catalog: option %s is %T", o.Name, v))
	}
	return t
}
