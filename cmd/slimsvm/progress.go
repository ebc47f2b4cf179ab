package main

import (
	"context"
	"io"

	"github.com/slimsvm/slimsvm/cmd/slimsvm/internal/progress"
	"github.com/slimsvm/slimsvm/format"
)

// create is format.CreateOutput for a path of the user's. Rows that go to a terminal leave no room
// for a bar there.
func (e *env) create(ctx context.Context, path string) (*format.Output, error) {
	if e.isStdout(path) {
		progress.YieldTerminal(e.stderr, e.stdout)
	}
	return format.CreateOutput(ctx, path, e.stdout)
}

// lines is standard output for what is printed while there is work to watch: lines that go to a terminal leave no room
// for a bar there.
func (e *env) lines() io.Writer {
	progress.YieldTerminal(e.stderr, e.stdout)
	return e.stdout
}

// watch shows on a terminal how far work is, from when it has lasted a while
// until end is called; on anything else, and with quiet, it does nothing. done
// returns how much is done of the total, which is 0 if that is not known; it is
// called by another goroutine.
func (e *env) watch(quiet bool, what string, in progress.Unit, total int64, done func() int64) (end func()) {
	return e.watchStages(quiet, func() string { return what }, in, total, done)
}

// watchStages is watch for work whose name changes.
func (e *env) watchStages(quiet bool, what func() string, in progress.Unit, total int64, done func() int64) (end func()) {
	if quiet {
		return func() {}
	}
	return progress.Show(e.stderr, what, in, total, done)
}
