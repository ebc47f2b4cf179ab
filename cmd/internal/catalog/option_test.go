package catalog

import (
	"reflect"
	"testing"
)

// TestOptions: an option means one thing, whatever method has it, and has a value
// of a kind that the commands can read; no option has the name of a parameter.
func TestOptions(t *testing.T) {
	parameters := map[string]bool{"kernel": true, "gamma": true, "coef0": true, "degree": true, "seed": true, "threads": true}
	for _, m := range Methods {
		for _, name := range m.Uses {
			parameters[name] = true
		}
	}
	seen := map[string]Option{}
	for _, m := range Methods {
		for _, o := range m.Options {
			switch o.Default.(type) {
			case int, float64, bool, string:
			default:
				t.Errorf("%s: the default of --%s is %T", m.Name, o.Name, o.Default)
			}
			if parameters[o.Name] {
				t.Errorf("%s: --%s is a parameter of other methods", m.Name, o.Name)
			}
			if before, ok := seen[o.Name]; ok && !reflect.DeepEqual(besideWords(before), besideWords(o)) {
				t.Errorf("%s: --%s is %+v, elsewhere %+v", m.Name, o.Name, o, before)
			}
			seen[o.Name] = o
			if !m.Has(o.Name) {
				t.Errorf("%s has no --%s", m.Name, o.Name)
			}
		}
	}
	if got := Options(); len(got) != len(seen) {
		t.Errorf("%d options, %d names", len(got), len(seen))
	}
}

// besideWords returns an option without the words that it may be, which may be others for other methods.
func besideWords(o Option) Option {
	o.Words = nil
	return o
}

func TestValueOf(t *testing.T) {
	o := Option{Name: "pieces", Default: 3}
	p := &Parameters{}
	if got := valueOf[int](p, o); got != 3 {
		t.Errorf("not given: %d", got)
	}
	p.Values = Values{"pieces": 7}
	if got := valueOf[int](p, o); got != 7 {
		t.Errorf("given: %d", got)
	}
}
