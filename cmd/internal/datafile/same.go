package datafile

import (
	"io/fs"
	"os"
)

// IsRegular reports whether path leads to the regular file of info, nil for none: by another
// name of it, too, or by a link. Whoever writes there loses what path holds.
func IsRegular(path string, info fs.FileInfo) bool {
	if info == nil || !info.Mode().IsRegular() {
		return false
	}
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}
