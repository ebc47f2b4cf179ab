package compat_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The assembler takes any register for most instructions of AVX2, but those beyond the
// sixteenth, those of 512 bits and masks are AVX-512's, which a processor need not have.
func TestAVX2Registers(t *testing.T) {
	wider := regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7])\b`)
	functions := 0
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
			if !strings.HasSuffix(name, "AVX2") {
				continue
			}
			functions++
			if found := wider.FindString(body); found != "" {
				t.Errorf("%s: %s uses %s, which AVX2 does not have", path, name, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if functions == 0 {
		t.Error("no functions of AVX2 found")
	}
}
