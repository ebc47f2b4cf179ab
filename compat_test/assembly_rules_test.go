package compat_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// assemblies calls look with the name, path and text of each function of amd64's assembly.
func assemblies(t *testing.T, look func(path, name, body string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_amd64.s") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, function := range strings.Split(string(text), "\nTEXT ")[1:] {
			name, body, _ := strings.Cut(function, "(")
			look(path, name, body)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The assembler takes any register for most instructions of AVX2, but those beyond the
// sixteenth, those of 512 bits and masks are AVX-512's, which a processor need not have.
func TestAVX2Registers(t *testing.T) {
	wider := regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	functions := 0
	assemblies(t, func(path, name, body string) {
		if !strings.HasSuffix(name, "AVX2") {
			return
		}
		functions++
		if found := wider.FindString(body); found != "" {
			t.Errorf("%s: %s uses %s, which AVX2 does not have", path, name, found)
		}
	})
	if functions == 0 {
		t.Error("no functions of AVX2 found")
	}
}

// An instruction of SSE, while a register of 256 bits or more has something in its upper part,
// takes Intel's processors of late some 70 times as long as its twin of AVX: loops over few rows
// took three times as long for one such. So a function that uses these registers has none, and
// clears the upper parts before it returns to Go, whose own are all SSE's.
func TestAssemblyMixesNoSSE(t *testing.T) {
	wide, narrow := regexp.MustCompile(`\b[YZ][0-9]+\b`), regexp.MustCompile(`\bX[0-9]+\b`)
	functions := 0
	assemblies(t, func(path, name, body string) {
		if !wide.MatchString(body) {
			return
		}
		functions++
		full := "" // the last instruction that left something in upper parts
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			operation, operands, _ := strings.Cut(line, " ")
			if narrow.MatchString(operands) && operation == strings.ToUpper(operation) && !strings.HasPrefix(operation, "V") {
				t.Errorf("%s: %s has %q, of SSE", path, name, line)
			}
			switch {
			case wide.MatchString(operands):
				full = line
			case operation == "VZEROUPPER":
				full = ""
			case operation == "RET" && full != "":
				t.Errorf("%s: %s returns with no VZEROUPPER since %q", path, name, full)
			}
		}
	})
	if functions == 0 {
		t.Error("no functions of wide registers found")
	}
}
