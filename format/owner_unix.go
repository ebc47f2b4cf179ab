//go:build unix

package format

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner of another file, or else only that file's group, if this process may do
// so, and that file's permissions.
func keepOwner(f *os.File, other fs.FileInfo) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	mine, ok := info.Sys().(*syscall.Stat_t)
	theirs, also := other.Sys().(*syscall.Stat_t)
	if ok && also && (mine.Uid != theirs.Uid || mine.Gid != theirs.Gid) {
		if f.Chown(int(theirs.Uid), int(theirs.Gid)) == nil || f.Chown(-1, int(theirs.Gid)) == nil {
			f.Chmod(other.Mode().Perm())
		}
	}
}
