//go:build amd64 || arm64

package pages

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// DropProgram gives the pages of the program itself that are only read (instructions, constants,
// tables) back to the system, which keeps them in the file. Pages that are needed later are mapped
// again, 64 KiB at a time, so the process then holds what it needs from now on and not what it
// needed before. It takes some tenths of a millisecond.
func DropProgram() {
	FreePageReporting() // it may be needed later, and uses code that reads files
	for _, segment := range program() {
		Drop(segment)
	}
}

// Keys under which the system tells a process about its program.
const (
	atPHDR  = 3 // address of the program's headers
	atPHENT = 4
	atPHNUM = 5 // number of headers
)

// A programHeader describes a part of a program, as in 64-bit ELF files.
type programHeader struct {
	kind, flags                           uint32
	offset, address, physical, file, size uint64
	align                                 uint64
}

const (
	ptLoad  = 1 // kind: a part that is loaded
	ptPHDR  = 6 // kind: the headers themselves
	pfWrite = 2 // flag
)

// program returns the parts of the program that are never written to, or nothing if they cannot be
// found.
func program() (parts [][]byte) {
	pairs, err := unix.Auxv()
	if err != nil {
		return nil
	}
	told := map[uintptr]uintptr{}
	for _, p := range pairs {
		told[p[0]] = p[1]
	}
	first, count := told[atPHDR], told[atPHNUM]
	if first == 0 || told[atPHENT] != unsafe.Sizeof(programHeader{}) {
		return nil
	}
	headers := unsafe.Slice((*programHeader)(unsafe.Add(nil, first)), count)
	for _, h := range headers {
		if h.kind != ptPHDR {
			continue
		}
		moved := first - uintptr(h.address) // distance from the address given in the file
		for _, h := range headers {
			if h.kind == ptLoad && h.flags&pfWrite == 0 {
				parts = append(parts, unsafe.Slice((*byte)(unsafe.Add(nil, moved+uintptr(h.address))), h.size))
			}
		}
	}
	return parts
}
