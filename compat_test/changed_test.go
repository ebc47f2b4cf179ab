//go:build unix

package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestChanged: data that change while a command has them open are not taken for what they were or
// have become. The model and the ranges come through a pipe, so that the change comes after the
// data are opened.
func TestChanged(t *testing.T) {
	bin := commands(t)
	const (
		rows  = "1 1:1\n-1 1:2\n"
		model = "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n"
	)
	for _, c := range []struct{ name, line, pipe, want string }{
		{"predict", "svm-predict data pipe out", model, "can't read input file data: the file changed while it was read\n"},
		{"scale", "svm-scale -r pipe data", "x\n-1 1\n1 1 2\n", "data: the file changed while it was read\n"},
	} {
		for name, next := range map[string]string{"shorter": "1 1:1\n", "longer": rows + rows, "other": strings.ToUpper(rows), "empty": "", "faulty": "1 1:\n"} {
			t.Run(c.name+", "+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				data, pipe := filepath.Join(dir, "data"), filepath.Join(dir, "pipe")
				if err := os.WriteFile(data, []byte(rows), 0o666); err != nil {
					t.Fatal(err)
				}
				if err := syscall.Mkfifo(pipe, 0o666); err != nil {
					t.Skipf("no named pipes here: %v", err)
				}
				words := strings.Fields(c.line)
				cmd := exec.Command(filepath.Join(bin, words[0]), words[1:]...)
				cmd.Dir = dir
				var stdout, stderr strings.Builder
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				w, ended := startReader(t, cmd, pipe)
				if err := os.WriteFile(data, []byte(next), 0o666); err != nil {
					t.Fatal(err)
				}
				later := time.Now().Add(time.Hour) // a clock may be coarse
				if err := os.Chtimes(data, later, later); err != nil {
					t.Fatal(err)
				}
				w.WriteString(c.pipe)
				w.Close()
				<-ended
				if got := cmd.ProcessState.ExitCode(); got != 1 || stderr.String() != c.want || stdout.Len() > 0 {
					t.Errorf("status %d, stdout %q, stderr %q, want %q", got, &stdout, &stderr, c.want)
				}
				if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
					t.Error("there is an output")
				}
			})
		}
	}
}
