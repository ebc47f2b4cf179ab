//go:build !unix

package progress

// inBackground returns false: there are no background jobs.
func inBackground(int) bool { return false }
