package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/format/generate"
	"github.com/slimsvm/slimsvm/libsvmfmt"
)

func generateCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "generate",
		Usage:     "print a reproducible data set in LIBSVM's format",
		ArgsUsage: "NAME",
		Description: "Prints rows of a known distribution, the same for the same seed:\n\n" +
			"  slimsvm generate moons --rows 500 --seed 1 > train.libsvm\n" +
			"  slimsvm generate moons --rows 500 --seed 2 > test.libsvm\n\n" +
			"The seed chooses the sample, not the distribution. NAME is one of:\n" +
			"" + strings.Join(setNames(), ", ") + ".",
		Flags: append([]cli.Flag{
			flags.Int{IntFlag: &cli.IntFlag{Name: "rows", Usage: "number of rows", DefaultText: "as in the set's source"}},
			flags.NewSeed(math.MaxUint64, "seed of the random sample"),
			noiseFlag(),
			&cli.BoolFlag{Name: "describe", Usage: "describe the set instead of printing it"},
		}, centreFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 1, 1, "the name of a set")
			if err != nil {
				return err
			}
			set, ok := generate.Lookup(args[0])
			if !ok {
				return unknown("set", args[0], setNames())
			}
			if err := inRange(c, "rows", catalog.FromZero); err != nil {
				return err
			}
			if err := checkNoise(c); err != nil {
				return err
			}
			if set, err = e.clouds(c, set); err != nil {
				return err
			}
			if c.Bool("describe") {
				(&warner{env: e}).warnGiven(c, "with --describe", "rows", "seed", "noise")
				_, err := fmt.Fprintln(e.stdout, set.Doc)
				return err
			}
			rows := set.Rows
			if isSet(c, "rows") {
				rows = c.Int("rows")
			}
			if share := c.Float64("noise"); share > 0 {
				if set.Classes == 0 {
					return usagef("--noise is for labels of classes; set %s has numbers", set.Name)
				}
				d := mislabelled(set.Generate(rows, c.Uint64("seed")), -1, share, c.Uint64("seed"))
				w := libsvmfmt.NewWriter(e.stdout)
				if err := w.WriteHeader(d.Header); err != nil {
					return err
				}
				for i, y := range d.Y {
					if err := w.Write(format.Instance{X: d.X.Row(i), Y: y, Weight: 1}); err != nil {
						return err
					}
				}
				return w.Flush()
			}
			_, err = format.Copy(libsvmfmt.NewWriter(e.stdout), set.Reader(rows, c.Uint64("seed")))
			return err
		},
	}
}

func setNames() []string {
	var names []string
	for _, s := range generate.All() {
		names = append(names, s.Name)
	}
	return names
}
