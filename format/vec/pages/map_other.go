//go:build !linux

package pages

func mapped(int) []byte { return nil }

func unmap([]byte) {}
