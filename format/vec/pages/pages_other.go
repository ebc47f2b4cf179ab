//go:build !linux

package pages

const supported = false

func ask([]byte) {}

func drop([]byte) {}

func populate(address, size uintptr) {}

func reports() bool { return false }
