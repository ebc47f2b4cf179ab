package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHalfway: a model that has one answer for rows of any class but those that it was trained on is warned of, whatever
// method made it, and not one whose gamma does, or of rows of which one class is rare.
func TestHalfway(t *testing.T) {
	dir := t.TempDir()
	for _, of := range []struct {
		name string
		rows int
	}{{"moons", 100}, {"waveform", 60}} {
		status, stdout, stderr := slimsvm(t, fmt.Sprintf("generate %s --rows %d", of.name, of.rows))
		if status != 0 {
			t.Fatal(stderr)
		}
		var rare, few strings.Builder // with the first label for few rows, and few rows
		n, first := 0, strings.Fields(stdout)[0]
		for line := range strings.Lines(stdout) {
			if n++; n <= 8 {
				few.WriteString(line)
			}
			if !strings.HasPrefix(line, first+" ") || n%10 == 1 {
				rare.WriteString(line)
			}
		}
		for to, text := range map[string]string{".all": stdout, ".rare": rare.String(), ".few": few.String()} {
			if err := os.WriteFile(filepath.Join(dir, of.name+to), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	const told = "warning: halfway between near training rows of the same class, the model predicts label "
	for _, c := range []struct {
		options, data string
		tells         string // "": nothing
	}{
		{"csvc --gamma 1e9", "moons.all", " nearly everywhere, for each class: --gamma scale (0."},
		{"csvc --gamma 1e9", "waveform.all", " may tell new rows apart\n"},
		{"csvc --gamma 1e9 --multiclass ovr", "waveform.all", told},
		{"nusvc --gamma 1e9", "moons.all", told},
		{"ssvm --gamma 1e9", "moons.all", told},
		{"ssrsvm --gamma 1e9", "waveform.all", told},
		{"rsvm --gamma 1e9", "moons.all", told},
		{"mkc --gamma 1e9", "moons.all", told},
		{"lp1 --gamma 1e9", "waveform.all", told},
		{"joint --gamma 1e9", "moons.all", told},
		{"csvc --gamma 1e9 --probability", "moons.all", told},
		{"csvc --gamma 1e9 -q", "moons.all", ""},
		{"csvc --gamma 1e9", "moons.few", ""},
		{"csvc --gamma 1e9 --kernel poly --degree 1 --coef0 1", "moons.all", ""},
		{"psvm", "moons.all", ""},
		{"csvc", "moons.all", ""},
		{"csvc --gamma 10", "moons.all", ""},
		{"csvc --gamma 10 --cost 10", "moons.rare", ""},
		{"csvc", "waveform.all", ""},
		{"csvc --cost 10", "waveform.rare", ""},
		{"rsvm --gamma 0.1", "waveform.rare", ""},
		{"mkc --gamma 1", "moons.rare", ""},
		{"epsilon-svr --gamma 1e9", "moons.all", ""},
	} {
		status, _, stderr := slimsvm(t, "train --method "+c.options+" "+filepath.Join(dir, c.data)+" m")
		is := strings.Contains(stderr, told)
		if status != 0 || is != (c.tells != "") || !strings.Contains(stderr, c.tells) {
			t.Errorf("%s %s: status %d: %s", c.options, c.data, status, stderr)
		}
	}
}

// TestLevelHalfway: the same of regressions, whose predictions for other rows hardly differ.
func TestLevelHalfway(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := slimsvm(t, "generate friedman --rows 120")
	if status != 0 {
		t.Fatal(stderr)
	}
	n, few := 0, ""
	for line := range strings.Lines(stdout) {
		if n++; n < 20 {
			few += line
		}
	}
	for name, text := range map[string]string{"all": stdout, "few": few} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const told = "warning: halfway between near training rows, the model's predictions differ by "
	for _, c := range []struct {
		options, data string
		tells         string // "": nothing
	}{
		{"epsilon-svr --gamma 1e4", "all", " for the rows themselves: --gamma scale ("},
		{"nu-svr --gamma 1e4", "all", told},
		{"ssvr --gamma 1e4", "all", told},
		{"ssvr --gamma 1e4 -q", "all", ""},
		{"epsilon-svr --gamma 1e4", "few", ""},
		{"epsilon-svr", "all", ""},
		{"epsilon-svr --gamma 1 --cost 10", "all", ""},
		{"nu-svr", "all", ""},
		{"ssvr", "all", ""},
		{"rsvr", "all", ""},
		{"joint-svr --vectors 10", "all", ""},
		{"ssvr --kernel linear", "all", ""},
		{"csvc --gamma 1e4", "all", ""},
	} {
		status, _, stderr := slimsvm(t, "train --method "+c.options+" "+filepath.Join(dir, c.data)+" m")
		is := strings.Contains(stderr, told)
		if status != 0 || is != (c.tells != "") || !strings.Contains(stderr, c.tells) {
			t.Errorf("%s %s: status %d: %s", c.options, c.data, status, stderr)
		}
	}
}
