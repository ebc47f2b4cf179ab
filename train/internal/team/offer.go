//go:build !linux

package team

import "runtime"

// offer offers the processor to other goroutines.
func offer() { runtime.Gosched() }
