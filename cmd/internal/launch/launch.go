// Package launch runs a command's run function as a process: standard streams,
// signals and the exit status. Only this package ends the process.
package launch

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	_ "github.com/slimsvm/slimsvm/cmd/internal/launch/timerslack" // from the first moments on
	"github.com/slimsvm/slimsvm/format/vec/pages"
	"github.com/slimsvm/slimsvm/format/vec/simd"
)

// A Run does a command's work and returns its exit status. When ctx is
// cancelled it stops soon.
type Run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Grace is how long an interrupted command may take to stop by itself. One that waits, for input
// which does not come for instance, cannot, and gets less where the system tells that nothing is
// at work. Unfinished output files are dropped by the cancelled context, without the command's
// help. Change it only before Main.
var Grace = 500 * time.Millisecond

// instructions names the environment variable with the highest vector instructions
// to use: portable, avx2 or avx512. Results do not depend on it.
const instructions = "SLIMSVM_SIMD"

// limitInstructions does what the variable says.
func limitInstructions() error {
	name := os.Getenv(instructions)
	if name == "" {
		return nil
	}
	l, err := simd.Parse(name)
	if err == nil && l > simd.Best() {
		err = fmt.Errorf("this processor or build has no more than %v", simd.Best())
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", instructions, name, err)
	}
	simd.Use(l)
	return nil
}

// misused is the exit status of a wrong environment.
const misused = 2

// Clock returns a function that tells the time since now.
func Clock() func() time.Duration {
	begun := time.Now()
	return func() time.Duration { return time.Since(begun) }
}

// Main runs run with the process's arguments and streams and exits with its status. A signal that
// ends commands cancels the context, with the signal's name as its cause, unless it comes before
// someone has asked for the context's Done, in the first moments of the process, which then ends at
// once by the signal. One that comes just after that waits for some hundredths of a second. A
// command that a signal kept from its work ends by that signal, as if it had not been handled, once
// unfinished files are dropped. SIGINT, SIGQUIT and SIGHUP that were ignored when the process
// began, as a shell's background jobs and nohup want it, stay ignored. Others, SIGTERM and SIGUSR1
// among them, are handled also where a shell ignores them: Go's runtime replaces what was inherited
// before a program can look. Writing to a closed pipe is an error of the write, not a signal, so
// that files are dropped; see [StatusClosed] for the end.
func Main(run Run) {
	ignoreQuit()
	defaultDropped() // at once: until then the runtime drops such signals, or shows its stacks
	growStack()
	pages.SetClock(Clock())    // before anything large is allocated
	runtime.MemProfileRate = 0 // nobody asks for a profile
	if os.Getenv("GOGC") == "" {
		tuneGC()
	}
	if err := limitInstructions(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(misused)
	}
	limitProcessors()
	keepPipes()
	var ctx signalContext
	ctx.startTimer()
	status := run(&ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if s := ctx.signal(); s != nil && status != 0 { // 0: the work is done all the same
		endBy(s)
	}
	if status == StatusClosed {
		endClosed()
	}
	os.Exit(status)
}

// growStack gives the goroutine a stack on which a command mostly has room. By itself the runtime
// would double it some times on the way, and copy it each time, which takes three percent of a
// process that does little.
//
//go:noinline
func growStack() byte {
	var room [stackRoom]byte
	return room[len(os.Args)%stackRoom]
}

// stackRoom is enough for small jobs. Memory of stacks is touched, so more is not better.
const stackRoom = 12 << 10
