//go:build !linux

package main

import "os"

// maxResident returns 0: the memory of a process is measured on Linux only.
func maxResident(*os.ProcessState) int64 { return 0 }
