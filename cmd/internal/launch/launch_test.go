//go:build unix

package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asCommand makes the test binary launch one of the commands below.
const asCommand = "SLIMSVM_LAUNCH_TEST"

// asPatient gives it as long to stop by itself.
const asPatient = "SLIMSVM_LAUNCH_TEST_PATIENT"

// commands are what the tests launch. All but exit say first that they run.
var commands = map[string]Run{
	// exit ends with the status 3, or with 0 when it has arguments.
	"exit": func(_ context.Context, args []string, _ io.Reader, _, _ io.Writer) int {
		if len(args) > 0 {
			return 0
		}
		return 3
	},
	// wait waits for a signal and says which.
	"wait": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		done := ctx.Done() // asked for first: from now on signals are handled
		fmt.Fprintln(stdout, "ready")
		<-done
		fmt.Fprintln(stdout, context.Cause(ctx))
		return 1
	},
	// late waits for one that comes when signals have been handled for long.
	"late": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		time.Sleep(4 * handleAfter)
		done := ctx.Done()
		fmt.Fprintln(stdout, "ready")
		<-done
		fmt.Fprintln(stdout, context.Cause(ctx))
		return 1
	},
	// prepared waits for one that comes after PrepareLongWork.
	"prepared": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		PrepareLongWork(ctx)
		fmt.Fprintln(stdout, "ready")
		<-ctx.Done()
		fmt.Fprintln(stdout, context.Cause(ctx))
		return 1
	},
	// lighter waits after PrepareLongWork until less of the program is in memory, and later after
	// PrepareLongWorkLater.
	"lighter": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		return lighter(ctx, PrepareLongWork, stdout)
	},
	"later": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		return lighter(ctx, PrepareLongWorkLater, stdout)
	},
	// latest is later when signals are handled by then.
	"latest": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		time.Sleep(4 * handleAfter)
		return lighter(ctx, PrepareLongWorkLater, stdout)
	},
	// finish completes its work in spite of a signal.
	"finish": func(ctx context.Context, _ []string, _ io.Reader, stdout, _ io.Writer) int {
		done := ctx.Done() // asked for first: from now on signals are handled
		fmt.Fprintln(stdout, "ready")
		<-done
		return 0
	},
	// hang heeds no signal.
	"hang": func(ctx context.Context, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		ctx.Done()
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		return 0
	},
	// early does not ask for Done, so that a signal may come before it is handled.
	"early": func(_ context.Context, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		return 0
	},
	// told heeds no signal either, and says so at last.
	"told": func(ctx context.Context, _ []string, stdin io.Reader, stdout, _ io.Writer) int {
		BeforeForcedExit(ctx, func() { fmt.Fprintln(stdout, "at last") })
		ctx.Done()
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		return 0
	},
	// write writes to a closed pipe, once it is told to.
	"write": func(_ context.Context, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
		fmt.Fprintln(stdout, "ready")
		io.Copy(io.Discard, stdin)
		_, err := fmt.Fprintln(stdout, "more")
		fmt.Fprintln(stderr, errors.Is(err, syscall.EPIPE), IsClosed(err, stdout), Reason(err), IsClosed(Reason(err), stdout))
		return StatusClosed
	},
}

func TestMain(m *testing.M) {
	if run, ok := commands[os.Getenv(asCommand)]; ok {
		if text := os.Getenv(asPatient); text != "" {
			var err error
			if Grace, err = time.ParseDuration(text); err != nil {
				panic(err)
			}
		}
		Main(run)
	}
	os.Exit(m.Run())
}

// A process is a launched command.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	pipe   io.Closer
	stdout *bufio.Scanner
	stderr strings.Builder
}

// start starts a command by a shell that has run a line before, and waits until
// the command says that it runs. It leaves no image of its memory behind.
func start(t *testing.T, command, line string) *process {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to start a process with ignored signals")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(sh, "-c", "ulimit -c 0; "+line+` exec "$0"`, self)}
	p.cmd.Env = append(os.Environ(), asCommand+"="+command)
	p.cmd.Stderr = &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.pipe = out
	p.stdout = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { p.cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop() })
	if !p.stdout.Scan() || p.stdout.Text() != "ready" {
		t.Fatalf("%s says %q", command, p.stdout.Text())
	}
	return p
}

