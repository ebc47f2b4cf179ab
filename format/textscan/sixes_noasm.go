//go:build !amd64 || purego

package textscan

func (*Sixes) setVector(*[SixesAtOnce]float64, int) bool { return false }
