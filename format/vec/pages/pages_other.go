//go:build !linux

package pages

const supported = false

func ask([]byte) {}

func drop([]byte) {}

func populate([]byte) {}

func reports() bool { return false }