// end returns how a process ended and the last line that it printed.
func (p *process) end() (status syscall.WaitStatus, last string) {
	for p.stdout.Scan() {
		last = p.stdout.Text()
	}
	p.cmd.Wait()
	return p.cmd.ProcessState.Sys().(syscall.WaitStatus), last
}

// by reports whether a process ended by a signal, or as near to it as is possible here.
func by(status syscall.WaitStatus, s syscall.Signal) bool {
	if status.Signaled() {
		return status.Signal() == s
	}
	return !canDefer && status.ExitStatus() == signalled+int(s)
}

// show says how a process ended.
func show(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprint("signal ", status.Signal())
	}
	return fmt.Sprint("status ", status.ExitStatus())
}

// TestSignals: signals cancel the context unless they were ignored from the start, and are what the
// process ends by. Of several that are pending the one with the smallest number comes first, so
// what comes second tells that the first was ignored.
func TestSignals(t *testing.T) {
	type signals = []syscall.Signal
	type example struct {
		before  string // what the shell does
		signals signals
		cause   syscall.Signal
	}
	examples := []example{
		{"trap '' HUP;", signals{syscall.SIGHUP, syscall.SIGINT}, syscall.SIGINT},
		{"trap '' INT;", signals{syscall.SIGINT, syscall.SIGTERM}, syscall.SIGTERM},
		{"trap '' INT QUIT;", signals{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM}, syscall.SIGTERM},
		{"trap '' HUP INT;", signals{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM}, syscall.SIGTERM},
		{"trap '' TERM;", signals{syscall.SIGTERM}, syscall.SIGTERM}, // not heard of by Go
	}
	for _, s := range slices.Concat(dropped, ending) {
		examples = append(examples, example{"", signals{s.(syscall.Signal)}, s.(syscall.Signal)})
	}
	if canDefer { // from the first, while others of its kind are not heard of until signals are handled
		examples = append(examples, example{"", signals{34}, 34})
	}
	for _, c := range examples {
		for _, command := range []string{"wait", "late", "prepared"} {
			t.Run(fmt.Sprint(command, c.before, c.signals), func(t *testing.T) {
				heeded(t, c.cause)
				t.Parallel()
				end(t, command, c.before, c.cause, c.signals...)
			})
		}
	}
}

// TestRealtime: signals that mean nothing to commands end them too.
func TestRealtime(t *testing.T) {
	if !canDefer {
		t.Skip("only where signals can be held")
	}
	for _, s := range []syscall.Signal{34, 35, 64} {
		t.Run(fmt.Sprint(int(s)), func(t *testing.T) {
			t.Parallel()
			p := start(t, "late", "")
			stop := make(chan struct{})
			go func() {
				for again := time.NewTicker(50 * time.Millisecond); ; { // until it is handled, which is soon
					p.cmd.Process.Signal(s)
					select {
					case <-again.C:
					case <-stop:
						again.Stop()
						return
					}
				}
			}()
			status, _ := p.end()
			close(stop)
			if !by(status, s) {
				t.Errorf("%s, want %v", show(status), s)
			}
		})
	}
}

// end starts a command, sends it signals and says whether it ends by the cause, which it tells last.
func end(t *testing.T, command, before string, cause syscall.Signal, signals ...syscall.Signal) {
	t.Helper()
	p := start(t, command, before)
	for _, s := range signals {
		if err := p.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	status, said := p.end()
	if !by(status, cause) || !strings.Contains(said, cause.String()) || p.stderr.Len() > 0 {
		t.Errorf("%s, cause %q, stderr %q; want %q", show(status), said, &p.stderr, cause)
	}
}

// TestEarly: before signals are handled they end a process as they do by default.
func TestEarly(t *testing.T) {
	signals := slices.Concat(dropped, ending)
	if !canDefer {
		signals = ending
	}
	for _, s := range signals {
		t.Run(s.String(), func(t *testing.T) {
			heeded(t, s.(syscall.Signal))
			t.Parallel()
			p := start(t, "early", "")
			if err := p.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if status, _ := p.end(); !by(status, s.(syscall.Signal)) || p.stderr.Len() > 0 {
				t.Errorf("%s, stderr %q", show(status), &p.stderr)
			}
		})
	}
}

// heeded skips a test of a signal that these tests were started to ignore, by nohup or in the background
// for one: their children ignore it too.
func heeded(t *testing.T, s syscall.Signal) {
	t.Helper()
	if s == syscall.SIGQUIT {
		s = syscall.SIGINT
	}
	if s != syscall.SIGTERM && signal.Ignored(s) {
		t.Skipf("%v is ignored here: start the tests without nohup", s)
	}
}

// programPages returns how many pages of files, which are the program's, this process has in
// memory, 0 where the system does not tell.
func programPages() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var all, resident, shared int
	fmt.Sscan(string(text), &all, &resident, &shared)
	return shared
}

