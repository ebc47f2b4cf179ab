package pages

import "golang.org/x/sys/unix"

// mapped returns n zero bytes from the system, or nil.
func mapped(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return b
}

func unmap(b []byte) { _ = unix.Munmap(b) }
