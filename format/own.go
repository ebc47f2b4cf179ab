package format

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ownStream returns a writer to the stream of this process that a path names, or nil if it names
// none. Such names are /dev/stdout, /dev/stderr, /dev/fd/N, the system's equivalents under /proc,
// links to them, and the file that standard output or standard error goes to. If such a stream goes
// to a file, opening it by its name would start from the beginning and lose what it holds, or leave
// the stream with the old file while a new one takes the name. info is that of the path. Close does
// not close the stream.
func ownStream(path string, info fs.FileInfo) (io.WriteCloser, error) {
	fd := ownDescriptor(path)
	for _, standard := range []int{1, 2} {
		if fd < 0 && goesTo(standard, info) {
			fd = standard
		}
	}
	if fd < 0 {
		return nil, nil
	}
	return duplicate(fd, path)
}

// IsStream reports whether path names a stream, so that no file can be placed beside it: "-" as in
// [CreateOutput], or the name of one of this process's own streams.
func IsStream(path string) bool { return path == standardName || ownDescriptor(path) >= 0 }

// ownDescriptor returns the number of the stream that a path or the links at it
// name, -1 for none.
func ownDescriptor(path string) int {
	for range mostLinks {
		folder, name := filepath.Split(filepath.Clean(path))
		switch folder {
		case "/dev/":
			switch name {
			case "stdin":
				return 0
			case "stdout":
				return 1
			case "stderr":
				return 2
			}
		case "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/":
			if fd, err := strconv.Atoi(name); err == nil && strconv.Itoa(fd) == name {
				return fd
			}
		}
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		path = beside(path, link)
	}
	return -1
}
