package main

import (
	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/jsonline"
)

// settings are what a cross-validation was given, in JSON: of the options those that the
// method has.
type settings struct {
	Kernel   kernelFacts      `json:"kernel"`
	Cost     *jsonline.Number `json:"cost,omitempty"`
	Nu       *jsonline.Number `json:"nu,omitempty"`
	Epsilon  *jsonline.Number `json:"epsilon,omitempty"`
	Weights  []labelWeight    `json:"weights,omitempty"`
	Balanced bool             `json:"balanced,omitempty"`
	Options  map[string]any   `json:"options,omitempty"` // the method's others, as given
	Noise    *jsonline.Number `json:"noise,omitempty"`
}

// labelWeight is a class with its weight.
type labelWeight struct {
	Label  string          `json:"label"`
	Weight jsonline.Number `json:"weight"`
}

// settingsOf returns what a problem's whole was prepared with.
func settingsOf(c *cli.Context, m catalog.Method, whole *prepared) settings {
	s := settings{Kernel: kernelOf(whole.kernel)}
	set := func(at **jsonline.Number, option string, v float64) {
		if m.Has(option) {
			*at = (*jsonline.Number)(&v)
		}
	}
	set(&s.Cost, "cost", costOf(c, m))
	set(&s.Nu, "nu", c.Float64("nu"))
	set(&s.Epsilon, "epsilon", epsilonOf(c, m))
	s.Balanced = isBalanced(c)
	for _, text := range c.StringSlice("weight") {
		if label, weight, err := cutWeight(text); err == nil {
			s.Weights = append(s.Weights, labelWeight{label, jsonline.Number(weight)})
		}
	}
	s.Options = map[string]any{}
	for name, v := range methodValues(c) {
		if name == catalog.Extra { // a file, and no setting
			continue
		}
		if real, ok := v.(float64); ok {
			v = jsonline.Number(real)
		}
		s.Options[name] = v
	}
	for _, name := range m.Uses {
		switch {
		case !isSet(c, name):
		case name == "multiclass":
			s.Options[name] = c.String(name)
		case name == "probability" || name == "no-shrinking":
			s.Options[name] = c.Bool(name)
		case name == "tolerance" || name == "cache-mb":
			s.Options[name] = jsonline.Number(c.Float64(name))
		}
	}
	if noise := c.Float64("noise"); noise > 0 {
		s.Noise = (*jsonline.Number)(&noise)
	}
	return s
}
