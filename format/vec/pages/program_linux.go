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
	TakenBack() // which may be asked for later, and needs what reads files
	for _, segment := range program() {
		Drop(segment)
	}
}

// What the system tells a process of its program.
const (
	tellsHeaders    = 3 // where the headers of its file are in memory,
	tellsHeaderSize = 4
	tellsHeaderLen  = 5 // and how many
)

// A header describes a part of a program, as ELF files of 64 bits do.
type header struct {
	kind, flags                           uint32
	offset, address, physical, file, size uint64
	align                                 uint64
}

const (
	ofMemory  = 1 // a header of what is loaded
	ofHeaders = 6 // the header of the headers
	writable  = 2 // a flag
)

// program returns the parts of the program that are never written to, nothing if they
// cannot be told.
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
		moved := first - uintptr(h.address) // the file says where it should be
		for _, h := range headers {
			if h.kind == ofMemory && h.flags&writable == 0 {
				parts = append(parts, unsafe.Slice((*byte)(unsafe.Add(nil, moved+uintptr(h.address))), h.size))
			}
		}
	}
	return parts
}
