package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// A terminal is what a command sees of a pseudo terminal, and the text that came to its other end.
type terminal struct {
	tty   *os.File
	ended chan struct{} // closed when all that was written has come

	mu   sync.Mutex
	text bytes.Buffer
}

// newTerminal returns a terminal of 24 lines of 100 columns, or skips the test where there are none.
func newTerminal(t *testing.T) *terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { user.Close() })
	fd := int(user.Fd())
	number, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100})
	}
	if err != nil {
		t.Skipf("no pseudo terminals here: /dev/ptmx: %v", err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	w := &terminal{tty: tty, ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		io.Copy(w, user) // to the error that tells that nobody has the terminal
	}()
	t.Cleanup(func() { w.all() })
	return w
}

// Write gets what came to the other end.
func (w *terminal) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// shown returns what came to the other end.
func (w *terminal) shown() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.ReplaceAll(w.text.String(), "\r\n", "\n")
}

// all returns what came to the other end when nobody has the terminal any more.
func (w *terminal) all() string {
	w.tty.Close()
	<-w.ended
	return w.shown()
}

// await waits until the terminal has shown a text, but no longer than the command lasts that
// was to write it, and not for ever.
func (w *terminal) await(t *testing.T, text string, command <-chan struct{}) {
	t.Helper()
	for ended, long := false, time.After(time.Minute); ; {
		select {
		case <-command:
			ended = true
		case <-long:
			ended = true
		case <-time.After(10 * time.Millisecond):
		}
		shown := w.shown()
		if strings.Contains(shown, text) {
			return
		}
		if ended {
			t.Errorf("... %q has no %q", shown[max(0, len(shown)-300):], text)
			return
		}
	}
}

// halting is data of which a part comes at once, and the rest when goOn is closed.
type halting struct {
	first, rest io.Reader
	goOn        chan struct{}
}

func newHalting(first, rest string) *halting {
	return &halting{strings.NewReader(first), strings.NewReader(rest), make(chan struct{})}
}

func (h *halting) Read(p []byte) (int, error) {
	if n, err := h.first.Read(p); err == nil {
		return n, nil
	}
	<-h.goOn
	return h.rest.Read(p)
}

// slowly writes rows to a new pipe, which does not end before the test.
func slowly(t *testing.T, path string, rows []byte) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // has a reader at once
	if err != nil {
		t.Fatal(err)
	}
	go pipe.Write(rows)
	t.Cleanup(func() { pipe.Close() })
}

// hardRows writes rows whose labels, of so many classes, have nothing to do with their features.
func hardRows(t *testing.T, path string, classes int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&b, "%d", i%classes)
		for k := range 20 {
			fmt.Fprintf(&b, " %d:%.3f", k+1, r.NormFloat64())
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// buildCommand builds the command, whose runs at the same time have to be processes, and returns what makes one.
func buildCommand(t *testing.T) func(args []string) *exec.Cmd {
	t.Helper()
	bin := t.TempDir()
	if err := testenv.Build(bin, "./cmd/slimsvm"); err != nil {
		t.Fatal(err)
	}
	return func(args []string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, "slimsvm"), args...)
		c.Env = append(os.Environ(), "TERM=xterm")
		return c
	}
}

// begin starts a command; ended is closed when it has ended.
func begin(t *testing.T, c *exec.Cmd) (ended chan struct{}) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		c.Wait()
	}()
	return ended
}

