package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHalfway: a model that has one answer for rows of any class but those that it was trained on is warned of, whatever
// method made it, and not one whose gamma does, or of rows of which one class is rare.
func TestHalfway(t *testing.T) {
	dir := newFolder(t)
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

// TestHalfwayLabels: of rows of nominal columns places halfway have one label of each column. Half labels, which no row
// has, got one answer of good models too, and a warning.
func TestHalfwayLabels(t *testing.T) {
	dir := newFolder(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("@relation lines\n")
	for c := range 9 {
		fmt.Fprintf(&text, "@attribute c%d {x,o,b}\n", c)
	}
	text.WriteString("@attribute won {yes,no}\n@data\n")
	rows := map[bool]int{}
	for rows[true] < 200 || rows[false] < 100 {
		var cells [9]byte
		for c := range cells {
			cells[c] = "xob"[rng.IntN(3)]
		}
		won := false
		for _, line := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
			won = won || cells[line[0]] == 'x' && cells[line[1]] == 'x' && cells[line[2]] == 'x'
		}
		if rows[won]++; rows[won] > map[bool]int{true: 200, false: 100}[won] {
			continue
		}
		for _, cell := range cells {
			fmt.Fprintf(&text, "%c,", cell)
		}
		fmt.Fprintln(&text, map[bool]string{true: "yes", false: "no"}[won])
	}
	data := filepath.Join(dir, "lines.arff")
	if err := os.WriteFile(data, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for options, tells := range map[string]bool{"mkc": false, "lp1": false, "csvc": false, "csvc --gamma 20": true} {
		status, _, stderr := slimsvm(t, "train --method "+options+" "+data+" m")
		if status != 0 || strings.Contains(stderr, "halfway") != tells {
			t.Errorf("%s: status %d: %s", options, status, stderr)
		}
	}
}

// TestLevelHalfway: the same of regressions, whose predictions for other rows hardly differ.
func TestLevelHalfway(t *testing.T) {
	dir := newFolder(t)
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
