package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
)

// centreFlags are those of clouds round given centres.
func centreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "centres", Usage: "data `FILE` with the centres of the clouds as labelled rows (ndc)"},
		flags.Float{Float64Flag: &cli.Float64Flag{Name: "expansion", Value: 0.4, Usage: "expansion factor of the clouds around --centres (ndc)"}},
	}
}

// clouds returns the set of a name, or clouds round the given centres.
func (e *env) clouds(c *cli.Context, set generate.Set) (generate.Set, error) {
	path := c.String("centres")
	if path == "" {
		if isSet(c, "expansion") {
			return set, usagef("--expansion goes with --centres")
		}
		return set, nil
	}
	if set.Name != "ndc" {
		return set, usagef("--centres goes with set ndc, not %s", set.Name)
	}
	if err := inRange(c, "expansion", catalog.Least); err != nil {
		return set, err
	}
	in, err := e.open(c, path)
	if err != nil {
		return set, err
	}
	defer in.close()
	if in.declared() {
		return set, in.at(hinted{errors.New("centres are numbered features with a number as label, not declared columns"), "slimsvm encode makes numbered features of columns"})
	}
	rows, err := format.ReadAll(c.Context, in)
	if err != nil {
		return set, in.at(err)
	}
	set, err = generate.Clouds(set.Name, rows, c.Float64("expansion"))
	return set, in.at(err)
}
