//go:build !linux || !(amd64 || arm64)

package pages

// DropProgram gives pages of the program itself back, where it can: not here.
func DropProgram() {}
