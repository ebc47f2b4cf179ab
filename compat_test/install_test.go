//go:build unix

package compat_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slimsvm/slimsvm/internal/testenv"
)

// install runs install.sh with words and settings in dir, and returns its output.
func install(t *testing.T, dir string, settings []string, words ...string) (string, error) {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(root, "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", append([]string{script}, words...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), settings...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// filesBelow returns the files below a folder, relative to it and sorted.
func filesBelow(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			path, err = filepath.Rel(dir, path)
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// insteadOfGo returns a folder with a program go that copies commands that are built already.
func insteadOfGo(t *testing.T) string {
	t.Helper()
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin, err := filepath.Abs(commands(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := "#!/bin/sh\n" +
		"case $1 in\n" +
		"build) mkdir -p \"$3\" && cp '" + bin + "'/\"${4##*/}\" \"$3\" ;;\n" +
		"*) exec '" + compiler + "' \"$@\" ;;\n" +
		"esac\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestInstall: install.sh installs what can be installed, also over what is in use, below a
// relative path and for a package, and removes all of it.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("no shell: %v", err)
	}
	if err := testenv.TrackInputs(filepath.Join(root, "install.sh")); err != nil {
		t.Fatal(err)
	}
	if err := testenv.TrackSources("./cmd/..."); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"bin/slimsvm", "bin/svm-predict", "bin/svm-scale", "bin/svm-train",
		"share/bash-completion/completions/slimsvm", "share/fish/vendor_completions.d/slimsvm.fish", "share/zsh/site-functions/_slimsvm",
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs/man/*.1"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d manual pages, %v", len(pages), err)
	}
	for _, page := range pages {
		want = append(want, "share/man/man1/"+filepath.Base(page))
	}
	slices.Sort(want)

	dir := t.TempDir()
	settings := []string{"PREFIX=with blanks/usr", "DESTDIR=", ""}
	path := insteadOfGo(t) + string(filepath.ListSeparator) + os.Getenv("PATH")
	if testing.Short() {
		t.Log("short: the commands are not built by the script")
		settings[2] = "PATH=" + path
	}
	out, err := install(t, dir, settings)
	to := filepath.Join(dir, "with blanks/usr")
	if err != nil || !strings.Contains(out, "installed in "+to+"/bin: svm-train") || !strings.Contains(out, "put "+to+"/bin first in PATH") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := filesBelow(t, to); !slices.Equal(got, want) {
		t.Errorf("installed\n%q, want\n%q", got, want)
	}
	if out, err := exec.Command(filepath.Join(to, "bin/slimsvm"), "--version").CombinedOutput(); err != nil {
		t.Errorf("slimsvm --version: %v\n%s", err, out)
	}
	running := exec.Command(filepath.Join(to, "bin/svm-train"), "-q", "/dev/stdin", "/dev/null")
	stdin, err := running.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	defer running.Wait()
	defer stdin.Close()
	settings[2] = "PATH=" + filepath.Join(to, "bin") + string(filepath.ListSeparator) + path
	if out, err := install(t, dir, settings); err != nil || strings.Contains(out, "first in PATH") {
		t.Errorf("over what is in use: %v\n%s", err, out)
	}
	if got := filesBelow(t, to); !slices.Equal(got, want) {
		t.Errorf("installed again\n%q, want\n%q", got, want)
	}
	if out, err := install(t, dir, settings, "--uninstall"); err != nil || out != "" || len(filesBelow(t, to)) != 0 {
		t.Errorf("uninstall: %v, %q left\n%s", err, filesBelow(t, to), out)
	}

	if out, err := install(t, dir, []string{"DESTDIR=package", "PREFIX=/usr", "PATH=" + path}); err != nil || strings.Contains(out, "PATH") {
		t.Errorf("for a package: %v\n%s", err, out)
	}
	if got := filesBelow(t, filepath.Join(dir, "package/usr")); !slices.Equal(got, want) {
		t.Errorf("for a package\n%q, want\n%q", got, want)
	}

	var exit *exec.ExitError
	if out, err := install(t, dir, nil, "--help"); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(out, "Builds slimsvm's four commands") {
		t.Errorf("another word: %v\n%s", err, out)
	}
}
