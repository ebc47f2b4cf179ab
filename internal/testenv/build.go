package testenv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// go test takes the result of an earlier run for that of the next if the test's program, the files
// that it has looked at and the environment that it has asked for are the same. It does not see
// what is read by programs that a test starts. So a test looks at these files itself.

// Build builds the commands of packages, such as "./cmd/svm-train", into a folder. The test's
// result counts as one of their sources.
func Build(folder string, packages ...string) error {
	if err := TrackSources(packages...); err != nil {
		return err
	}
	dir, err := root()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append([]string{"build", "-o", folder + string(filepath.Separator)}, packages...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// TrackSources looks at the files that packages are compiled from: also those of the packages that
// they import, and those for other processors. It is for tests that have something other than Build
// compile them.
func TrackSources(packages ...string) error {
	dir, err := root()
	if err != nil {
		return err
	}
	files, err := sources(dir, packages)
	if err != nil {
		return err
	}
	return TrackInputs(files...)
}

// TrackInputs looks at files that are read by programs which a test starts.
func TrackInputs(files ...string) error {
	for _, name := range files {
		if _, err := os.Stat(name); err != nil {
			return err
		}
	}
	return nil
}

// sources returns the files of packages of the module in dir and of the packages that these import,
// and their folders, in which there may be more files.
func sources(dir string, packages []string) ([]string, error) {
	files := []string{filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")}
	args := append([]string{"list", "-deps", "-json=Dir,Module,GoFiles,SFiles,HFiles,EmbedFiles,IgnoredGoFiles,IgnoredOtherFiles"}, packages...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
	} else if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                                                                    string
			Module                                                                 *struct{ Main bool }
			GoFiles, SFiles, HFiles, EmbedFiles, IgnoredGoFiles, IgnoredOtherFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return files, nil
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		files = append(files, p.Dir)
		for _, names := range [][]string{p.GoFiles, p.SFiles, p.HFiles, p.EmbedFiles, p.IgnoredGoFiles, p.IgnoredOtherFiles} {
			for _, name := range names {
				files = append(files, filepath.Join(p.Dir, name))
			}
		}
	}
}
