package testenv

import "fmt"

// PanicOf returns what f panics with, as text, and "" if it does not.
func PanicOf(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}
