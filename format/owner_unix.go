//go:build unix

package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// isOthers reports whether the file at path, of which info is, is another's than the new one at own, whose owner
// keepOwner has set, and stands in a folder where only owners take names away, as in /tmp. A second name of it
// could be made there but not be removed.
func isOthers(path string, info fs.FileInfo, own string) bool {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil || folder.Mode()&fs.ModeSticky == 0 {
		return false
	}
	mine, err := os.Stat(own)
	return err == nil && !sameOwner(mine, info) && !sameOwner(mine, folder)
}

// sameOwner reports whether two files have the same owner.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, also := b.Sys().(*syscall.Stat_t)
	return ok && also && x.Uid == y.Uid
}

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
