package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/format"
)

func checkCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "list every fault of data files, with file, line and column",
		ArgsUsage: "FILE...",
		Flags: append(dataFlags(),
			&cli.IntFlag{Name: "max", Value: 100, Usage: "end a file after so many faults; 0: no limit"},
		),
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usagef("check takes one data file or more")
			}
			faults, files := 0, 0
			for _, path := range c.Args().Slice() {
				n, err := e.check(c, path)
				if err != nil {
					return err
				}
				faults += n
				if n > 0 {
					files++
				}
			}
			if faults > 0 {
				return fmt.Errorf("%d faults in %d of %d files", faults, files, c.NArg())
			}
			return nil
		},
	}
}

// skipper is a reader that can go on behind a fault.
type skipper interface{ Skip() bool }

// check prints the faults of a file and returns their number. An error that is
// no fault of the text, a file that cannot be opened for one, counts as one.
func (e *env) check(c *cli.Context, path string) (faults int, err error) {
	in, err := e.openRaw(c, path)
	if err != nil {
		fmt.Fprintln(e.stdout, err)
		return 1, nil
	}
	defer in.close()
	header, rows := false, 0
	for {
		var err error
		if !header {
			if _, err = in.Header(); err == nil {
				header = true
				continue
			}
		} else if _, err = in.Read(); err == nil {
			if rows++; rows&1023 == 0 && c.Context.Err() != nil {
				return faults, c.Context.Err()
			}
			continue
		}
		if err == io.EOF {
			return faults, nil
		}
		faults++
		if _, err := fmt.Fprintln(e.stdout, in.at(err)); err != nil {
			return faults, err
		}
		var fault *format.Error
		s, ok := in.Reader.(skipper)
		if !errors.As(err, &fault) || !ok || !s.Skip() {
			return faults, nil
		}
		if faults == c.Int("max") {
			fmt.Fprintf(e.stdout, "%s: more faults are not listed, see --max\n", in.path)
			return faults, nil
		}
	}
}
