//go:build !linux || !(amd64 || arm64)

package pages

// DropProgram gives the pages of the program itself that are only read (instructions, constants,
// tables) back to the system, which keeps them in the file. Pages that are needed later are mapped
// again, 64 KiB at a time, so the process then holds what it needs from now on and not what it
// needed before. It takes some tenths of a millisecond.
func DropProgram() {}
