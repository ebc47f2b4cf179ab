package main

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/slimsvm/slimsvm/cmd/internal/catalog"
	"github.com/slimsvm/slimsvm/cmd/internal/launch"
	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/flags"
	"github.com/slimsvm/slimsvm/predict"
)

// threadsFlag is the number of threads of a command whose work can be split.
func threadsFlag(usage string) cli.Flag {
	return flags.Int{IntFlag: &cli.IntFlag{Name: "threads", Usage: usage, DefaultText: "one per processor"}}
}

// checkThreads checks --threads, and lets as many processors be used.
func checkThreads(c *cli.Context) error {
	if !isSet(c, "threads") {
		return nil
	}
	err := inRange(c, "threads", catalog.FromOne)
	if err == nil {
		launch.AllowProcessors(c.Int("threads"))
	}
	return err
}

// threads returns the number that --threads says or, if that is more, as many as can be
// of use.
func threads(c *cli.Context) int {
	if n := c.Int("threads"); n > 0 {
		return min(n, predict.MostWorkers())
	}
	return runtime.GOMAXPROCS(0)
}
