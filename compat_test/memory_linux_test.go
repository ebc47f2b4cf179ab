package compat_test

import (
	"os"
	"syscall"
)

// maxResident returns the most memory in bytes that the process held at once.
// The child of a fork shares its parent's memory until it runs its own program,
// so the figure is never below the size of this test at that moment.
func maxResident(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
