package format

import (
	"errors"
	"os"
	"syscall"
)

// accessList is the attribute with a file's access control list. If there is one, the permissions of
// the file's group are the upper limit of what the list grants.
const accessList = "system.posix_acl_access"

// keepAccess gives f, which has the permissions of the file at path, that file's access control list.
// If that file has none, it removes a list that f has by the folder's default.
func keepAccess(f *os.File, path string) error {
	list, err := attribute(path, accessList)
	switch {
	case err == nil:
		return syscall.Setxattr(f.Name(), accessList, list, 0)
	case !noAttribute(err):
		return err
	}
	if err := syscall.Removexattr(f.Name(), accessList); noAttribute(err) {
		return nil
	} else if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return f.Chmod(info.Mode().Perm())
}

// attribute returns what an attribute of a file holds.
func attribute(path, name string) ([]byte, error) {
	for room := 256; ; room *= 2 {
		value := make([]byte, room)
		n, err := syscall.Getxattr(path, name, value)
		if err != syscall.ERANGE {
			return value[:max(n, 0)], err
		}
	}
}

// noAttribute reports whether err is that of a file, or of a file system, without such an attribute.
func noAttribute(err error) bool {
	return errors.Is(err, syscall.ENODATA) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOSYS)
}
