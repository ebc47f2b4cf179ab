//go:build race

package cs

// The race detector has pools drop what they are given at random.
func init() { poolsDrop = true }
