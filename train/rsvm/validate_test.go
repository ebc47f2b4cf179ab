package rsvm

import (
	"fmt"
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
)

// TestValidate: settings at the ends of their ranges are accepted, and those beyond are named.
func TestValidate(t *testing.T) {
	grown := DefaultSystematic()
	for want, changes := range map[string][]func(c *Classifier){
		"<nil>": {
			func(c *Classifier) { c.Alpha = math.Inf(1) }, func(c *Classifier) { c.MemoryMB = 0 }, func(c *Classifier) { c.Set = Full{} },
			func(c *Classifier) { c.Set = Random{Vectors: 1} }, func(c *Classifier) { c.Set = Random{Share: 1, MaxVectors: 1} },
			func(c *Classifier) {
				c.Set = Systematic{Initial: 1, Parts: 1, Validation: 0.5, Threshold: 1, Patience: 1, MaxVectors: 1}
			},
			func(c *Classifier) { c.Weights = []train.ClassWeight{{Label: 1, Weight: 1e-9}} },
		},
		"no kernel":                                            {func(c *Classifier) { c.Kernel = nil }},
		"no way to find the reduced set":                       {func(c *Classifier) { c.Set = nil }},
		"cost 0 is not a positive number":                      {func(c *Classifier) { c.Cost = 0 }},
		"cost +Inf is not a positive number":                   {func(c *Classifier) { c.Cost = math.Inf(1) }},
		"sharpness 0 of the smooth function is not positive":   {func(c *Classifier) { c.Alpha = 0 }},
		"memory of -1 MiB":                                     {func(c *Classifier) { c.MemoryMB = -1 }},
		"weight 0 of class 3 is not a positive number":         {func(c *Classifier) { c.Weights = []train.ClassWeight{{Label: 3}} }},
		"-1 vectors":                                           {func(c *Classifier) { c.Set = Random{Vectors: -1} }},
		"share 0 of the rows is not between 0 and 1":           {func(c *Classifier) { c.Set = Random{MaxVectors: 9} }},
		"share 1.5 of the rows is not between 0 and 1":         {func(c *Classifier) { c.Set = Random{Share: 1.5, MaxVectors: 9} }},
		"at least -1 vectors":                                  {func(c *Classifier) { c.Set = Random{Share: 0.5, Least: -1, MaxVectors: 9} }},
		"at most 0 vectors, expected 1 at least":               {func(c *Classifier) { c.Set = Random{Share: 0.5} }},
		"0 rows at the beginning, expected 1 at least":         {func(c *Classifier) { s := grown; s.Initial = 0; c.Set = s }},
		"0 parts, expected 1 at least":                         {func(c *Classifier) { s := grown; s.Parts = 0; c.Set = s }},
		"share 0 of held out rows is not between 0 and 1":      {func(c *Classifier) { s := grown; s.Validation = 0; c.Set = s }},
		"share 1 of held out rows is not between 0 and 1":      {func(c *Classifier) { s := grown; s.Validation = 1; c.Set = s }},
		"threshold 1.1 is not between 0 and 1":                 {func(c *Classifier) { s := grown; s.Threshold = 1.1; c.Set = s }},
		"threshold -0.1 is not between 0 and 1":                {func(c *Classifier) { s := grown; s.Threshold = -0.1; c.Set = s }},
		"patience of 0 rounds, expected 1 at least":            {func(c *Classifier) { s := grown; s.Patience = 0; c.Set = s }},
		"at most 4 vectors, fewer than the 5 at the beginning": {func(c *Classifier) { s := grown; s.MaxVectors = 4; c.Set = s }},
	} {
		for k, change := range changes {
			c := Classifier{Options: DefaultOptions()}
			c.Kernel = kernel.Linear{}
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			change(&c)
			if got := fmt.Sprint(c.Validate()); got != want {
				t.Errorf("change %d: %s, want %s", k, got, want)
			}
		}
	}
}
