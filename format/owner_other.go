//go:build !unix

package format

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: files have no owners that a process can give them to.
func keepOwner(*os.File, fs.FileInfo) {}

// isOthers reports false: there are no folders where only owners take names away.
func isOthers(string, fs.FileInfo, string) bool { return false }
