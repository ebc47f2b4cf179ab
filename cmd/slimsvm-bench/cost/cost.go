// Package cost measures what a command takes: CPU, wall time and memory.
//
// A process inherits the peak memory of the one that starts it, so a program that
// measures starts itself once more, with Word as its first argument, and that small
// process runs the command.
package cost

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// A Cost is what one process used.
type Cost struct {
	CPU, Wall time.Duration // user and system; from start to end
	Memory    int64         // largest resident set in bytes, 0 where the system does not say
}

// Argument is the first argument of a program that only measures a command: main, or
// TestMain, passes those behind it to Here.
const Argument = "measure-one-command"

// redirection before the last argument sends standard output to the file that it
// names.
const redirection = ">"

// giveUp is how long the process that measures has to end the command when the context ends.
const giveUp = 250 * time.Millisecond

// Measure runs a command in a folder and an environment. What it prints goes to the file
// stdout, relative to dir, or nowhere if that is "". The program that calls it must
// know Word. The command ends with the context, and with the program.
func Measure(ctx context.Context, dir string, env []string, stdout string, args ...string) (c Cost, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	line := append([]string{Argument}, args...)
	if stdout != "" {
		line = append(line, redirection, stdout)
	}
	cmd := exec.CommandContext(ctx, self, line...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	held, err := cmd.StdinPipe() // that it ends tells Here to end the command
	if err != nil {
		return c, err
	}
	cmd.Cancel, cmd.WaitDelay = held.Close, giveUp
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	if err == nil {
		err = json.Unmarshal(out, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%v: %w", args, err)
	}
	return c, nil
}

// RunChild runs the command that Measure passes, prints its cost and returns the exit status. A
// signal that ends it ends the command too, and so does the end of its standard input.
func RunChild(args []string) int {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	if n := len(args) - 2; n > 0 && args[n] == redirection {
		f, err := os.Create(args[n+1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer f.Close()
		cmd = exec.CommandContext(ctx, args[0], args[1:n]...)
		cmd.Stdout = f
	}
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	wall := time.Since(start)
	p := cmd.ProcessState
	if err := json.NewEncoder(os.Stdout).Encode(Cost{p.UserTime() + p.SystemTime(), wall, MaxResident(p)}); err != nil {
		return 1
	}
	return 0
}

// Median returns the middle of x, or the mean of the two in the middle.
func Median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
