//go:build !linux

package processor

import "runtime"

// Offer offers the processor to any other thread that waits for it, of this program or another.
// Go's scheduler is not told: if it were, it would look after this goroutine ten thousand times a
// second, on one of the processors that are needed.
func Offer() { runtime.Gosched() }

func yield() {} // Gosched would have whom the caller has woken take its place

func here() int { return -1 }

func move(func(*set) bool) bool { return false }
