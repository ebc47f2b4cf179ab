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
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	var program []byte
	for line := range bytes.Lines(maps) {
		// first-end rwxp offset device inode path
		word := bytes.Fields(line)
		if len(word) < 6 || word[4][0] == '0' {
			continue
		}
		if program == nil {
			program = word[5] // the first of all is the program itself
		}
		if !bytes.Equal(program, word[5]) || word[1][1] != '-' {
			continue
		}
		from, to, _ := bytes.Cut(word[0], []byte{'-'})
		first, err := strconv.ParseUint(string(from), 16, 64)
		if err != nil {
			continue
		}
		end, err := strconv.ParseUint(string(to), 16, 64)
		if err != nil {
			continue
		}
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(first), uintptr(end-first), syscall.MADV_DONTNEED)
	}
}
