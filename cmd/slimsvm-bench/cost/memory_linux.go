package cost

import (
	"os"
	"syscall"
)

// MaxResident returns the most memory in bytes that the process held at once.
func MaxResident(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10
}
