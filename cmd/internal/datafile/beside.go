package datafile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostLinks bounds a chain of symbolic links, as systems do.
const mostLinks = 40

// NamesPaths returns where a file of names may stand that belongs to the data at path:
// beside path and, where that is a symbolic link, beside each file on the way to the data
// themselves, which come last. The data need not be there.
func NamesPaths(path string) []string {
	var paths []string
	for range mostLinks {
		paths = append(paths, path+namesSuffix)
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			folder, _ := filepath.Split(path)
			link = folder + link
		}
		path = link
	}
	return paths
}

// FindNames returns the path of the file of names that belongs to the data at path: the
// first there is of NamesPaths, so that a link may have names of its own. If there is none,
// it is the path where WrittenNames would be.
func FindNames(path string) string {
	paths := NamesPaths(path)
	for _, p := range paths {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENAMETOOLONG) {
			return p
		}
	}
	return paths[len(paths)-1]
}

// WrittenNames returns the path for the names of data that are written at path: beside the
// data themselves, where they are found by every path that leads to these.
func WrittenNames(path string) string {
	paths := NamesPaths(path)
	return paths[len(paths)-1]
}

// NamedBy returns the path of the data that a file of names at path would belong to. ok is false if it is no
// such path, or there are no such data.
func NamedBy(path string) (data string, ok bool) {
	if data, ok = strings.CutSuffix(path, namesSuffix); !ok {
		return "", false
	}
	_, err := os.Stat(data)
	return data, err == nil
}
