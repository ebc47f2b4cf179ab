//go:build race

package smo

// With the race detector, sync.Pools drop some of what they are given, at random.
func init() { poolsDrop = true }
