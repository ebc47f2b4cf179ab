//go:build !linux

package launch

// Settle does nothing: the memory of the program's own pages is given back on Linux only.
func Settle() {}
