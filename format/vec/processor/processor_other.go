//go:build !linux

package processor

import "runtime"

// Yield yields the processor to other goroutines.
func Yield() { runtime.Gosched() }

func yield() {} // Gosched would let the goroutine that the caller has woken run in its place

func here() int { return -1 }

func move(func(*set) bool) bool { return false }
