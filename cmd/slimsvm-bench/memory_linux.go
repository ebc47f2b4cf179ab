package main

import (
	"os"
	"syscall"
)

// maxResident returns the most memory in bytes that the process held at once.
func maxResident(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
