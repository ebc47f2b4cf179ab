//go:build !linux || !(amd64 || arm64)

package pages

// DropProgram gives pages of the program itself back on Linux. On other systems it does nothing.
func DropProgram() {}
