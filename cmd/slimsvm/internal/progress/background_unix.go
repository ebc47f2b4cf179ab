//go:build unix

package progress

import "golang.org/x/sys/unix"

// inBackground reports whether the terminal of a file is at the disposal of other processes than
// this one's group, as while a shell has this one as a background job. Of a terminal that is not
// the process's own nothing is known.
func inBackground(fd int) bool {
	front, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	if err != nil {
		return false
	}
	own, err := unix.Getpgid(0)
	return err == nil && front != own
}
