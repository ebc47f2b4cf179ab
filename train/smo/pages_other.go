//go:build !linux

package smo

// inLargePages does nothing where the system has no such request.
func inLargePages([]float32) {}
