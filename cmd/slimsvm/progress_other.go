//go:build !unix

package main

// inBackground returns false: there are no background jobs.
func inBackground(int) bool { return false }
