package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/slimsvm/slimsvm/cmd/internal/picture"
)

// otherPictures are extensions of pictures that are not written.
var otherPictures = []string{".jpg", ".jpeg", ".gif", ".pdf", ".eps", ".ps", ".bmp", ".tif", ".tiff", ".webp", ".avif"}

// pictureOf returns what the name of a file, which may end in .gz or .zst, says of a
// picture. what is the file in messages.
func pictureOf(what, path string) (picture.Kind, error) {
	switch ext := extension(path); {
	case ext == ".svg":
		return picture.SVG, nil
	case ext == ".png":
		return picture.PNG, nil
	case slices.Contains(otherPictures, ext):
		return picture.None, usagef("%s, %s: pictures are SVG and PNG, not %s", what, path, ext[1:])
	}
	return picture.None, nil
}

// extension returns that of a file's name, which .gz or .zst may follow, in small letters.
func extension(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	if ext == ".gz" || ext == ".zst" {
		ext = strings.ToLower(filepath.Ext(path[:len(path)-len(ext)]))
	}
	return ext
}

// checkPictureName returns wrong usage if the name of a file, which may be "", says that it is anything but a picture that
// is written. what is the file in messages.
func checkPictureName(what, path string) error {
	kind, err := pictureOf(what, path)
	if ext := extension(path); err == nil && kind == picture.None && ext != "" {
		return usagef("%s, %s: pictures are SVG and PNG, not %s", what, path, ext[1:])
	}
	return err
}
