package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// cancelledCommands are commands that train, search, predict or reduce on data with a model, and write OUT.
func cancelledCommands(data, model string) (all [][]string) {
	for _, method := range []string{"csvc", "nusvc", "oneclass", "rsvm", "ssrsvm", "ssvm", "mkc", "lp1", "cs", "joint", "psvm", "esvm", "epsilon-svr", "rsvr", "joint-svr"} {
		args := []string{"train", "--quiet", "--method", method}
		switch method {
		case "joint", "joint-svr", "rsvm", "rsvr":
			args = append(args, "--vectors", "5")
		case "csvc":
			args = append(args, "--probability")
		}
		all = append(all, append(args, data, "OUT"))
	}
	grid := []string{"grid", "--quiet", "--folds", "3", "--log2c=-1,3,2", "--log2g=-3,1,2"}
	return append(all,
		[]string{"cv", "--folds", "3", "--out", "OUT", data},
		[]string{"cv", "--folds", "3", "--method", "psvm", "--probability", "--out", "OUT", data},
		append(grid, data, "OUT"),
		append(grid, "--method", "rsvm", data, "OUT"),
		[]string{"predict", "--probability", "--out", "OUT", data, model},
		[]string{"reduce", "--quiet", "--vectors", "4", model, data, "OUT"},
		[]string{"reduce", "--quiet", "--vectors", "3", "--method", "joint", model, data, "OUT"},
		[]string{"reduce", "--quiet", "--vectors", "3", "--method", "burges", "--starts", "5", model, data, "OUT"},
	)
}

// TestCancelledAnytime: a command that is cancelled at any moment says that it was interrupted and leaves no file, or
// has done its work; no goroutine of it goes on, and a later run in the same process gives the same bytes as one before.
func TestCancelledAnytime(t *testing.T) {
	dir := t.TempDir()
	data, model, out := filepath.Join(dir, "data"), filepath.Join(dir, "model"), filepath.Join(dir, "out")
	var text, stderr bytes.Buffer
	if status := run(t.Context(), []string{"generate", "gauss5", "--rows", "90"}, nil, &text, &stderr); status != 0 {
		t.Fatal(&stderr)
	}
	if err := os.WriteFile(data, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if status := run(t.Context(), []string{"train", "--quiet", "--probability", data, model}, nil, io.Discard, &stderr); status != 0 {
		t.Fatal(&stderr)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	times := 6
	if testing.Short() {
		times = 2
	}
	for _, args := range cancelledCommands(data, model) {
		name := strings.Join(args[:len(args)-2], " ")
		for i, a := range args {
			if a == "OUT" {
				args[i] = out
			}
		}
		once := func(ctx context.Context) (status int, said string, result []byte) {
			var stderr bytes.Buffer
			status = run(ctx, args, nil, io.Discard, &stderr)
			result, _ = os.ReadFile(out)
			os.Remove(out)
			return status, stderr.String(), result
		}
		begun := time.Now()
		status, said, want := once(t.Context())
		whole := time.Since(begun)
		if status != 0 || len(want) == 0 {
			t.Errorf("%s: status %d, %q", name, status, said)
			continue
		}
		before := runtime.NumGoroutine()
		for range times {
			ctx, cancel := context.WithCancel(context.Background())
			after := time.Duration(rng.Float64() * float64(whole))
			timer := time.AfterFunc(after, cancel)
			status, said, result := once(ctx)
			timer.Stop()
			cancel()
			switch {
			case status == 0 && bytes.Equal(result, want):
			case status == statusFailed && strings.HasSuffix(said, "slimsvm: interrupted\n") && result == nil:
			default:
				t.Errorf("%s: cancelled after %v of %v: status %d, %q, %d bytes of %d", name, after, whole, status, said, len(result), len(want))
			}
		}
		if status, said, result := once(t.Context()); status != 0 || !bytes.Equal(result, want) {
			t.Errorf("%s: again: status %d, %q, %d bytes that differ", name, status, said, len(result))
		}
		for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Since(wait) > 10*time.Second {
				stacks := make([]byte, 1<<16)
				t.Fatalf("%s: %d goroutines more than before\n%s", name, runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
			}
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 2 {
			t.Fatalf("%s: files are left: %v, %v", name, fmt.Sprint(left), err)
		}
	}
}
