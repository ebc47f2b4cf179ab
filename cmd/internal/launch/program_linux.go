package launch

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// Settle is for the time when a command has read what it works on: it gives back the
// memory of the program's own pages. Those that are used again come back one by one from
// the file, of which the system has them; most were there for the start, or only because
// they lie beside others.
func Settle() {
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, p := range unchanged(maps) {
		syscall.Syscall(syscall.SYS_MADVISE, p.from, p.to-p.from, syscall.MADV_DONTNEED)
	}
}

// A part of memory lies between two addresses.
type part struct{ from, to uintptr }

// unchanged returns the parts of the program that cannot be written and are all as in its
// file, by the system's list of what is in memory. Where a program may lie anywhere, its
// addresses were put in at the start, and then protected; a debugger changes code.
func unchanged(smaps []byte) (parts []part) {
	var program []byte
	candidate := false // the last of parts may yet prove changed
	for line := range bytes.Lines(smaps) {
		word := bytes.Fields(line)
		switch {
		case len(word) < 2:
		case word[0][len(word[0])-1] != ':': // first-end rwxp offset device inode path
			candidate = false
			if len(word) < 6 || word[4][0] == '0' {
				continue
			}
			if program == nil {
				program = word[5] // the first of all is the program itself
			}
			if !bytes.Equal(program, word[5]) || word[1][1] != '-' {
				continue
			}
			first, last, _ := bytes.Cut(word[0], []byte{'-'})
			from, err := strconv.ParseUint(string(first), 16, 64)
			if err != nil {
				continue
			}
			to, err := strconv.ParseUint(string(last), 16, 64)
			if err != nil {
				continue
			}
			parts, candidate = append(parts, part{uintptr(from), uintptr(to)}), true
		case candidate && changes[string(word[0])] && string(word[1]) != "0":
			parts, candidate = parts[:len(parts)-1], false
		}
	}
	return parts
}

// changes are the sizes in the list that are not 0 of what differs from the file. (Pages that
// the system has yet to write to the file are dirty without it.)
var changes = map[string]bool{"Anonymous:": true, "Swap:": true}
