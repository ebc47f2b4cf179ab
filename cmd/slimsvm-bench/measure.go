package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// A cost is what one process used.
type cost struct {
	CPU, Wall time.Duration
	Memory    int64 // largest resident set in bytes, 0 where the system does not say
}

// measureWord tells this program to run a command, print its cost and do nothing
// else: a process inherits the peak memory of the one that starts it.
const measureWord = "measure-one-command"

// measureOne runs a command in a process of its own.
func measureOne(dir string, env, args []string) (c cost, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	cmd := exec.Command(self, append([]string{measureWord}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, env, os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%v: %w", args, err)
	}
	return c, nil
}

// measureHere is the other side of measureOne. It returns the exit status. What
// the command prints goes to the file that its last argument names behind >.
func measureHere(args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	if n := len(args) - 2; n > 0 && args[n] == ">" {
		f, err := os.Create(args[n+1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer f.Close()
		cmd = exec.Command(args[0], args[1:n]...)
		cmd.Stdout = f
	}
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p := cmd.ProcessState
	if err := json.NewEncoder(os.Stdout).Encode(cost{
		CPU: p.UserTime() + p.SystemTime(), Wall: time.Since(start), Memory: maxResident(p),
	}); err != nil {
		return 1
	}
	return 0
}
