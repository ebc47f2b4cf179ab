package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

func exportCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write a model for other programs",
		ArgsUsage: "MODEL OUT",
		Description: "With --plain OUT is the same classifier in LIBSVM's own model format: a vector that\n" +
			"several machines share stands once for each class but the last. The labels are\n" +
			"the same; so are the values of one-vs-one machines.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "plain", Usage: "in LIBSVM's model format"},
		}, talkFlags()...),
		Action: func(c *cli.Context) error {
			args, err := words(c, 2, 2, "a model file and the file to write")
			if err != nil {
				return err
			}
			if err := notBoth(c, args[1], "OUT"); err != nil {
				return err
			}
			if !c.Bool("plain") {
				return usagef("export needs to know the format: --plain is LIBSVM's")
			}
			return e.export(c, args[0], args[1])
		},
	}
}

// exported is what --json says of a model.
type exported struct {
	Model   string `json:"model"`
	Vectors int    `json:"vectors"`
	Was     int    `json:"was"` // the vectors of the model that was read
}

func (e *env) export(c *cli.Context, model, out string) error {
	p, _, err := e.loadModel(model)
	if err != nil {
		return err
	}
	model = inputName(model)
	m := p.Model()
	plain, err := models.Lower(m)
	if errors.Is(err, models.ErrProbability) {
		err = hinted{err, "train without --probability"}
	}
	if err != nil {
		return format.WithPath(err, model)
	}
	if err := e.writeModel(c, out, plain); err != nil {
		return err
	}
	if c.Bool("json") {
		return printJSON(e.stdout, exported{Model: out, Vectors: plain.Vectors.Len(), Was: m.Vectors.Len()})
	}
	if !c.Bool("quiet") {
		fmt.Fprintf(e.stderr, "%s: %d vectors, were %d\n", out, plain.Vectors.Len(), m.Vectors.Len())
	}
	return nil
}