// TestBars: of work that lasts a bar on the terminal says how far it is; with --quiet there is none when the same work
// without it has one.
func TestBars(t *testing.T) {
	command := buildCommand(t)
	t.Chdir(t.TempDir())
	hardRows(t, "two", 2)
	hardRows(t, "three", 3)
	for _, line := range []string{"train --quiet --gamma 0.05 two model", "train --quiet --kernel sigmoid --gamma 0.05 two sigmoid"} {
		var stderr bytes.Buffer
		if status := run(t.Context(), strings.Fields(line), nil, io.Discard, &stderr); status != 0 {
			t.Fatal(&stderr)
		}
	}
	rows, err := os.ReadFile("two")
	if err != nil {
		t.Fatal(err)
	}
	const hard = "--cost 1e9 --gamma 0.001 --tolerance 1e-9"
	for _, c := range []struct{ line, bar string }{
		{"convert --from libsvm --to csv - out", "reading standard input "},
		{"predict --out out pipe model", "pipe "},
		{"train " + hard + " two out", " iterations "},
		{"train " + hard + " three out", "0 / 3 machines "},
		{"train --method ssrsvm --initial 1000 --max-vectors 2000 --patience 1000 three out", "growing "},
		{"train --method cs three out", " iterations "},
		{"cv " + hard + " two", "training ["},
		{"grid --log2c 30,40,2 --gamma 0.001 two", "training ["},
		{"reduce --vectors 500 model two out", " / 500 vectors "},
		{"reduce --method joint --vectors 200 sigmoid two out", "optimising "},
	} {
		args := strings.Fields(c.line)
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			start := func(args []string) (w *terminal, ended chan struct{}, end func()) {
				if at := slices.Index(args, "pipe"); at >= 0 {
					args[at] = filepath.Join(t.TempDir(), "pipe")
					slowly(t, args[at], rows)
				}
				w = newTerminal(t)
				stdin, rest, err := os.Pipe() // of which there is more until the command has ended
				if err != nil {
					t.Fatal(err)
				}
				go rest.Write(rows)
				c := command(args)
				c.Stdin, c.Stderr = stdin, w.tty
				ended = begin(t, c)
				stdin.Close()
				return w, ended, func() {
					c.Process.Signal(os.Interrupt)
					<-ended
					rest.Close()
				}
			}
			quiet, _, endQuiet := start(slices.Insert(slices.Clone(args), 1, "--quiet"))
			loud, ended, endLoud := start(args)
			loud.await(t, c.bar, ended)
			time.Sleep(200 * time.Millisecond) // quiet began before
			endQuiet()
			endLoud()
			if got := quiet.all(); got != "slimsvm: interrupted\n" {
				t.Errorf("with --quiet: %q", got)
			}
		})
	}
}

// left returns what is to be seen in the end of a text with bars, each of which is erased, by going a line up, before
// what comes next.
func left(text string) string {
	parts := strings.Split(text, "\r\x1b[1A\x1b[J")
	seen := parts[0]
	for _, part := range parts[1:] {
		line := strings.LastIndexByte(strings.TrimSuffix(seen, "\n"), '\n') + 1
		seen = seen[:line] + part
	}
	return seen
}

// TestRowsOnTerminal: what goes to standard output, if that is the terminal too, is not erased by the bar, nor stands a
// bar in it.
func TestRowsOnTerminal(t *testing.T) {
	command := buildCommand(t)
	t.Chdir(t.TempDir())
	hardRows(t, "two", 2)
	var stderr bytes.Buffer
	if status := run(t.Context(), strings.Fields("train --quiet --kernel linear two model"), nil, io.Discard, &stderr); status != 0 {
		t.Fatal(&stderr)
	}
	rows, err := os.ReadFile("two")
	if err != nil {
		t.Fatal(err)
	}
	table := strings.ReplaceAll(string(rows), " ", ",")
	names := "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u\n"
	for _, c := range []struct{ line, first, rest string }{
		{"predict --from libsvm - model", string(rows), "1 1:2\n"},
		{"inspect --json --rows --from csv -", names + table, table},
		{"check --from libsvm -", string(rows), "1 1:2:3\n1 1:x\n1 2:1 1:2\n"},
		{"check --max 2 --from libsvm -", string(rows), "1 1:2:3\n1 1:x\n1 2:1 1:2\n"},
		{"check --json --from libsvm -", string(rows), "1 1:2:3\n1 1:x\n1 2:1 1:2\n"},
	} {
		args := strings.Fields(c.line)
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			var want bytes.Buffer
			whole := command(args)
			whole.Stdin, whole.Stdout, whole.Stderr = strings.NewReader(c.first+c.rest), &want, &want
			whole.Run() // which fails where there are faults
			own, other := newTerminal(t), newTerminal(t)
			in, otherIn := newHalting(c.first, c.rest), newHalting(c.first, c.rest)
			ownCommand, otherCommand := command(args), command(args)
			ownCommand.Stdin, ownCommand.Stdout, ownCommand.Stderr = in, own.tty, own.tty
			otherCommand.Stdin, otherCommand.Stderr = otherIn, other.tty
			ended, otherEnded := begin(t, ownCommand), begin(t, otherCommand)
			other.await(t, "reading standard input ", otherEnded) // then there would be a bar on own too
			time.Sleep(200 * time.Millisecond)
			close(in.goOn)
			close(otherIn.goOn)
			<-ended
			<-otherEnded
			if got := left(own.all()); got != want.String() {
				t.Errorf("%d bytes, want %d: ... %q, want ... %q", len(got), want.Len(), got[max(0, len(got)-500):], want.String()[max(0, want.Len()-500):])
			}
		})
	}
}
