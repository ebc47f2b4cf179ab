package compat_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSameModels: models are the same bytes whatever instructions a processor has. Processors
// without some are played by this one.
func TestSameModels(t *testing.T) {
	slimsvm := filepath.Join(commands(t), "slimsvm")
	dir := t.TempDir()
	run := func(env string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(slimsvm, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s slimsvm %q: %v\n%s", env, args, err, stderr.Bytes())
		}
		return out
	}
	for name, set := range map[string]string{"classes": "moons", "numbers": "sinc"} {
		data := run("GODEBUG=", "generate", "--rows", "90", set)
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][]string{
		{"rsvm", "classes", "--vectors", "10"},
		{"mkc", "classes"},
		{"cs", "classes", "--runs", "2", "--points", "3"},
		{"joint", "classes", "--vectors", "5"},
		{"joint-svr", "numbers", "--vectors", "8"},
	} {
		args := append([]string{"train", "--quiet", "--method", c[0], c[1], "model"}, c[2:]...)
		var want []byte
		for _, env := range []string{"GODEBUG=", "GODEBUG=cpu.fma=off", "GODEBUG=cpu.avx=off", "GODEBUG=cpu.all=off", "SLIMSVM_SIMD=portable"} {
			run(env, args...)
			got, err := os.ReadFile(filepath.Join(dir, "model"))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: another model with %s", c[0], env)
			}
		}
	}
}
