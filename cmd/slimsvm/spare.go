package main

import (
	"context"
	"os"

	"github.com/slimsvm/slimsvm/cmd/internal/datafile"
	"github.com/slimsvm/slimsvm/format"
	"github.com/slimsvm/slimsvm/models"
)

// sparesData returns wrong usage if a model is to be written where there are data, as where the second file
// of train is meant to be tested on.
func sparesData(ctx context.Context, model place) error {
	if isStream(model.path) {
		return nil
	}
	is, err := os.Stat(model.path)
	if err != nil || !is.Mode().IsRegular() || is.Size() == 0 || !holdsData(ctx, model.path) {
		return nil
	}
	return hinted{usagef("%s, %s, holds data, which a model would replace", model.what, model.path),
		"slimsvm predict tests a model on other data; if the file is to be replaced, remove it first"}
}

// holdsData reports whether a file holds data, and not a model: by its name or by its first row.
func holdsData(ctx context.Context, path string) bool {
	f, err := datafile.Open(ctx, path, nil, datafile.Options{})
	if err != nil {
		return false
	}
	defer f.Close()
	if f.Texts() != nil { // words of any text may be cells
		codec, err := datafile.Find("", path, nil)
		return err == nil && datafile.Declares(codec) && !holdsModel(path)
	}
	_, err = f.Read()
	return err == nil
}

// holdsModel reports whether a file holds a model.
func holdsModel(path string) bool {
	f, err := format.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = models.Read(f)
	return err == nil
}
