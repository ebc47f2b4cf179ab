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
	TakenBack() // it may be needed later, and uses code that reads files
	for _, segment := range program() {
		Drop(segment)
	}
}

// Keys under which the system tells a process about its program.
const (
	tellsHeaders    = 3 // address of the program's headers
	tellsHeaderSize = 4
	tellsHeaderLen  = 5 // number of headers
)

// A header describes a part of a program, as in 64-bit ELF files.
type header struct {
	kind, flags                           uint32
	offset, address, physical, file, size uint64
	align                                 uint64
}

const (
	ofMemory  = 1 // kind: a part that is loaded
	ofHeaders = 6 // kind: the headers themselves
	writable  = 2 // flag
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
	first, count := told[tellsHeaders], told[tellsHeaderLen]
	if first == 0 || told[tellsHeaderSize] != unsafe.Sizeof(header{}) {
		return nil
	}
	headers := unsafe.Slice((*header)(unsafe.Add(nil, first)), count)
	for _, h := range headers {
		if h.kind != ofHeaders {
			continue
		}
		moved := first - uintptr(h.address) // distance from the address given in the file
		for _, h := range headers {
			if h.kind == ofMemory && h.flags&writable == 0 {
				parts = append(parts, unsafe.Slice((*byte)(unsafe.Add(nil, moved+uintptr(h.address))), h.size))
			}
		}
	}
	return parts
}
