//go:build !linux

package processor

import "runtime"

// Offer offers the processor to other goroutines.
func Offer() { runtime.Gosched() }

func yield() {} // Gosched would let the goroutine that the caller has woken run in its place

func here() int { return -1 }

func move(func(*set) bool) bool { return false }
