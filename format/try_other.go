//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package format

// takesFile returns the error, if any, with which no new file can be made at path. It
// makes one that it removes.
func takesFile(path string) error {
	p, _, err := newPending(path)
	if err != nil {
		return err
	}
	return p.Cleanup()
}