// lighter waits after prepare until less of the program is in memory.
func lighter(ctx context.Context, prepare func(context.Context), stdout io.Writer) int {
	before := programPages()
	prepare(ctx)
	for programPages() >= before {
		time.Sleep(time.Millisecond / 2)
	}
	fmt.Fprintln(stdout, "ready")
	return 5
}

// TestLighter: a command that goes on after PrepareLongWork, or for some time after PrepareLongWorkLater, takes less memory
// for the program sooner or later, on one processor and on several.
func TestLighter(t *testing.T) {
	if programPages() == 0 {
		t.Skip("the system does not tell what is in memory")
	}
	if a := runtime.GOARCH; a != "amd64" && a != "arm64" {
		t.Skip("a program's pages are not given back on " + a)
	}
	commands := []string{"lighter"}
	if canDefer {
		commands = append(commands, "later", "latest")
	}
	for _, command := range commands {
		for _, processors := range []string{"1", "2"} {
			p := start(t, command, "export GOMAXPROCS="+processors+";")
			if status, _ := p.end(); status.ExitStatus() != 5 {
				t.Errorf("%s, %s processors: %s", command, processors, show(status))
			}
		}
	}
}

// TestStatus: the status is the command's own, unless a signal kept it from its
// work.
func TestStatus(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want int
	}{{nil, 3}, {[]string{"word"}, 0}} {
		cmd := exec.Command(self, c.args...)
		cmd.Env = append(os.Environ(), asCommand+"=exit")
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.want {
			t.Errorf("status %d, want %d", got, c.want)
		}
	}
	for _, command := range []string{"finish", "hang", "told"} {
		t.Run(command, func(t *testing.T) {
			heeded(t, syscall.SIGINT)
			t.Parallel()
			p := start(t, command, "")
			if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			got, said := p.end()
			if command == "finish" && got != 0 || command != "finish" && !by(got, syscall.SIGINT) {
				t.Error(show(got))
			}
			if (said == "at last") != (command == "told") {
				t.Errorf("it says %q at last", said)
			}
		})
	}
}

// TestClosedPipe: a closed output is an error of writing, also of standard output, after which a command ends as that
// ends other commands.
func TestClosedPipe(t *testing.T) {
	p := start(t, "write", "")
	p.pipe.Close()
	p.stdin.Close()
	p.cmd.Wait()
	state := p.cmd.ProcessState
	if bySignal := state.Sys().(syscall.WaitStatus).Signal() == syscall.SIGPIPE; !bySignal && state.ExitCode() != StatusClosed || !bySignal && runtime.GOOS == "linux" && canDefer {
		t.Errorf("%v", state)
	}
	if got, want := p.stderr.String(), "true true broken pipe true\n"; got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
}

// TestIsClosed: errors of other files and other errors are none of a reader that went away.
func TestIsClosed(t *testing.T) {
	closed := func(path string) error { return &fs.PathError{Op: "write", Path: path, Err: syscall.EPIPE} }
	for _, c := range []struct {
		err  error
		want bool
	}{
		{closed("/dev/stdout"), true}, {closed(standardOutput), true}, {fmt.Errorf("can't write: %w", Reason(closed("/dev/stdout"))), true},
		{closed("fifo"), false}, {syscall.EPIPE, false}, {nil, false},
		{&fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}, false},
	} {
		if got := IsClosed(c.err, os.Stdout); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
	if IsClosed(closed("/dev/stdout"), io.Discard) {
		t.Error("no file is closed")
	}
}
