//go:build !unix

package main

import "time"

var started = time.Now()

// cpuSeconds is seconds of wall time here.
func cpuSeconds() float64 { return time.Since(started).Seconds() }
