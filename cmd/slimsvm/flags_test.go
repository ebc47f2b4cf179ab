package main

import (
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
)

// TestFlagKinds: no option has a kind that reads 010 as eight or 1_0 as ten, or that splits texts at
// commas or takes their blanks away.
func TestFlagKinds(t *testing.T) {
	app := newApp(&env{})
	if !app.DisableSliceFlagSeparator {
		t.Error("texts are split at commas")
	}
	kinds := 0
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			switch f := f.(type) {
			case *cli.BoolFlag, *cli.StringFlag, flags.Float, flags.Int, flags.Seed, flags.Gamma, flags.List:
				kinds++
			case *cli.StringSliceFlag:
				if kinds++; !f.KeepSpace {
					t.Errorf("%s --%s: blanks are taken away", c.Name, f.Name)
				}
			default:
				t.Errorf("%s --%s is %T", c.Name, f.Names()[0], f)
			}
		}
	}
	if kinds < 100 {
		t.Errorf("%d options", kinds)
	}
}
